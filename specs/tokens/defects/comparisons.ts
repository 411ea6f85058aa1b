/** Wrong ways to compare a value of a request with the right one. */

export type Comparison = (given: string, right: string) => boolean

export const isCut: Comparison = (given, right) => given !== '' && right.startsWith(given)
export const isLonger: Comparison = (given, right) => given.startsWith(right)
export const isInAnyCase: Comparison = (given, right) => given.toLowerCase() === right.toLowerCase()

/** Whether a text differs from the right one by the case of one letter. */
export const isRecasedOnce: Comparison = (given, right) =>
  isInAnyCase(given, right) &&
  Array.from(right).filter((letter, at) => letter !== given.charAt(at)).length === 1

export const beginsAlike =
  (length: number): Comparison =>
  (given, right) =>
    given.slice(0, length) === right.slice(0, length)

/** Finds the value that an unknown one stands for. */
export type Search = (given: string, known: readonly string[]) => string | undefined

export const like =
  (isLike: Comparison): Search =>
  (given, known) =>
    known.find((right) => isLike(given, right))

export const last: Search = (_, known) => known.at(-1)
