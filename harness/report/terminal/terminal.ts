import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { idRanges, plural } from '../../plan/lists.ts'
import { running } from '../../plan/plan.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { annotationsOf, isAnnotated } from '../annotations.ts'
import { shownFolder } from '../run-folder.ts'
import { onOneLine, printable, type RunObserver } from '../run-observer.ts'
import { NOT_SHOWN } from '../../profile/mismatch/mismatch.ts'
import { DEFAULT_WIDTH, renderFailure, showCommand, type BlockStyle } from './failure.ts'
import { renderConclusion, renderOverview } from './summary.ts'
import { writeCommand } from './output.ts'
import { startProgress, type Progress } from './progress.ts'
import { colorsFor, folded, paragraph, PLAIN, widthOf, type Screen } from './text.ts'
import { idsOf, unjudgedGroups, type UnjudgedGroup } from './unjudged.ts'
import { checksWith, type CheckOf } from '../rows.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Report } from '../schema.ts'

/** Verdicts that are shown check by check: the failures last. What was not judged is shown by cause. */
const SHOWN: readonly Verdict[] = ['warn', 'harness-error', 'fail']
const SCREENS = 10
const LINES_OF_A_BLOCK = 6
const DEFAULT_ROWS = 24
const IDS_PER_LINE = 4

/** A terminal shows about ten screens; a pipe or a log shows everything. */
const mostBlocks = ({ isTTY, rows = DEFAULT_ROWS }: Screen): number =>
  isTTY === true ? Math.ceil((SCREENS * rows) / LINES_OF_A_BLOCK) : Number.POSITIVE_INFINITY

const renderRest = (rest: readonly CheckOf[], file: string): string => {
  const ids = [...new Set(rest.map(({ requirement, check }) => `${requirement.id} (${check.verdict})`))]
  const rows = Array.from({ length: Math.ceil(ids.length / IDS_PER_LINE) }, (_, at) =>
    ids.slice(at * IDS_PER_LINE, (at + 1) * IDS_PER_LINE).join('  '),
  )
  return [`… and ${rest.length} more, all in ${file}:`, ...rows.map((row) => `  ${row}`)].join('\n')
}

/** Checks that were not judged for one cause; a single one in full. */
const renderUnjudged = (
  group: UnjudgedGroup,
  renderOne: (finding: CheckOf) => string,
  { width = DEFAULT_WIDTH, colors = PLAIN }: BlockStyle,
): string => {
  const [first, ...others] = group.findings
  if (others.length === 0) return renderOne(first)
  const { exchanges } = first.check
  const last = exchanges.at(-1)
  return [
    colors.yellow(`? ${group.findings.length} checks are ${group.verdict}`),
    ...paragraph('    cause         ', onOneLine(group.because), width),
    ...(last === undefined ? [] : [`    exchange      ${last}`]),
    ...paragraph('    requirements  ', idRanges(idsOf(group)).join(', '), width),
    `    reproduce     ${first.check.reproduce}`,
  ].join('\n')
}

/** Where the value of a key is from: the customer or application, and the environment variable. */
export type OriginOf = (key: string) => string | undefined

/** The keys of the profile that do not fit the target, the received values and the next step; undefined if all fit. */
export const renderBindings = (
  { bindings = [] }: Report,
  out: string,
  { width = DEFAULT_WIDTH, colors = PLAIN }: BlockStyle = {},
  originOf: OriginOf = () => undefined,
): string | undefined => {
  if (bindings.length === 0) return undefined
  return [
    colors.yellow(`the profile does not fit the target in ${plural(bindings.length, 'place')}`),
    ...bindings.flatMap(({ key, bound, expected, shown, exchange, requirements }) => {
      const origin = originOf(key)
      const wrong = bound === NOT_SHOWN ? '' : `"${bound}": no ${expected} there; `
      return [
        `  ${colors.bold(key)}`,
        ...(origin === undefined ? [] : paragraph('      of           ', onOneLine(origin), width)),
        ...paragraph('      received     ', onOneLine(`${wrong}${shown}`), width),
        `      exchange     ${showCommand(exchange, out)}`,
        ...paragraph('      not judged   ', idRanges(requirements).join(', '), width),
      ]
    }),
    '  next: correct the value in the profile or the variable, and run again',
  ].join('\n')
}

/** The terminal: progress during the run, then an overview, the findings and the conclusion. */
export const createTerminal = (out: string, originOf?: OriginOf): RunObserver => {
  let progress: Progress | undefined
  const blocksOf = (report: Report, style: BlockStyle): readonly string[] => {
    const evidence = createEvidenceReader(join(out, OUTPUT.evidence))
    const found = checksWith(report, ...SHOWN)
    const most = mostBlocks(process.stdout)
    const rest = found.slice(0, -most)
    const shown = shownFolder(out)
    const bindings = renderBindings(report, shown, style, originOf)
    const renderOne = ({ requirement, check }: CheckOf): string =>
      renderFailure(requirement, check, evidence, shown, style)
    return [
      ...unjudgedGroups(report).map((group) => renderUnjudged(group, renderOne, style)),
      ...(rest.length > 0 ? [renderRest(rest, join(out, OUTPUT.report))] : []),
      ...found.slice(-most).map(renderOne),
      ...(bindings === undefined ? [] : [bindings]),
    ]
  }
  return {
    onStart(plan, lastsMs) {
      progress = startProgress({ checks: running(plan), lastsMs })
    },
    onResult: (result) => progress?.ended(result),
    onWait(notice) {
      progress?.waits(notice)
      if (notice.anew !== undefined)
        progress?.above(printable(`${notice.scenario} is begun anew: ${notice.anew}`))
    },
    onStep: (what) => progress?.step(what),
    onWarning(sentence) {
      const lines = folded(printable(sentence), widthOf(process.stderr))
      if (progress === undefined) console.error(lines)
      else progress.above(lines)
    },
    pauseOutput: () => progress?.pause() ?? (() => undefined),
    onReport(report) {
      progress?.stop()
      const colors = colorsFor(process.stdout)
      const width = widthOf(process.stdout)
      const isThere = (name: string): boolean => existsSync(join(out, name))
      const style = { out, colors, width, isThere }
      const overview = renderOverview(report, style)
      for (const block of overview === '' ? [] : [overview, ...blocksOf(report, style)])
        console.log(`${block}\n`)
      if (isAnnotated(process.env)) for (const line of annotationsOf(report)) writeCommand(line)
      console.log(renderConclusion(report, style))
    },
  }
}
