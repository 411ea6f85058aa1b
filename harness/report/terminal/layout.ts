/** Columns and line breaks for the terminal; widths are counted in characters. */

export const lengthOf = (text: string): number => Array.from(text).length

export const pad = (text: string, width: number): string => text + blanks(width - lengthOf(text))

export const blanks = (count: number): string => ' '.repeat(Math.max(0, count))

const pieces = (word: string, width: number): readonly string[] => {
  const characters = Array.from(word)
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, index) =>
    characters.slice(index * width, (index + 1) * width).join(''),
  )
}

/** Breaks text between words, and a word only where it is longer than a line. */
export const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = []
  let line = ''
  for (const piece of text.split(/\s+/).flatMap((word) => pieces(word, Math.max(1, width)))) {
    const longer = line === '' ? piece : `${line} ${piece}`
    if (lengthOf(longer) <= width) line = longer
    else {
      lines.push(line)
      line = piece
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** Cut to a width, with an ellipsis for what is missing. */
export const clip = (text: string, width: number): string =>
  lengthOf(text) <= width
    ? text
    : `${Array.from(text)
        .slice(0, width - 1)
        .join('')}…`
