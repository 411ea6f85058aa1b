import { isDeepStrictEqual } from 'node:util'

/**
 * Copies and compares the facts and answers of a rule, so that a recorded call can be replayed. A proof makes millions of
 * copies; for speed, plain objects and lists are handled here and not by structuredClone.
 */

/** Stands for a value that cannot be copied; a call with it cannot be replayed. */
export const UNREPEATABLE = Symbol('unrepeatable')

/**
 * A copy that no other code can change. A frozen value is not copied: the bank's customers and their transactions are
 * large, and the same for all banks.
 */
export const copyOf = (value: unknown): unknown => {
  try {
    return copied(value)
  } catch (error) {
    if (error === NO_COPY) return UNREPEATABLE
    throw error
  }
}

/** Created once: its stack is never read. */
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

/** Whether both are deeply equal; the order of members does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  if (isPlain(one)) return areMembersSame(one, other as Members)
  if (Array.isArray(one)) return areItemsSame(one, other as readonly unknown[])
  if (one instanceof Date) return Object.is(one.getTime(), (other as Date).getTime())
  // Node's deep comparison does not see the content of URLSearchParams.
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
