import type { Page } from 'playwright-core'
import type { Stir } from './stir.ts'

/** The documents that a page opens, one after the other. */
export interface Documents {
  /** How many there have been. A page that only leads on is none. */
  count(): number
  /** Resolves when the page opens the next one. */
  next(): Promise<void>
  /** The page asks for another one. */
  isAskedFor(): void
  /** The page was given one, or a redirect: until it has opened that, or gone where that leads, it is not at rest. */
  isGiven(redirect: boolean): void
}

export const watchDocuments = (page: Page, stir: Stir): Documents => {
  let count = 0
  const waiting = new Set<() => void>()
  // What leads to the first document is its request.
  let given: { readonly over: () => void; readonly isRedirect: boolean } | undefined = {
    over: stir.begins(),
    isRedirect: true,
  }
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || given?.isRedirect === true) return
    count += 1
    given?.over()
    for (const tell of waiting) tell()
    waiting.clear()
  })
  return {
    count: () => count,
    next: () => new Promise((tell) => void waiting.add(tell)),
    isAskedFor() {
      given?.over()
      given = undefined
    },
    isGiven: (isRedirect) => void (given = { over: stir.begins(), isRedirect }),
  }
}
