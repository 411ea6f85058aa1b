import { onOneLine } from '../printable.ts'

/** Text that stays text: nothing in it becomes a link, an image, markup or a reference. */
export const escapeMarkdown = (text: string): string =>
  onOneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, (mark) => `\\${mark}`)

/** A code span around any text: its fence is longer than any run of backticks in it. */
export const codeSpan = (text: string): string => {
  const longest = Math.max(0, ...(onOneLine(text).match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${onOneLine(text)} ${fence}`
}
