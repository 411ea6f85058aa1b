import { matches } from '../bank/composition/conflicts.ts'
import type { Defect, Variation } from '../bank/defect.ts'

/** Which variations a composed bank must not have, so that a defect of it can be observed. */

interface Hiding {
  /** Ids of variations or dialects; with `*` at the end, the beginning of ids. */
  readonly variations: readonly [string, ...string[]]
  /** Ids of defects, or of requirements that a defect breaks. */
  readonly defects: readonly [string, ...string[]]
  readonly reason: string
}

/** What does not follow from `neverOccurs` of a variation. */
export const HIDING: readonly Hiding[] = [
  {
    variations: ['result-always-shown', 'grant-shown-denial-sent'],
    defects: ['AUT-01', 'AUT-32', 'AUT-34', 'AUT-36'],
    reason: 'The defect is in a redirect with a code, and this bank sends none.',
  },
  {
    variations: ['result-always-shown', 'errors-shown'],
    defects: ['AUT-12', 'AUT-13'],
    reason: 'A refusal that is shown leaves open whether the page is one of the flow: the run is incomplete.',
  },
  {
    variations: ['scope-without-its-consent'],
    defects: ['AUT-14'],
    reason: 'The stated scope is without the unknown word, which is lawful.',
  },
  {
    variations: ['one-page'],
    defects: ['AUT-18'],
    reason: 'The customer denies before the login, so that nothing can be granted.',
  },
  {
    variations: ['compact', 'nested', 'generated-*', 'pretty-printed'],
    defects: ['TOK-12', 'TOK-14'],
    reason: 'A body is written anew, with its media type and each member once.',
  },
]

type Shown = Pick<Variation, 'id' | 'neverOccurs'>

/** Whether a defect may have no effect in a bank with this variation, or may be lawful there. */
export const isHiddenBy = (
  { id, breaks, wire }: Pick<Defect, 'id' | 'breaks' | 'wire'>,
  { id: variation, neverOccurs = [] }: Shown,
): boolean => {
  const names = [id, ...breaks.map((row) => row.id)]
  const isNamed = (ids: readonly string[]): boolean => names.some((name) => ids.includes(name))
  // A defect in HTTP messages cannot read a compressed body.
  if (variation === 'gzipped' && wire !== undefined) return true
  return (
    isNamed(neverOccurs) ||
    HIDING.some(
      ({ variations, defects }) =>
        variations.some((pattern) => matches(variation, pattern)) && isNamed(defects),
    )
  )
}
