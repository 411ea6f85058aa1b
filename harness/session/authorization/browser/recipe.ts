import { Inconclusive, NotReached } from '../../../evidence/signals.ts'
import { codeIn, hasRefusal, type PageRecipe } from '../../../profile/schema/authorization.ts'
import {
  accountBoxes,
  fillIn,
  isAskedAgain,
  tickedOn,
  withoutBox,
  type AccountBox,
  type Progress,
} from '../customer-acts.ts'
import type { Navigation } from '../page-navigation.ts'
import { wholeCode } from '../shown-codes.ts'
import { openLoginFlow, type LoginFlow } from './login-flow.ts'
import { createTrace, type Trace } from './trace.ts'
import type { Locator, Page, BrowserContext } from 'playwright-core'
import type { RedirectResult } from '../../../evidence/record/answer.ts'
import type { HttpRequest } from '../../http/request.ts'

/** What the page shows that the recipe knows: a code, or a page of the recipe by its index. */
type KnownPage = { readonly code: string } | { readonly index: number }

interface PageContext {
  readonly page: Page
  readonly flow: LoginFlow
  readonly recipe: PageRecipe
  /** How long a page that loads nothing more may take, in ms. */
  readonly settleMs: number
}

/** Marks the elements that were present when the customer acted: elements that stay are not a new page. */
const ACTED = 'data-conformance-acted'

const newPage = (page: Page, when: string): Locator =>
  page
    .locator(when)
    .and(page.locator(`:not([${ACTED}])`))
    .filter({ visible: true })

/** An element without text does not show a code yet; a form field has its text in its value. */
const codeOn = (page: Page, code: string): Locator =>
  page
    .locator(code)
    .filter({ hasText: /\S/ })
    .or(page.locator(code).and(page.locator('input, textarea')))

/** A document that is being closed has no elements. */
const countOf = (locator: Locator): Promise<number> => locator.count().catch(() => 0)

/** Elements that can change the page later. */
const CHANGING = 'script, meta[http-equiv="refresh" i], [onload]'

/**
 * Waits until the page shows something that the recipe knows. Undefined if the page is at rest and does not.
 * @param acted the number of documents when the customer last acted: the page must change first.
 */
const waitForKnownPage = async (
  looking: PageContext,
  acted: number | undefined,
): Promise<KnownPage | undefined> => {
  const { page, flow, recipe, settleMs } = looking
  const { activity } = flow
  const known = recipe.pages
    .map(({ when }) => newPage(page, when))
    .reduce((all, one) => all.or(one), codeOn(page, recipe.code))
  const isSeen = async (): Promise<boolean> => (await countOf(known)) > 0
  // Ends when the page is closed.
  const sees = (): Promise<void> =>
    known
      .first()
      .waitFor({ state: 'attached', timeout: 0 })
      .catch(() => undefined)

  for (;;) {
    await Promise.race([sees(), activity.rests(0)])
    await page.waitForLoadState('domcontentloaded')
    if (await isSeen()) return knownPageOn(looking)
    const documents = flow.documents.count()
    const isFinal = documents !== acted && (await countOf(page.locator(CHANGING))) === 0
    if (isFinal) return undefined
    await Promise.race([sees(), flow.documents.next(), activity.rests(settleMs)])
    if (await isSeen()) return knownPageOn(looking)
    if (flow.documents.count() === documents) return undefined
  }
}

const knownPageOn = async ({ page, recipe }: PageContext): Promise<KnownPage | undefined> => {
  const shown = codeOn(page, recipe.code)
  if ((await countOf(shown)) > 0) {
    const text = await textOf(shown.first())
    if (text !== '') return { code: codeIn(text, recipe) ?? text }
  }
  for (const [index, { when }] of recipe.pages.entries())
    if ((await countOf(newPage(page, when))) > 0) return { index }
  return undefined
}

/** The text of an element, or the value of a field. */
interface Reported {
  readonly value?: unknown
  readonly textContent: string | null
}

const textOf = async (locator: Locator): Promise<string> => {
  const text = await locator.evaluate((element: Reported) =>
    typeof element.value === 'string' ? element.value : (element.textContent ?? ''),
  )
  return text.trim()
}

