import { nearest } from './nearest.ts'

export const problemIf = (isProblem: boolean, problem: string): readonly string[] =>
  isProblem ? [problem] : []

export const unknownReference = (
  key: string,
  name: string | undefined,
  list: string,
  items: readonly { readonly name: string }[],
): readonly string[] => {
  const names = items.map((item) => item.name)
  if (name === undefined || names.includes(name)) return []
  const near = nearest(name, names)
  const advice =
    near !== undefined
      ? `did you mean ${JSON.stringify(near)}?`
      : names.length === 0
        ? `\`${list}\` is empty; add it there`
        : `expected one of ${names.map((each) => JSON.stringify(each)).join(', ')}`
  return [`\`${key}\` names ${JSON.stringify(name)}, which \`${list}\` does not have; ${advice}`]
}

/** A problem for each entry with the value of an earlier one. The values are not shown: they may come from the environment. */
export const repeated = (
  entries: readonly (readonly [key: string, value: string])[],
  each = 'each needs its own',
): readonly string[] =>
  entries.flatMap(([key, value], at) => {
    const first = entries.findIndex(([, other]) => other === value)
    return problemIf(first < at, `\`${key}\` is the same as \`${entries[first]?.[0] ?? ''}\`; ${each}`)
  })

/** The same for items of a list. */
export const duplicates = <Key extends string>(
  list: string,
  items: readonly Readonly<Record<Key, string>>[],
  keys: readonly Key[],
): readonly string[] =>
  keys.flatMap((key) => repeated(items.map((item, at) => [`${list}.${at}.${key}`, item[key]])))
