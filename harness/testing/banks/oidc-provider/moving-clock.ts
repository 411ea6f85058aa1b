/** Moves the time of this process: all its code calls `Date.now`. */
export interface MovingClock {
  advance(ms: number): void
}

export const installMovingClock = (): MovingClock => {
  const wall = Date.now.bind(Date)
  let offset = 0
  Date.now = () => wall() + offset
  return {
    advance(ms) {
      offset += ms
    },
  }
}
