/** Whether anything is under way in a page: requests that are being answered, documents that are being opened. */
export interface Stir {
  /** Something begins. Gives what tells that it is over; telling it twice does no harm. */
  begins(): () => void
  /** Resolves once nothing has been under way for so many ms. */
  rests(ms: number): Promise<void>
}

export const createStir = (): Stir => {
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
          if (underWay === 0) timer = setTimeout(done, ms)
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
