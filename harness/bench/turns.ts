import { rotated } from './statistics.ts'

/** Whole processes that are held against one another. */

export type Tell = (what: string) => void

/** They take turns: in every round each runs once, and each round another is the first. Gives their times, in ms. */
export const takeTurns = async <Name extends string>(
  entrants: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
  tell: Tell,
): Promise<Readonly<Record<Name, readonly number[]>>> => {
  const names = Object.keys(entrants) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1)
    for (const name of rotated(names, round)) {
      tell(`round ${round + 1} of ${rounds}: ${name}`)
      times[name].push(await entrants[name]())
    }
  return times
}
