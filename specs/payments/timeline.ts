import type { ObservedExchange } from '../../harness/check/index.ts'
import { isSuccess, recordIn } from './records.ts'

const UNITS = [
  [24 * 60 * 60 * 1000, 'd'],
  [60 * 60 * 1000, 'h'],
  [60 * 1000, 'min'],
  [1000, 's'],
] as const

export const distance = (ms: number): string => {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? UNITS[3]
  return `${Math.round(ms / size)} ${unit}`
}

/** `ACTC, ACSP after 1 s, ACSC after 1 min`: when each status of a payment was first seen. */
export const timelineOf = (answers: readonly ObservedExchange[]): string => {
  const [first] = answers
  const moves: string[] = []
  let known: unknown
  for (const answer of answers.filter(isSuccess)) {
    const { value } = recordIn(answer).status
    if (value === known) continue
    known = value
    const ms = answer.sentAt.getTime() - (first ?? answer).sentAt.getTime()
    moves.push(moves.length === 0 ? String(value) : `${String(value)} after ${distance(ms)}`)
  }
  return moves.join(', ')
}
