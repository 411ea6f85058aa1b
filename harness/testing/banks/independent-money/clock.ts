import { has } from './ways.ts'

/** The time of the bank: that of the machine plus an offset. */
export class Clock {
  #offset = 0

  now(): number {
    return Date.now() + this.#offset
  }

  advance(milliseconds: number): void {
    this.#offset += Math.max(0, milliseconds)
  }
}

/** A time with milliseconds and the offset +13:00. */
export function stamp(moment: number): string {
  if (has('fine-time')) return new Date(moment).toISOString().replace('Z', '000+00:00')
  return `${new Date(moment + 13 * 3_600_000).toISOString().slice(0, -1)}+13:00`
}
