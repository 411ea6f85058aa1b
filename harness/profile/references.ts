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

/** A problem for each item with the value of an earlier one. The values are not shown: they may come from the environment. */
export const duplicates = <Key extends string>(
  list: string,
  items: readonly Readonly<Record<Key, string>>[],
  keys: readonly Key[],
): readonly string[] =>
  keys.flatMap((key) =>
    items.flatMap((item, at) => {
      const first = items.findIndex((other) => other[key] === item[key])
      return problemIf(
        first < at,
        `\`${list}.${at}.${key}\` is the same as \`${list}.${first}.${key}\`; each needs its own`,
      )
    }),
  )
