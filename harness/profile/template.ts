import { nearest } from './nearest.ts'

/** The body of an order, from the template of the profile. */

export type Values = Readonly<Record<string, unknown>>
export type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The template with values in the place of its placeholders. `{name}` alone takes the value as it is, of whatever type;
 * where that is undefined, its member is left out.
 */
export const fill = (template: unknown, values: Values): unknown => {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item) => fill(item, values))
  if (!isObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, fill(item, values)]))
}

const fillText = (template: string, values: Values): unknown => {
  const whole = /^\{(\w+)\}$/.exec(template)?.[1]
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole]
  return template.replaceAll(/\{(\w+)\}/g, (text, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : text,
  )
}

/** A JSON merge patch (RFC 7396): null removes a member. */
export const merge = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const merged = { ...(isObject(target) && target) }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, name)
    else merged[name] = merge(merged[name], value)
  }
  return merged
}

/** Both, one member after the other, at whatever depth: null is a value here. */
export const joined = (one: Members, other: Members): Members => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, value]) => {
      const known = one[name]
      return [name, isObject(known) && isObject(value) ? joined(known, value) : value]
    }),
  ),
})

/** An object that has nothing but this value, under a dotted path. */
export const nested = (path: string, value: unknown): Members =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Members

const HUNDREDTHS = 100

/** The amount in every way in which a body may carry it; what is none is carried as it is. */
export const withOtherAmounts = (values: Values): Values => {
  const { amount } = values
  if (typeof amount !== 'number')
    return { ...values, amountText: amount, amountMinor: amount, amountMinorText: amount }
  const amountMinor = Math.round(amount * HUNDREDTHS)
  return { ...values, amountText: amount.toFixed(2), amountMinor, amountMinorText: String(amountMinor) }
}

/** A complaint for each {placeholder} in the texts of a value that nothing is put in place of. */
export const unknownPlaceholders = (
  key: string,
  value: unknown,
  known: readonly string[],
): readonly string[] =>
  placeholdersOf(value).flatMap(({ at, name }) =>
    known.includes(name) ? [] : [complain([key, ...at].join('.'), name, known)],
  )

const complain = (key: string, name: string, known: readonly string[]): string => {
  const near = nearest(name, known)
  const names = known.map((each) => `{${each}}`).join(', ')
  const advice =
    near !== undefined
      ? `did you mean {${near}}?`
      : known.length === 0
        ? 'nothing is put in place of it'
        : `known here: ${names}`
  return `\`${key}\` has the unknown placeholder {${name}}; ${advice}`
}

interface Placeholder {
  readonly at: readonly string[]
  readonly name: string
}

/** Every placeholder in a text, a list or an object, with its place. */
export const placeholdersOf = (value: unknown, at: readonly string[] = []): readonly Placeholder[] => {
  if (typeof value === 'string')
    return [...value.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => ({ at, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placeholdersOf(inner, [...at, key]))
}
