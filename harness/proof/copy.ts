/** Copies of what a rule is told and answers, for the time when it is asked again. */

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
    if (error instanceof NoCopy) return UNREPEATABLE
    throw error
  }
}

class NoCopy extends Error {}

const copied = (value: unknown): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') throw new NoCopy()
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof Date) return new Date(value)
  if (value instanceof URLSearchParams) return new URLSearchParams(value)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copied(item)]))
  if (value instanceof Set) return new Set([...value].map(copied))
  if (!isPlain(value)) throw new NoCopy()
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item)]))
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