interface Markable {
  setAttribute(name: string, value: string): void
}

/** Marks all elements of the recipe, before the customer acts on the page. */
const markOldElements = async ({ page, recipe }: PageContext): Promise<void> => {
  for (const { when } of recipe.pages)
    await page.locator(when).evaluateAll((elements: readonly Markable[], mark) => {
      for (const element of elements) element.setAttribute(mark, '')
    }, ACTED)
}

/** One authorization in a fresh browser context, from its first request to its redirect result. */

interface BrowserNavigation {
  readonly walk: Navigation
  readonly start: HttpRequest
  /** A fresh context. It is closed at the end. */
  readonly context: BrowserContext
  readonly settleMs: number
  /** How long one action of the customer may take, in ms. */
  readonly actMs: number
  /** The folder for traces of authorizations that did not leave the bank; none if left out. */
  readonly folder?: string
}

interface NavigationContext extends BrowserNavigation, PageContext {
  readonly progress: Progress
  readonly trace: Trace
}

export const navigateInBrowser = async (given: BrowserNavigation): Promise<RedirectResult> => {
  const { walk, start, context, settleMs } = given
  const trace = createTrace(given.folder, walk.http.redactor)
  const page = await context.newPage()
  const flow = await openLoginFlow({ walk, start, page, trace })
  const progress: Progress = { acted: [], decision: 'unasked' }
  const acting: NavigationContext = { ...given, page, flow, settleMs, progress, trace, recipe: walk.recipe }
  // A dialog such as "Are you sure?" is confirmed.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
  let isLost = true
  try {
    flow.open()
    const ended = await Promise.race([flow.ended, act(acting), stalls(acting)])
    isLost = ended.outcome === 'page' || ended.outcome === 'fault'
    if (ended.code !== undefined) walk.http.redactor.learn('code', ended.code)
    return { kind: 'redirect-result', ...progress, ...ended }
  } finally {
    flow.release()
    if (isLost) await trace.keep(page, flow.shown())
    await context.close().catch(() => undefined)
  }
}

/** A page whose scripts never stop must not block the run. */
const stalls = async ({ flow, actMs, settleMs }: NavigationContext): Promise<never> => {
  const ms = 2 * actMs + settleMs
  await flow.activity.rests(ms)
  throw new Inconclusive(`for ${ms} ms nothing has come of the page of ${flow.shown()?.id ?? 'the browser'}`)
}

type Ended = Omit<RedirectResult, 'kind' | keyof Progress>

/** Follows the recipe page by page until there is nothing more to do. */
const act = async (acting: NavigationContext): Promise<Ended> => {
  const { flow, progress } = acting
  let acted: number | undefined
  for (;;) {
    const found = await waitForKnownPage(acting, acted)
    if (found !== undefined && 'code' in found) return landOnCode(acting, found.code)
    if (found === undefined) return land(flow)
    if (isAskedAgain(progress, found.index)) return { ...land(flow), isAskedAgain: true }
    if (acted === flow.documents.count()) flow.step()
    acted = flow.documents.count()
    progress.acted.push(found.index)
    await answer(acting, found.index)
  }
}

const land = (flow: LoginFlow): Ended & { readonly outcome: 'page' } => {
  const exchange = flow.shown()
  if (exchange === undefined)
    throw new Inconclusive('the browser sent no request, so that there is no page to judge')
  return { outcome: 'page', exchange }
}

const landOnCode = ({ flow, recipe }: NavigationContext, code: string): Ended => {
  const { exchange } = land(flow)
  return { outcome: 'result-screen', exchange, code: wholeCode(exchange, recipe, code) }
}

