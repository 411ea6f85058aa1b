/** Tables of defects and of variations. The sentence is the key, and the id is made of it. */
import { when, type AnyChange, type Change } from './change.ts'
import type { Defect, Variation } from '../defect.ts'

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

export type Entries = Readonly<Record<string, AnyChange | readonly Placed[]>>

const namedChanges = (entries: Entries): readonly (readonly [sentence: string, change: AnyChange])[] =>
  Object.entries(entries).flatMap(([sentence, change]) =>
    typeof change === 'function'
      ? [[sentence, change] as const]
      : change.map((placed) => [`${sentence} ${placed.words}`.trimEnd(), placed.change] as const),
  )

/** Requirements; those of other chapters are given by their ids. */
export type Breaks = readonly ({ readonly id: string } | string)[]

/** Defects that break the same requirements. */
export const defectsOf = (breaks: Breaks, entries: Entries): readonly Defect[] =>
  namedChanges(entries).map(([sentence, change]) => ({
    id: idOf(sentence),
    title: sentence,
    breaks: breaks.map((row) => (typeof row === 'string' ? { id: row } : row)),
    ...change([]),
  }))

/**
 * Tables of defects that are all limited to such calls; `words` follow each sentence:
 * `const ofDetails = defectsIn(isFor('account', 'first'))`, and then `ofDetails([ROWS…], {…})`.
 */
export const defectsIn =
  (condition: (facts: never) => boolean, words = '') =>
  (breaks: Breaks, entries: Entries): readonly Defect[] =>
    defectsOf(
      breaks,
      Object.fromEntries(
        namedChanges(entries).map(([sentence, change]) => [
          `${sentence} ${words}`.trimEnd(),
          when(condition, change as Change<never>),
        ]),
      ),
    )

/** Permitted variations. @param options `neverOccurs`: requirements on behaviour that does not occur at banks with them. */
export const variationsOf = (
  entries: Entries,
  options: Pick<Variation, 'neverOccurs'> = {},
): readonly Variation[] =>
  namedChanges(entries).map(([sentence, change]) => ({
    id: idOf(sentence),
    title: sentence,
    ...options,
    ...change([]),
  }))
