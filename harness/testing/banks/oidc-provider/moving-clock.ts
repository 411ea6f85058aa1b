/** The time of this process, moved at will: whatever runs in it asks `Date.now`. */
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
