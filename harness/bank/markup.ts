import { html as asWritten } from 'hono/html'

/** The markup of the bank's pages. */

/** Markup with escaped values. */
export type Html = ReturnType<typeof asWritten>

const packed = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/**
 * Removes the line breaks and indents of the source from a page: between two tags all white space, elsewhere all but one
 * space. Otherwise half of a page would be white space.
 */
const pack = (part: string): string =>
  part.replace(/\s*\n\s*/g, (blanks, at: number) => {
    const isBetweenTags = part[at - 1] === '>' && part[at + blanks.length] === '<'
    return isBetweenTags ? '' : ' '
  })

const packedOf = (parts: TemplateStringsArray): TemplateStringsArray => {
  const known = packed.get(parts) ?? Object.assign(parts.map(pack), { raw: parts.raw })
  packed.set(parts, known)
  return known
}

/** A template of markup: its values are escaped, except for markup. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Html =>
  asWritten(packedOf(parts), ...values)
