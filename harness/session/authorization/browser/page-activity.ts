import type { Page } from 'playwright-core'

/** Counts what is under way in a page: requests, and documents that are being opened. */
export interface Activity {
  /** Something begins. Returns a function that reports its end; further calls do nothing. */
  begins(): () => void
  /** Resolves when nothing has been under way for that many ms. */
  rests(ms: number): Promise<void>
}

export const trackActivity = (): Activity => {
  let underWay = 0
  const watching = new Set<() => void>()
  const changes = (by: number): void => {
    underWay += by
    for (const look of watching) look()
  }
  return {
    begins() {
      changes(1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        changes(-1)
      }
    },
    rests: (ms) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined
        const look = (): void => {
          clearTimeout(timer)
          if (underWay === 0) timer = setTimeout(done, ms).unref()
        }
        const done = (): void => {
          watching.delete(look)
          resolve()
        }
        watching.add(look)
        look()
      }),
  }
}

/** The documents that a page opens one after the other. */
export interface Documents {
  /** How many there were. A page that only redirects is not counted. */
  count(): number
  /** Resolves when the page opens the next one. */
  next(): Promise<void>
  /** The page requests another document. */
  isAskedFor(): void
  /**
   * The page received a document or a redirect. It is not at rest until it has opened it, or reached where it
   * leads.
   */
  isGiven(redirect: boolean): void
}

export const trackDocuments = (page: Page, activity: Activity): Documents => {
  let count = 0
  const waiting = new Set<() => void>()
  // The first document is opened by the first request.
  let given: { readonly over: () => void; readonly isRedirect: boolean } | undefined = {
    over: activity.begins(),
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
    isGiven: (isRedirect) => void (given = { over: activity.begins(), isRedirect }),
  }
}
