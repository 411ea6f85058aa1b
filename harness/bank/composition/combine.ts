import { both } from '../changes/change.ts'
import type { Variation } from '../defect.ts'

/** No other change can read a compressed body. */
const isCompression = ({ id }: Variation): boolean => id === 'bodies-are-compressed-with-gzip'

/**
 * One bank with the changes of several variations.
 * @param variations without conflicts, in the order in which they are applied.
 */
export const combine = (id: string, variations: readonly Variation[]): Variation => {
  const ordered = [
    ...variations.filter((variation) => !isCompression(variation)),
    ...variations.filter(isCompression),
  ]
  return {
    ...both(...ordered.map((variation) => () => variation))([]),
    id,
    title: variations.map(({ title }) => title).join('; '),
    server: Object.assign({}, ...variations.map(({ server }) => server)) as object,
    neverOccurs: variations.flatMap(({ neverOccurs = [] }) => neverOccurs),
  }
}
