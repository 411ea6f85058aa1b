import pc from 'picocolors'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { CHAPTERS } from '../../check/requirement.ts'
import { VERDICTS } from '../../check/verdict.ts'
import { sampleReport } from '../../testing/samples/reports.ts'
import { renderConclusion, renderOverview } from './summary.ts'
import type { Report } from '../schema.ts'

test('an overview contains each chapter and the reasons that no change removes', () => {
  const text = renderOverview(sampleReport())
  expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
    '                                   not',
    'requirements  pass  fail  warn  tested',
    'tokens           1           1',
    'payments               1             1',
    'loans                                1',
    'all              1     1     1       2',
    '',
    'not tested',
    '    1  no check exists yet: the scripted scenarios are not yet driven',
  ])
})

test('a conclusion contains the coverage, what failed, what is missing, the exit code and the folder of the reports', () => {
  expect(renderConclusion(sampleReport()).split('\n')).toEqual([
    'reference bank · http://127.0.0.1:8080 · sandbox',
    'nonconforming (partial): 3 of 5 judged',
    '1 failed: PAY-09 · 1 warning: TOK-07',
    '2 not tested: 1 need --allow, 1 have no check yet (npm run plan lists them)',
    '12.3 s · seed 42 · exit code 1',
    'reports/latest: report.json junit.xml evidence.jsonl',
  ])
})

test('what was not selected is counted, and is not in the overview', () => {
  const report = sampleReport()
  const requirements = report.requirements.map((row) =>
    row.chapter === 'tokens'
      ? { ...row, verdict: 'not-tested' as const, reason: 'not-selected' as const }
      : row,
  )
  const selected = { ...report, requirements }
  expect(renderOverview(selected)).not.toContain('tokens')
  expect(renderConclusion(selected)).toContain('\n4 not tested: 2 not selected, 1 need --allow, 1 have')
})

test('the conclusion of a run in which everything failed has ten lines at most', () => {
  const report = sampleReport()
  const requirements = Array.from({ length: 90 }, (_, at) =>
    report.requirements
      .filter(({ verdict }) => verdict === 'fail')
      .map((row) => ({ ...row, id: `PAY-${10 + 2 * at}` })),
  ).flat()
  const lines = renderConclusion({ ...report, requirements }).split('\n')
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines).toContain('90 failed: PAY-10, PAY-12, PAY-14, PAY-16, PAY-18, PAY-20, PAY-22, PAY-24, …')
})

test("a summary contains waiting scenarios and the offset of the target's clock", () => {
  const report = sampleReport()
  const waiting = ['2026-04-05T09:00:30.000Z', '2026-07-05T09:00:00.000Z'].map((until) => ({
    scenario: `tokens/${until}`,
    requirements: ['TOK-03'],
    until,
  }))
  const target = { ...report.target, clockOffsetMs: { least: -120, most: 850 } }
  const reported = (some: typeof waiting): string => renderConclusion({ ...report, target, waiting: some })
  expect(reported(waiting)).toContain(
    '2 scenarios wait until 2026-04-05 09:01 UTC or later; then resume the run:\n  npm test -- --profile bank.yaml --resume --out reports/latest\n',
  )
  expect(reported(waiting.slice(1))).toContain(
    '1 scenario waits until 2026-07-05 09:00 UTC; then resume the run:\n  npm test -- --profile bank.yaml --resume --out reports/latest\n',
  )
  expect(reported([])).toContain('12.3 s · seed 42 · exit code 1 · its clock equal to ours (±0.8 s)')
  expect(reported([])).not.toContain('--resume')
})

test.each(['wall', 'testHook', 'virtual'] as const)(
  'an interrupted run on a target can be resumed, whatever its clock: %s',
  (clock) => {
    const report = sampleReport()
    const reported = (target: Report['target'], out: string): string =>
      renderConclusion({ ...report, conclusion: 'interrupted', gate: 'interrupted', target }, { out })
    const target = { ...report.target, clock }
    expect(reported(target, 'reports/my bank')).toContain(
      "\nto resume the run:\n  npm test -- --profile bank.yaml --resume --out 'reports/my bank'\n",
    )
    expect(reported({ ...target, baseUrl: 'embedded' }, 'reports/latest')).not.toContain('--resume')
  },
)

