import { nearest } from './nearest.ts'
import { isObject, type Members } from '../evidence/json.ts'

export type Values = Readonly<Record<string, unknown>>

/**
 * Replaces the placeholders of the template. A text that is only `{name}` becomes the value, of any type;
 * if that is undefined, its member is left out.
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

/** Replaces the placeholders of a selector, within its quoted strings. */
export const fillSelector = (
  selector: string,
  values: Readonly<Record<string, string | undefined>>,
): string =>
  selector.replaceAll(/\{(\w+)\}/g, (text, name: string) =>
    (values[name] ?? text).replaceAll(/["\\]/g, (character) => `\\${character}`),
  )

/** A JSON merge patch (RFC 7396): null removes a member. An object whose names are places changes these items of a list. */
export const merge = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const isOfItems = Array.isArray(target) && Object.keys(patch).every((name) => /^\d+$/.test(name))
  const merged: Record<string, unknown> = { ...((isOfItems || isObject(target)) && (target as Members)) }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, name)
    else merged[name] = merge(merged[name], value)
  }
  return isOfItems ? Object.values(merged) : merged
}

/** Merges both at any depth; here null is a value. */
export const joined = (one: Members, other: Members): Members => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, value]) => {
      const known = one[name]
      return [name, isObject(known) && isObject(value) ? joined(known, value) : value]
    }),
  ),
})

/** An object with only this value, at a dotted path. */
export const nested = (path: string, value: unknown): Members => {
  const dot = path.indexOf('.')
  return dot === -1 ? { [path]: value } : { [path.slice(0, dot)]: nested(path.slice(dot + 1), value) }
}

const HUNDREDTHS = 100

/** The placeholders of one amount: a number, a text with two decimals, and hundredths as a whole number and as a text. */
export const amountForms = <Name extends string>(name: Name) =>
  [name, `${name}Text`, `${name}Minor`, `${name}MinorText`] as const

export const AMOUNT_FORMS = amountForms('amount')

export const isAmount = (name: string): boolean => AMOUNT_FORMS.some((form) => form === name)

/** Whether a body has the amount, in any form. */
export const passesOnAmount = (body: unknown, name = 'amount'): boolean =>
  placeholdersOf(body).some((used) => amountForms(name).includes(used.name))

/** Adds an amount in all forms for bodies; a value that is not a number is used unchanged. @param name its placeholder */
export const withOtherAmounts = (values: Values, name = 'amount'): Values => {
  const value = values[name]
  const [, text, minor, minorText] = amountForms(name)
  if (typeof value !== 'number') return { ...values, [text]: value, [minor]: value, [minorText]: value }
  const hundredths = Math.round(value * HUNDREDTHS)
  return { ...values, [text]: value.toFixed(2), [minor]: hundredths, [minorText]: String(hundredths) }
}

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

/** Every placeholder in a text, a list or an object, with its path. */
export const placeholdersOf = (value: unknown, at: readonly string[] = []): readonly Placeholder[] => {
  if (typeof value === 'string')
    return [...value.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => ({ at, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placeholdersOf(inner, [...at, key]))
}