const answer = async (acting: NavigationContext, index: number): Promise<void> => {
  const { walk, page, progress, trace } = acting
  const step = walk.recipe.pages[index]
  if (step === undefined) return
  const refuse = await refusalOn(acting)
  if (refuse !== undefined || hasRefusal(step))
    progress.decision = walk.decision === 'deny' ? 'denied' : 'granted'
  await learnHidden(acting)
  await markOldElements(acting)
  for (const [selector, text] of fillIn(step.fill, walk.customer)) {
    const field = page.locator(selector).first()
    trace.note({ what: 'fills', selector })
    if ((await field.count()) > 0)
      await done(acting, () => type(field, text, acting.actMs), `authorization.pages.${index}.fill`, selector)
  }
  for (const selector of tickedOn(step, walk.decision)) await tick(acting, index, selector)
  for (const box of accountBoxes(step, walk)) await chooseAccount(acting, index, box)
  const button = walk.decision === 'deny' ? (refuse ?? step.press) : step.press
  trace.note({ what: 'presses', selector: button })
  const key = `authorization.pages.${index}.${button === refuse ? 'refuse' : 'press'}`
  await done(acting, () => page.locator(button).first().click({ timeout: acting.actMs }), key, button)
}

/** Ticks all boxes that the selector finds; a ticked box stays ticked. */
const tick = async (acting: NavigationContext, index: number, selector: string): Promise<void> => {
  const { page, walk, trace, actMs } = acting
  trace.note({ what: 'ticks', selector })
  const isRefusal =
    walk.decision === 'deny' && (walk.recipe.pages[index]?.tickToRefuse ?? []).includes(selector)
  const key = `authorization.pages.${index}.${isRefusal ? 'tickToRefuse' : 'tick'}`
  for (const box of await page.locator(selector).all())
    await done(acting, () => box.check({ timeout: actMs }), key, selector)
}

interface ListItem {
  readonly tagName: string
  selected: boolean
  readonly dispatchEvent: (event: Event) => boolean
}

/** @returns whether it is an option of a list. */
const setOption = (locator: Locator, isChosen: boolean): Promise<boolean> =>
  locator.evaluate((item: ListItem, selected) => {
    if (item.tagName !== 'OPTION') return false
    item.selected = selected
    return item.dispatchEvent(new Event('change', { bubbles: true }))
  }, isChosen)

/** Ticks the check box of a shared account, and unticks that of another one. */
const chooseAccount = async (acting: NavigationContext, index: number, box: AccountBox): Promise<void> => {
  const { page, flow, trace, actMs } = acting
  const { selector, isShared } = box
  const found = await page.locator(selector).all()
  const exchange = flow.shown()
  if (found.length === 0 && isShared && exchange !== undefined) throw withoutBox(exchange, index, box)
  trace.note({ what: isShared ? 'ticks' : 'unticks', selector })
  for (const each of found)
    await done(
      acting,
      async () => (await setOption(each, isShared)) || each.setChecked(isShared, { timeout: actMs }),
      `authorization.pages.${index}.tickAccounts`,
      selector,
    )
}

/** A bank may combine two pages of the recipe: the button to refuse may be on any page. */
const refusalOn = async ({ page, recipe }: NavigationContext): Promise<string | undefined> => {
  for (const { refuse } of recipe.pages)
    if (refuse !== undefined && (await page.locator(refuse).filter({ visible: true }).count()) > 0)
      return refuse
  return undefined
}

interface Input {
  readonly type: 'hidden' | 'password'
  readonly name: string
  readonly value: string
}

/** Scripts may put secrets into hidden fields that no answer of the bank shows. */
const learnHidden = async ({ page, walk }: NavigationContext): Promise<void> => {
  const fields = await page
    .locator('input[type=hidden], input[type=password]')
    .evaluateAll((inputs: readonly Input[]) => inputs.map(({ type, name, value }) => ({ type, name, value })))
  for (const { type, name, value } of fields) walk.http.redactor.learnInput(type, name, value)
}

const type = async (field: Locator, text: string, timeout: number): Promise<void> => {
  const tag = await field.evaluate((element: { readonly tagName: string }) => element.tagName)
  if (tag === 'SELECT') await field.selectOption(text, { timeout })
  else await field.fill(text, { timeout })
}

/** An action that fails is reported with the key of the recipe. */
const done = async (
  { actMs, flow }: NavigationContext,
  work: () => Promise<unknown>,
  key: string,
  selector: string,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    // The action may have closed the page.
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    const where = flow.shown()?.id ?? 'the page'
    throw new NotReached(
      `at ${where} ${JSON.stringify(selector)} could not be used within ${actMs} ms (${key}); see what the page shows in the trace of the browser`,
    )
  }
}