test.each([
  [{ least: -40, most: 30 }, ''],
  [{ least: -40, most: 850 }, ' · its clock equal to ours (±0.8 s)'],
  [{ least: -60_040, most: -59_960 }, ' · its clock -60.0 to -60.0 s ahead'],
])('a clock that shows the same time is not worth a word: %j', (clockOffsetMs, reported) => {
  const report = sampleReport()
  const text = renderConclusion({ ...report, target: { ...report.target, clockOffsetMs } })
  expect(text.split('\n').some((line) => line.endsWith(`exit code 1${reported}`))).toBe(true)
})

/** Everything that can happen, in every chapter, each for a reason of its own and at great length. */
const crowded = (): Report => {
  const report = sampleReport()
  const requirements = CHAPTERS.flatMap((chapter) =>
    VERDICTS.flatMap((verdict) =>
      report.requirements.slice(0, 1).map((row) => ({
        ...row,
        chapter,
        verdict,
        because: `${chapter} has a reason that is much too long for one line of a terminal of eighty columns`,
      })),
    ),
  )
  const target = { ...report.target, name: 'a bank with a name '.repeat(6) }
  return { ...report, requirements, target, run: { ...report.run, durationMs: 3_719_600 } }
}

test('a summary contains the created objects by their last status', () => {
  const seen = { submission: 'loans/a/2', seen: 'loans/a/3' }
  const report: Report = {
    ...sampleReport(),
    payments: [{ orderId: '1', status: 'ACSC', initiation: 'payments/a/2', seen: 'payments/a/3' }],
    applications: [
      { applicationId: '1', status: 'NEW', canceled: false, ...seen },
      { applicationId: '2', status: 'CANCELED', canceled: true, ...seen },
      { applicationId: '3', canceled: false, ...seen },
      { applicationId: '4', status: 'NEW', canceled: false, ...seen },
    ],
  }
  const text = renderOverview(report)
  expect(text).toContain('payments: 1 ACSC; orderIds in report.json')
  expect(text).toContain('loans: 2 NEW, 1 CANCELED, 1 no status; application-ids in report.json')
  expect(renderOverview(sampleReport())).not.toContain('application-ids')
  // On a full disk.
  const unwritten = renderOverview(report, { isThere: () => false })
  expect(unwritten).toContain('loans: 2 NEW, 1 CANCELED, 1 no status; their application-ids:\n  NEW  1, 4\n')
  expect(unwritten).not.toContain('report.json')
})

describe('where everything happens at once', () => {
  const lines = [renderOverview(crowded()), renderConclusion(crowded())].join('\n').split('\n')

  test('it fits 80 columns', () => {
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80)
  })

  test('every reason is shown', () => {
    for (const chapter of CHAPTERS)
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^ +1  not-reached: ${chapter} has a reason`)),
      )
  })
})

test.each([
  ['conforms', 'green', 'conforms so far (partial)'],
  ['nonconforming', 'red', 'nonconforming (partial)'],
  ['incomplete', 'yellow', 'incomplete (partial)'],
] as const)('%s is %s', (conclusion, color, words) => {
  const colors = pc.createColors(true)
  const text = renderConclusion({ ...sampleReport(), conclusion, gate: conclusion }, { colors })
  expect(text).toContain(`\n${colors.bold(colors[color](`${words}: 3 of 5 judged`))}\n`)
})

test('what can be deleted later is listed with the command, and what nothing can delete is counted', () => {
  const one = { scenario: 's', exchange: 's/1', cleaned: false }
  const consents = Array.from({ length: 30 }, (_, at) => ({ ...one, kind: 'consent' as const, id: `C${at}` }))
  const application = {
    ...one,
    kind: 'application' as const,
    id: 'L1',
    because: 'its DELETE was answered 503',
  }
  const report = { ...sampleReport(), created: [...consents, { ...application, deletable: true as const }] }
  const lines = renderOverview(report, { out: 'runs/a' }).split('\n')
  expect(lines).toContain('not deleted: 30 consents, 1 application; reasons in report.json')
  expect(lines.filter((line) => /C\d/.test(line))).toEqual([])
  const at = lines.indexOf('  application L1: its DELETE was answered 503')
  expect(lines.slice(at + 1, at + 3)).toEqual([
    'to delete them later:',
    '  npm test -- --profile bank.yaml --resume --out runs/a',
  ])
})

test('a summary contains calls at other addresses', () => {
  const strays = [{ exchange: 'stray/a/1', method: 'POST', url: 'https://me.example/elsewhere' }]
  expect(renderOverview({ ...sampleReport(), strays })).toContain(
    '1 call at an address that the target was not given:',
  )
})
