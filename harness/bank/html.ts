import { html as asWritten } from 'hono/html'

/** The markup of the bank's pages. */

/** Markup whose values are escaped already. */
export type Html = ReturnType<typeof asWritten>

const packed = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/**
 * Lines are broken in a source for whoever reads the source. Whoever reads a page would have to go through as many
 * blanks as there is text: between two tags nothing is left of them, elsewhere, and beside a value, a space.
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

/** A template of markup: what stands in it is escaped, but for markup. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Html =>
  asWritten(packedOf(parts), ...values)
