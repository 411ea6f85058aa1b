import { isDeepStrictEqual } from 'node:util'

/**
 * Copies of what a rule is told and answers, for the time when it is asked again, and whether two of them are the same.
 * A proof makes millions of both: what most facts are made of, plain objects and lists, is gone through here.
 */

/** Stands for what cannot be copied; a question about it cannot be asked again. */
export const UNREPEATABLE = Symbol('unrepeatable')

/**
 * A copy that nobody else alters. What is frozen is taken as it is: the bank's residents and their histories are the
 * same for all banks, and large.
 */
export const copyOf = (value: unknown): unknown => {
  try {
    return copied(value)
  } catch (error) {
    if (error === NO_COPY) return UNREPEATABLE
    throw error
  }
}

/** One for all: nobody asks where it was thrown. */
const NO_COPY = new Error('this cannot be copied')

const copied = (value: unknown): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') throw NO_COPY
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (isPlain(value)) return membersCopied(value)
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof Date) return new Date(value)
  if (value instanceof URLSearchParams) return new URLSearchParams(value)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copied(item)]))
  if (value instanceof Set) return new Set([...value].map(copied))
  throw NO_COPY
}

type Members = Record<string, unknown>

const membersCopied = (value: object): Members => {
  const copy = Object.assign({}, value) as Members
  for (const key of Object.keys(copy)) {
    const member = copy[key]
    if (!isSimple(member)) copy[key] = copied(member)
  }
  return copy
}

const isSimple = (value: unknown): boolean => {
  const type = typeof value
  return type === 'string' || type === 'boolean' || type === 'number' || type === 'undefined'
}

const isPlain = (value: object): value is Members => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Whether both are the same through and through, whatever the order of their members. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  if (isPlain(one)) return areMembersSame(one, other as Members)
  if (Array.isArray(one)) return areItemsSame(one, other as readonly unknown[])
  if (one instanceof Date) return Object.is(one.getTime(), (other as Date).getTime())
  // To Node all queries are the same: what they hold is private to them.
  if (one instanceof URLSearchParams && other instanceof URLSearchParams)
    return one.toString() === other.toString()
  return isDeepStrictEqual(one, other)
}

const areItemsSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => isSame(item, other[at]))

const areMembersSame = (one: Members, other: Members): boolean => {
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isSame(one[key], other[key]) && Object.hasOwn(other, key))
  )
}
