import type { Exchange, RuleChange, Variation } from '../defect.ts'
import type { Rules } from '../rules.ts'

/** One bank with the changes of several variations. */

const applied = (rules: Rules, change: RuleChange | undefined): Rules =>
  change === undefined
    ? rules
    : (Object.assign(Object.create(rules), typeof change === 'function' ? change(rules) : change) as Rules)

/** The replaced rules of all changes. A later change gets the rules of the earlier ones as its conforming bank. */
const rulesOfAll =
  (variations: readonly Variation[]) =>
  (conforming: Rules): Partial<Rules> => {
    const all = variations.reduce((rules, { rules: change }) => applied(rules, change), conforming)
    const replaced: Record<string, unknown> = {}
    for (let layer: object = all; layer !== conforming; layer = Object.getPrototypeOf(layer) as object)
      for (const [name, rule] of Object.entries(layer)) replaced[name] ??= rule
    return replaced
  }

/** No other change can read a compressed body. */
const isCompression = ({ id }: Variation): boolean => id === 'bodies-are-compressed-with-gzip'

/**
 * Combines variations into one.
 * @param variations without conflicts, in the order in which they are applied.
 */
export const combine = (id: string, variations: readonly Variation[]): Variation => {
  const wires = [
    ...variations.filter((variation) => !isCompression(variation)),
    ...variations.filter(isCompression),
  ].flatMap(({ wire }) => (wire === undefined ? [] : [wire]))
  const server = Object.assign({}, ...variations.map((variation) => variation.server)) as object
  return {
    id,
    title: variations.map(({ title }) => title).join('; '),
    rules: rulesOfAll(variations),
    wire: (next: Exchange) => wires.reduce((exchange, wire) => wire(exchange), next),
    server,
    neverOccurs: variations.flatMap(({ neverOccurs = [] }) => neverOccurs),
  }
}
