/** Tables of defects and of variations. The sentence is the key, and the id is made of it. */
import type { AnyChange, Change } from './change.ts'
import type { Defect } from '../defect.ts'

/** The same change at several places; `words` follow its sentence. */
export interface Placed {
  readonly words: string
  readonly change: AnyChange
}

export type Place = readonly [words: string, at: <Facts>(change: Change<Facts>) => Change<Facts>]

/** `'The token_type is MAC': each([FOR_A_FAC, IN_PRODUCTION], …)` is two entries of a table. */
export const each = <Facts>(places: readonly Place[], change: Change<Facts>): readonly Placed[] =>
  places.map(([words, at]) => ({ words, change: at(change) }))

export const idOf = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

type Entries = Readonly<Record<string, AnyChange | readonly Placed[]>>

const namedChanges = (entries: Entries): readonly (readonly [sentence: string, change: AnyChange])[] =>
  Object.entries(entries).flatMap(([sentence, change]) =>
    typeof change === 'function'
      ? [[sentence, change] as const]
      : change.map((placed) => [`${sentence} ${placed.words}`.trimEnd(), placed.change] as const),
  )

/** Defects that break the same requirements; those of other chapters are given by their ids. */
export const defectsOf = (
  breaks: readonly ({ readonly id: string } | string)[],
  entries: Entries,
): readonly Defect[] =>
  namedChanges(entries).map(([sentence, change]) => ({
    id: idOf(sentence),
    story: sentence,
    breaks: breaks.map((row) => (typeof row === 'string' ? { id: row } : row)),
    ...change([]),
  }))
