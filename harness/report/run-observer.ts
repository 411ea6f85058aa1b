import type { CheckResult } from '../check/result.ts'
import type { WaitNotice } from '../evidence/signals.ts'
import type { Plan } from '../plan/plan.ts'
import type { Report } from './schema.ts'

/** Is notified of the progress of a run. */
export interface RunObserver {
  /** @param lastsMs about how long the run takes, if it waits and that is known */
  onStart(plan: Plan, lastsMs?: number): void
  onResult(result: CheckResult): void
  onWarning(sentence: string): void
  /** Keeps the terminal free for a question to a person, until the returned function is called. */
  pauseOutput?(): () => void
  /** A scenario starts to wait, or continues; optional, since each notice crosses processes. */
  onWait?(notice: WaitNotice): void
  /** What follows the scenarios and takes seconds begins, in words: `judging all answers of the run`. */
  onStep?(what: string): void
  /** The report is written; the pages follow. */
  onReport?(report: Report): void
}

/** Control characters, halves of surrogate pairs, marks that reorder text, and what XML cannot carry. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu

const KEPT: ReadonlySet<string> = new Set(['\n', '\t'])

/** The code of a UTF-16 unit, as JSON has it: what is printed as JSON stays JSON. */
export const codeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Text of a target, safe for a terminal, XML and Markdown: characters that could move the cursor, reverse a line or break
 * a document are written as their codes.
 */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (mark) => (KEPT.has(mark) ? mark : codeOf(mark)))

export const onOneLine = (text: string): string => printable(text.replaceAll(/\s*[\r\n]\s*/g, ' '))

/**
 * A quote as text. The interface is partly written in tables: `| token_type | string | Value Bearer. |` reads as
 * `token_type · string · Value Bearer.`, and a heading without its marks.
 */
export const plainQuote = (quote: string): string => {
  const line = onOneLine(quote).replace(/^#+ /, '')
  if (!/^\s*\||\s\|\s/.test(line)) return line
  return line
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')
}

/** Text for SVG and HTML, on one line. */
export const escapeMarkup = (text: string): string =>
  onOneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Text for Markdown, with all punctuation escaped. */
export const escapeMarkdown = (text: string): string =>
  onOneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, (mark) => `\\${mark}`)

/** A code span around any text: its fence is longer than any run of backticks in it. */
export const codeSpan = (text: string): string => {
  const longest = Math.max(0, ...(onOneLine(text).match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${onOneLine(text)} ${fence}`
}
