/**
 * Why a file gives no profile, with the place if there is one. It says nothing of what stands in the file: that may be
 * a secret.
 */
export class FileFault extends Error {
  override readonly name = 'FileFault'

  constructor(what: string, place?: Place) {
    super(place === undefined ? what : `${what} (line ${place.line}, column ${place.column})`)
  }
}

/** Both from 1 on. */
export interface Place {
  readonly line: number
  readonly column: number
}

export const placeAt = (text: string, offset: number): Place => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
