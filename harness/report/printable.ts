/** Control characters, halves of surrogate pairs, marks that reorder text, and what XML cannot carry. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu

const KEPT: ReadonlySet<string> = new Set(['\n', '\t'])

/**
 * Text of a target, fit for a terminal, for XML and for Markdown: what could move a cursor, reverse a line or break a
 * document is written as its code, so that nothing is lost and nothing is obeyed.
 */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (mark) =>
    KEPT.has(mark) ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  )

/** The same on one line. */
export const onOneLine = (text: string): string => printable(text.replaceAll(/\s*[\r\n]\s*/g, ' '))
