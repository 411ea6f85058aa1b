import type { Locator, Page } from 'playwright-core'
import type { PageRecipe } from '../../profile/schema.ts'
import type { Passage } from './passage.ts'

/** What the customer sees that the recipe knows: a code, or one of its pages by its place in the recipe. */
export type Sight = { readonly code: string } | { readonly index: number }

export interface Looking {
  readonly page: Page
  readonly passage: Passage
  readonly recipe: PageRecipe
  /** How long a page that loads nothing more may take, in ms. */
  readonly settleMs: number
}

/** Stands on each element that was there when the customer acted: what stays where it was is no new page. */
const ACTED = 'data-conformance-acted'

const pageOf = (page: Page, when: string): Locator =>
  page
    .locator(when)
    .and(page.locator(`:not([${ACTED}])`))
    .filter({ visible: true })

/** An element without text shows no code yet; a field has its text elsewhere. */
const codeOn = (page: Page, code: string): Locator =>
  page
    .locator(code)
    .filter({ hasText: /\S/ })
    .or(page.locator(code).and(page.locator('input, textarea')))

/** A document that is being left has no elements. */
const countOf = (locator: Locator): Promise<number> => locator.count().catch(() => 0)

/** What can change a page that has been read. */
const CHANGING = 'script, meta[http-equiv="refresh" i], [onload]'

/**
 * Waits until the page shows something that the recipe knows. Undefined where it is at rest and does not.
 * @param acted how many documents there were when the customer acted, where it has to change first.
 */
export const lookAround = async (looking: Looking, acted: number | undefined): Promise<Sight | undefined> => {
  const { page, passage, recipe, settleMs } = looking
  const { stir } = passage
  const known = recipe.pages
    .map(({ when }) => pageOf(page, when))
    .reduce((all, one) => all.or(one), codeOn(page, recipe.code))
  const isSeen = async (): Promise<boolean> => (await countOf(known)) > 0
  // It is given up with the page.
  const sees = (): Promise<void> =>
    known
      .first()
      .waitFor({ state: 'attached', timeout: 0 })
      .catch(() => undefined)

  for (;;) {
    await Promise.race([sees(), stir.rests(0)])
    await page.waitForLoadState('domcontentloaded')
    if (await isSeen()) return sightOf(looking)
    const documents = passage.documents()
    const isFinal = documents !== acted && (await countOf(page.locator(CHANGING))) === 0
    if (isFinal) return undefined
    await Promise.race([sees(), passage.opensDocument(), stir.rests(settleMs)])
    if (await isSeen()) return sightOf(looking)
    if (passage.documents() === documents) return undefined
  }
}

const sightOf = async ({ page, recipe }: Looking): Promise<Sight | undefined> => {
  const shown = codeOn(page, recipe.code)
  if ((await countOf(shown)) > 0) {
    const code = await textOf(shown.first())
    if (code !== '') return { code }
  }
  for (const [index, { when }] of recipe.pages.entries())
    if ((await countOf(pageOf(page, when))) > 0) return { index }
  return undefined
}

/** What stands in an element, or in a field. */
interface Told {
  readonly value?: unknown
  readonly textContent: string | null
}

const textOf = async (locator: Locator): Promise<string> => {
  const text = await locator.evaluate((element: Told) =>
    typeof element.value === 'string' ? element.value : (element.textContent ?? ''),
  )
  return text.trim()
}

interface Markable {
  setAttribute(name: string, value: string): void
}

/** Marks all that the recipe knows of on the page, before the customer acts on it. */
export const markActed = async ({ page, recipe }: Looking): Promise<void> => {
  for (const { when } of recipe.pages)
    await page.locator(when).evaluateAll((elements: readonly Markable[], mark) => {
      for (const element of elements) element.setAttribute(mark, '')
    }, ACTED)
}
