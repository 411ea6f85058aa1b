/** How a bank spells the names of its header fields: case does not matter in them (RFC 9110 §5.1). */
export type HeaderCase = 'title' | 'upper'

/** A name in lower case, spelled Like-This or LIKE-THIS. */
export const spelled = (name: string, headerCase: HeaderCase): string =>
  headerCase === 'upper' ? name.toUpperCase() : name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
