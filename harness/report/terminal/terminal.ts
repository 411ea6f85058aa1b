import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { annotationsOf, isAnnotated } from '../gate/annotations.ts'
import { createEvidenceReader } from '../allure/evidence-reader.ts'
import { OUTPUT } from '../output.ts'
import { renderBindings } from './bindings.ts'
import { colorsFor } from './colors.ts'
import { renderFailure } from './failure.ts'
import { startProgress } from './progress.ts'
import { renderSummary } from './summary.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Audience, WaitNotice } from '../audience.ts'
import type { CheckReport, Report, RequirementReport } from '../schema.ts'
import type { Progress } from './progress.ts'

/** The person at the terminal: progress while a run goes on, then what was found, then one word. */
export interface Terminal extends Audience {
  concludes(report: Report): void
}

/** What a reader of the terminal must see in full; the rest is counted. */
const TOLD: readonly Verdict[] = ['fail', 'harness-error', 'warn', 'inconclusive', 'not-reached']
/** A target that breaks everything fills a screen, not a thousand. */
const MOST_BLOCKS = 40
const PER_ROW = 4

const NARROWEST = 80
const WIDEST = 110

const widthOf = ({ columns }: { readonly columns?: number }): number =>
  Math.min(WIDEST, Math.max(NARROWEST, columns ?? WIDEST))

interface Told {
  readonly requirement: RequirementReport
  readonly check: CheckReport
}

const toldIn = ({ requirements }: Report): readonly Told[] =>
  TOLD.flatMap((word) =>
    requirements.flatMap((requirement) =>
      requirement.checks
        // What waits is no finding yet: the summary tells of it.
        .filter(({ verdict, until }) => verdict === word && until === undefined)
        .map((check) => ({ requirement, check })),
    ),
  )

/** By their ids, so that each can be run, or looked up. */
const renderRest = (rest: readonly Told[], file: string): string => {
  const ids = [...new Set(rest.map(({ requirement, check }) => `${requirement.id} (${check.verdict})`))]
  const rows = Array.from({ length: Math.ceil(ids.length / PER_ROW) }, (_, at) =>
    ids.slice(at * PER_ROW, (at + 1) * PER_ROW).join('  '),
  )
  return [`… and ${rest.length} more, all in ${file}:`, ...rows.map((row) => `  ${row}`)].join('\n')
}

export const createTerminal = (out: string): Terminal => {
  let progress: Progress | undefined
  return {
    begins(plan) {
      progress = startProgress(plan.checks.filter(({ heldBack }) => heldBack === undefined).length)
    },
    hears: (result) => progress?.ended(result),
    ...(process.stderr.isTTY && { waits: (notice: WaitNotice) => progress?.waits(notice) }),
    warns: (sentence) => (progress === undefined ? console.error(sentence) : progress.above(sentence)),
    yields: () => progress?.pause() ?? (() => undefined),
    concludes(report) {
      progress?.stop()
      const colors = colorsFor(process.stdout)
      const style = { width: widthOf(process.stdout), colors }
      const evidence = createEvidenceReader(join(out, OUTPUT.evidence))
      const told = toldIn(report)
      const shown = told
        .slice(0, MOST_BLOCKS)
        .map(({ requirement, check }) => renderFailure(requirement, check, evidence, out, style))
      const rest = told.slice(MOST_BLOCKS)
      if (rest.length > 0) shown.push(renderRest(rest, join(out, OUTPUT.report)))
      if (shown.length > 0) console.log(`${shown.join('\n\n')}\n`)
      const bindings = renderBindings(report, out, style)
      if (bindings !== undefined) console.log(`${bindings}\n`)
      if (isAnnotated(process.env)) for (const line of annotationsOf(report)) console.log(line)
      const isThere = (name: string): boolean => existsSync(join(out, name))
      console.log(renderSummary(report, { out, colors, isThere }))
    },
  }
}
