import { onOneLine } from '../printable.ts'
import { OUTPUT } from '../output.ts'
import { PLAIN } from './colors.ts'
import { blanks, clip, wrap } from './layout.ts'
import type { BindingReport } from '../bindings.ts'
import type { Report } from '../schema.ts'
import type { BlockStyle } from './failure.ts'

/** Where the profile does not fit the target, what came instead, and what to do: a block above the summary. */

const DEFAULT_WIDTH = 110
const INDENT = 2
const DEEPER = 6
const MOST = 12
const MOST_NAMED = 8

const named = (requirements: readonly string[]): string => {
  const rest = requirements.length - MOST_NAMED
  return requirements.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

const below = (text: string, width: number): readonly string[] =>
  wrap(onOneLine(text), width - DEEPER).map((line) => blanks(DEEPER) + line)

const linesOf = (
  { key, bound, expected, shown, exchange, requirements }: BindingReport,
  width: number,
  bold: (text: string) => string,
): readonly string[] => [
  `${blanks(INDENT)}${bold(key)}`,
  ...below(`"${bound}": no ${expected} there; ${shown}`, width),
  ...below(`exchange ${exchange}; not judged for it: ${named(requirements)}`, width),
]

const places = (count: number): string => (count === 1 ? '1 place' : `${count} places`)

/** Nothing where the profile fits. */
export const renderBindings = (
  { bindings = [] }: Report,
  out: string,
  { width = DEFAULT_WIDTH, colors = PLAIN }: BlockStyle = {},
): string | undefined => {
  if (bindings.length === 0) return undefined
  const rest = bindings.length - MOST
  return [
    colors.yellow(`the profile does not fit the target in ${places(bindings.length)}`),
    ...bindings.slice(0, MOST).flatMap((binding) => linesOf(binding, width, colors.bold)),
    ...(rest > 0 ? [`${blanks(INDENT)}… and ${rest} more, in ${OUTPUT.report}`] : []),
    ...wrap(
      `next: look at what came, in ${out}/${OUTPUT.evidence}; put the name or path that the target has into the profile; run again`,
      width - INDENT,
    ).map((line) => blanks(INDENT) + line),
  ].join('\n')
}

/** One line of the summary; none where the profile fits. */
export const bindingsLine = ({ bindings = [] }: Report, width: number): readonly string[] =>
  bindings.length === 0
    ? []
    : [
        clip(
          `the profile does not fit the target in ${places(bindings.length)}: ${bindings.map(({ key }) => key).join(', ')}`,
          width,
        ),
      ]
