/** How plans and reports count and group what they list, and shorten lists of ids. */

/** `1 check`, `3 checks`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The groups are in the order of their first items. */
export const groupBy = <Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly [Item, ...Item[]]> => {
  const groups = new Map<Key, [Item, ...Item[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Each item that occurs more than once. */
export const repeated = (items: readonly string[]): readonly string[] => [
  ...new Set(items.filter((item, at) => items.indexOf(item) < at)),
]

const prefixOf = (id: string): string => id.replace(/\d+$/, '')
const numberOf = (id: string): number => Number(/\d+$/.exec(id)?.[0])

/** `ACC-01 … ACC-22`, `TRX-03`: three and more consecutive ids are a range. */
export const idRanges = (ids: Iterable<string>): readonly string[] =>
  [...groupBy(new Set(ids), prefixOf).values()].flatMap((own) => {
    const runs: [string, ...string[]][] = []
    for (const id of own.toSorted((one, other) => numberOf(one) - numberOf(other))) {
      const run = runs.at(-1)
      if (run !== undefined && numberOf(id) === numberOf(run.at(-1) ?? '') + 1) run.push(id)
      else runs.push([id])
    }
    return runs.flatMap((run) => (run.length < 3 ? run : [`${run[0]} … ${run.at(-1) ?? ''}`]))
  })
