import { has } from './ways.ts'

/** The bank's own time: that of the machine, and as much as it was moved on. */
export class Clock {
  #ahead = 0

  now(): number {
    return Date.now() + this.#ahead
  }

  moveOn(milliseconds: number): void {
    this.#ahead += Math.max(0, milliseconds)
  }
}

/** A moment as people at longitude 190 write it: with milliseconds, and thirteen hours ahead of UTC. */
export function stamp(moment: number): string {
  if (has('fine-time')) return new Date(moment).toISOString().replace('Z', '000+00:00')
  return `${new Date(moment + 13 * 3_600_000).toISOString().slice(0, -1)}+13:00`
}
