import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { hasRefusal } from '../../profile/authorization-pages.ts'
import { fillIn, tickedOn } from '../customer.ts'
import { openPassage } from './passage.ts'
import { lookAround, markActed } from './sight.ts'
import { createTrace } from './trace.ts'
import type { BrowserContext, Locator } from 'playwright-core'
import type { Progress, Walk } from '../customer.ts'
import type { Landing } from '../landing.ts'
import type { HttpRequest } from '../request.ts'
import type { Passage } from './passage.ts'
import type { Looking } from './sight.ts'
import type { Trace } from './trace.ts'

/** One authorization in a browser that is fresh for it, from its first request to its landing. */

export interface BrowserWalk {
  readonly walk: Walk
  readonly start: HttpRequest
  /** Has nothing of any other authorization. It is closed at the end. */
  readonly context: BrowserContext
  readonly settleMs: number
  /** How long the browser may take for one thing that the customer does, in ms. */
  readonly actMs: number
  /** Where traces are kept of what did not lead out of the bank; nowhere, if it is left out. */
  readonly folder?: string
}

interface Acting extends BrowserWalk, Looking {
  readonly progress: Progress
  readonly trace: Trace
}

export const walkInBrowser = async (given: BrowserWalk): Promise<Landing> => {
  const { walk, start, context, settleMs } = given
  const trace = createTrace(given.folder, walk.http.redactor)
  const page = await context.newPage()
  const passage = await openPassage({ walk, start, page, trace })
  const progress: Progress = { acted: [], decision: 'unasked' }
  const acting: Acting = { ...given, page, passage, settleMs, progress, trace, recipe: walk.recipe }
  // A question such as "Are you sure?" is part of what the customer wants.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
  let isLost = true
  try {
    passage.open()
    const ended = await Promise.race([passage.ended, act(acting), stalls(acting)])
    isLost = ended.outcome === 'page' || ended.outcome === 'fault'
    if (ended.code !== undefined) walk.http.redactor.learn('code', ended.code)
    return { kind: 'landing', ...progress, ...ended }
  } finally {
    passage.release()
    if (isLost) await trace.keep(page, passage.shown())
    await context.close().catch(() => undefined)
  }
}

/** A page that nobody can ask anything, since its scripts never stop, must not hold up the run. */
const stalls = async ({ passage, actMs, settleMs }: Acting): Promise<never> => {
  const ms = 2 * actMs + settleMs
  await passage.stir.rests(ms)
  throw new Inconclusive(
    `for ${ms} ms nothing has come of the page of ${passage.shown()?.id ?? 'the browser'}`,
  )
}

type Ended = Omit<Landing, 'kind' | keyof Progress>

/** Does what the recipe says, page by page, until there is nothing more to do. */
const act = async (acting: Acting): Promise<Ended> => {
  const { passage, progress } = acting
  let acted: number | undefined
  for (;;) {
    const sight = await lookAround(acting, acted)
    if (sight !== undefined && 'code' in sight) return land(passage, { code: sight.code })
    // The same page again means that what was typed was not accepted: a customer would not try for ever.
    if (sight === undefined) return land(passage, {})
    if (progress.acted.at(-1) === sight.index) return { ...land(passage, {}), isAskedAgain: true }
    if (acted === passage.documents.count()) passage.step()
    acted = passage.documents.count()
    progress.acted.push(sight.index)
    await answer(acting, sight.index)
  }
}

const land = (passage: Passage, { code }: { readonly code?: string }): Ended => {
  const exchange = passage.shown()
  if (exchange === undefined)
    throw new Inconclusive('the browser asked for nothing, so that there is no page to look at')
  return code === undefined ? { outcome: 'page', exchange } : { outcome: 'result-screen', exchange, code }
}

const answer = async (acting: Acting, index: number): Promise<void> => {
  const { walk, page, progress, trace } = acting
  const step = walk.recipe.pages[index]
  if (step === undefined) return
  const refuse = await refusalOn(acting)
  if (refuse !== undefined || hasRefusal(step))
    progress.decision = walk.decision === 'deny' ? 'denied' : 'granted'
  await learnHidden(acting)
  await markActed(acting)
  for (const [selector, text] of fillIn(step.fill, walk.customer)) {
    const field = page.locator(selector).first()
    trace.note({ what: 'fills', selector })
    if ((await field.count()) > 0)
      await done(acting, () => type(field, text, acting.actMs), `authorization.pages.${index}.fill`, selector)
  }
  for (const selector of tickedOn(step, walk.decision)) await tick(acting, index, selector)
  const button = walk.decision === 'deny' ? (refuse ?? step.press) : step.press
  trace.note({ what: 'presses', selector: button })
  const key = `authorization.pages.${index}.${button === refuse ? 'refuse' : 'press'}`
  await done(acting, () => page.locator(button).first().click({ timeout: acting.actMs }), key, button)
}

/** All that the selector finds; a box that is ticked stays so. */
const tick = async (acting: Acting, index: number, selector: string): Promise<void> => {
  const { page, walk, trace, actMs } = acting
  trace.note({ what: 'ticks', selector })
  const isRefusal =
    walk.decision === 'deny' && (walk.recipe.pages[index]?.tickToRefuse ?? []).includes(selector)
  const key = `authorization.pages.${index}.${isRefusal ? 'tickToRefuse' : 'tick'}`
  for (const box of await page.locator(selector).all())
    await done(acting, () => box.check({ timeout: actMs }), key, selector)
}

/** A bank may put two pages of the recipe on one: a button to refuse is looked for wherever it may stand. */
const refusalOn = async ({ page, recipe }: Acting): Promise<string | undefined> => {
  for (const { refuse } of recipe.pages)
    if (refuse !== undefined && (await page.locator(refuse).filter({ visible: true }).count()) > 0)
      return refuse
  return undefined
}

interface Named {
  readonly name: string
  readonly value: string
}

/** What scripts put into hidden fields stands in no answer of the bank under that name. */
const learnHidden = async ({ page, walk }: Acting): Promise<void> => {
  const fields = await page
    .locator('input[type=hidden], input[type=password]')
    .evaluateAll((inputs: readonly Named[]) => inputs.map(({ name, value }) => [name, value] as const))
  for (const [name, value] of fields) walk.http.redactor.learn(name === '' ? 'input' : name, value)
}

const type = async (field: Locator, text: string, timeout: number): Promise<void> => {
  const tag = await field.evaluate((element: { readonly tagName: string }) => element.tagName)
  if (tag === 'SELECT') await field.selectOption(text, { timeout })
  else await field.fill(text, { timeout })
}

/** Something that a customer cannot do either says which part of the recipe asks for it. */
const done = async (
  { actMs, passage }: Acting,
  work: () => Promise<unknown>,
  key: string,
  selector: string,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    // What the act has led to may have taken the page away under it.
    if ((error as Error).name !== 'TimeoutError') throw error
    const where = passage.shown()?.id ?? 'the page'
    throw new NotReached(
      `at ${where} nobody could act on ${JSON.stringify(selector)} within ${actMs} ms (${key}); look at what the page shows in the trace of the browser`,
    )
  }
}
