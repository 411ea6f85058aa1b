import { existsSync } from 'node:fs'
import { join } from 'node:path'
import ora from 'ora'
import { OUTPUT } from '../../evidence/output.ts'
import { pageTitle, writeAllurePage } from '../allure/page.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { annotationsOf, isAnnotated } from '../job-summary.ts'
import { onOneLine, printable, type RunObserver } from '../run-observer.ts'
import { DEFAULT_WIDTH, renderFailure, type BlockStyle } from './failure.ts'
import { renderSummary } from './summary.ts'
import { clip, colorsFor, paragraph, PLAIN } from './text.ts'
import type { Ora } from 'ora'
import type { CheckResult } from '../../check/result.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { WaitNotice } from '../../evidence/signals.ts'
import type { CheckReport, Report, RequirementReport } from '../schema.ts'

interface Progress {
  ended(result: Pick<CheckResult, 'verdict' | 'title'>): void
  /** A scenario waits, or no longer waits. */
  waits(notice: WaitNotice): void
  /** Writes lines above the progress line. */
  above(text: string): void
  /** Removes the line, and keeps the text for above it, until the returned function is called. */
  pause(): () => void
  /** Removes the line. */
  stop(): void
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Shows no progress line, and writes text above it at once. */
const silentProgress = (stream: Output): Progress => ({
  ended: () => undefined,
  waits: () => undefined,
  above: (text) => void stream.write(`${text}\n`),
  pause: () => () => undefined,
  stop: () => undefined,
})

const WIDTH = 78

/** In the reader's time zone. */
const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/** The scenario that continues next, and when. */
const waitOf = (waiting: ReadonlyMap<string, number>): string | undefined => {
  const [next] = [...waiting].sort(([, one], [, other]) => one - other)
  if (next === undefined) return undefined
  const [scenario, until] = next
  const others = waiting.size === 1 ? '' : ` and ${waiting.size - 1} more`
  return `waits until ${timeOf(until)}${others}: ${onOneLine(scenario)}`
}

/** A line that counts the checks, on a terminal; nothing in a pipe, where each update would be a further line. */
export const startProgress = (total: number, stream: Output = process.stderr): Progress => {
  // On a terminal without a known width a line cannot be replaced.
  if (stream.isTTY !== true || stream.columns === 0) return silentProgress(stream)
  let line: Ora | undefined
  let stopped = false
  let done = 0
  let broken = 0
  let paused = false
  const kept: string[] = []
  let last = ''
  const waiting = new Map<string, number>()
  const textNow = (): string => {
    const failures = broken === 0 ? '' : `, ${broken} failed`
    return clip(`${done} of ${total} checks${failures}  ${waitOf(waiting) ?? last}`, WIDTH)
  }
  let text = `0 of ${total} checks`
  const update = (): void => {
    text = textNow()
    if (line !== undefined) line.text = text
  }
  // Loaded only on a terminal.
  void import('ora').then(({ default: ora }) => {
    if (stopped) return
    line = ora({ text, stream, discardStdin: false })
    if (!paused) line.start()
  })
  const above = (lines: string): void => {
    if (paused) return void kept.push(lines)
    line?.clear()
    stream.write(`${lines}\n`)
    line?.render()
  }
  return {
    ended: ({ verdict, title }) => {
      done += 1
      if (verdict === 'fail') broken += 1
      last = onOneLine(title)
      update()
    },
    waits: ({ scenario, until }) => {
      if (until === undefined) waiting.delete(scenario)
      else waiting.set(scenario, until)
      update()
    },
    above,
    pause: () => {
      paused = true
      line?.stop()
      return () => {
        paused = false
        if (stopped) return
        line?.start()
        for (const text of kept.splice(0)) above(text)
      }
    },
    stop: () => {
      stopped = true
      line?.stop()
    },
  }
}

/** The terminal: progress during the run, then the findings, then the summary. */
interface Terminal extends RunObserver {
  showReport(report: Report): void
}

/** Verdicts that are shown in full, in this order; the others are counted in the summary. */
const SHOWN: readonly Verdict[] = ['fail', 'harness-error', 'warn', 'inconclusive', 'not-reached']
/** Limits the output for a target with thousands of violations. */
const MOST_BLOCKS = 40
const IDS_PER_LINE = 4

const NARROWEST = 80

const widthOf = ({ columns }: { readonly columns?: number }): number =>
  Math.min(DEFAULT_WIDTH, Math.max(NARROWEST, columns ?? DEFAULT_WIDTH))

interface Finding {
  readonly requirement: RequirementReport
  readonly check: CheckReport
}

const findingsIn = ({ requirements }: Report): readonly Finding[] =>
  SHOWN.flatMap((shown) =>
    requirements.flatMap((requirement) =>
      requirement.checks
        // A check that waits is no finding yet: the summary reports it.
        .filter(({ verdict, until }) => verdict === shown && until === undefined)
        .map((check) => ({ requirement, check })),
    ),
  )

const renderRest = (rest: readonly Finding[], file: string): string => {
  const ids = [...new Set(rest.map(({ requirement, check }) => `${requirement.id} (${check.verdict})`))]
  const rows = Array.from({ length: Math.ceil(ids.length / IDS_PER_LINE) }, (_, at) =>
    ids.slice(at * IDS_PER_LINE, (at + 1) * IDS_PER_LINE).join('  '),
  )
  return [`… and ${rest.length} more, all in ${file}:`, ...rows.map((row) => `  ${row}`)].join('\n')
}

const MOST_BINDINGS = 12
const MOST_IDS = 8

const firstOf = (ids: readonly string[]): string => {
  const rest = ids.length - MOST_IDS
  return ids.slice(0, MOST_IDS).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** The keys of the profile that do not fit the target, the received values and the next step; undefined if all fit. */
export const renderBindings = (
  { bindings = [] }: Report,
  out: string,
  { width = DEFAULT_WIDTH, colors = PLAIN }: BlockStyle = {},
): string | undefined => {
  if (bindings.length === 0) return undefined
  const rest = bindings.length - MOST_BINDINGS
  return [
    colors.yellow(
      `the profile does not fit the target in ${bindings.length} ${bindings.length === 1 ? 'place' : 'places'}`,
    ),
    ...bindings
      .slice(0, MOST_BINDINGS)
      .flatMap(({ key, bound, expected, shown, exchange, requirements }) => [
        `  ${colors.bold(key)}`,
        ...paragraph('      ', onOneLine(`"${bound}": no ${expected} there; ${shown}`), width),
        ...paragraph(
          '      ',
          `exchange ${exchange}; not judged because of it: ${firstOf(requirements)}`,
          width,
        ),
      ]),
    ...(rest > 0 ? [`  … and ${rest} more, in ${OUTPUT.report}`] : []),
    ...paragraph(
      '  ',
      `next: read the answer in ${out}/${OUTPUT.evidence}; put the name or path of the target into the profile; run again`,
      width,
    ),
  ].join('\n')
}

export const createTerminal = (out: string): Terminal => {
  let progress: Progress | undefined
  const findings = (report: Report, style: BlockStyle): readonly string[] => {
    const evidence = createEvidenceReader(join(out, OUTPUT.evidence))
    const found = findingsIn(report)
    const rest = found.slice(MOST_BLOCKS)
    const bindings = renderBindings(report, out, style)
    return [
      ...found
        .slice(0, MOST_BLOCKS)
        .map(({ requirement, check }) => renderFailure(requirement, check, evidence, out, style)),
      ...(rest.length > 0 ? [renderRest(rest, join(out, OUTPUT.report))] : []),
      ...(bindings === undefined ? [] : [bindings]),
    ]
  }
  return {
    onStart(plan) {
      progress = startProgress(plan.checks.filter(({ heldBack }) => heldBack === undefined).length)
    },
    onResult: (result) => progress?.ended(result),
    ...(process.stderr.isTTY && { onWait: (notice: WaitNotice) => progress?.waits(notice) }),
    onWarning(sentence) {
      if (progress === undefined) console.error(printable(sentence))
      else progress.above(printable(sentence))
    },
    pauseOutput: () => progress?.pause() ?? (() => undefined),
    showReport(report) {
      progress?.stop()
      const colors = colorsFor(process.stdout)
      for (const block of findings(report, { width: widthOf(process.stdout), colors }))
        console.log(`${block}\n`)
      if (isAnnotated(process.env)) for (const line of annotationsOf(report)) console.log(line)
      const isThere = (name: string): boolean => existsSync(join(out, name))
      console.log(renderSummary(report, { out, colors, isThere }))
    },
  }
}

/** Generates the Allure page after the summary, since it takes seconds; not if the run was interrupted. */
export const generatePage = async (report: Report, out: string): Promise<void> => {
  if (report.conclusion === 'interrupted')
    return console.error(`The Allure page was not generated; to generate it: npm run report -- ${out}`)
  const text = 'generating the Allure page'
  const progress = ora({ text, isSilent: !process.stderr.isTTY, discardStdin: false }).start()
  const warning = await writeAllurePage(out, pageTitle(report))
  progress.stop()
  if (warning === undefined) console.log(join(out, OUTPUT.allureReport, 'index.html'))
  else console.error(warning)
}
