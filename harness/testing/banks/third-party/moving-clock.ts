/** Moves the time of this process: all its code calls `Date.now` or `new Date()`. */
export interface MovingClock {
  advance(ms: number): void
}

export const installMovingClock = (): MovingClock => {
  const Wall = Date
  let offset = 0
  globalThis.Date = new Proxy(Wall, {
    construct: (target, values: unknown[]) =>
      Reflect.construct(target, values.length === 0 ? [Wall.now() + offset] : values) as object,
    get: (target, name) =>
      name === 'now' ? () => Wall.now() + offset : (Reflect.get(target, name) as unknown),
  })
  return {
    advance(ms) {
      offset += ms
    },
  }
}
