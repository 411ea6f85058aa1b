import { expect, test } from 'vitest'
import { openMemoryJournal } from '../../harness/evidence/journal.ts'
import { EFFECTS } from '../../harness/evidence/exchange.ts'
import { buildPlan } from '../../harness/plan/build-plan.ts'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { profileSchema } from '../../harness/profile/schema.ts'
import { createRunLog } from '../../harness/engine/resume/run-log.ts'
import { isTimed } from '../../harness/engine/scheduler.ts'
import { createScenarioRunner } from '../../harness/engine/run-scenario.ts'
import { judgeCheck } from '../../harness/engine/judge.ts'
import { createSink } from '../../harness/session/webhooks/sink/sink.ts'
import { createEmbeddedTarget } from '../../harness/connection/embedded.ts'
import { referenceProfile } from '../../harness/connection/reference-bank/reference-profile.ts'
import type { Entry } from '../../harness/engine/resume/log-entries.ts'
import { SLOW } from '../../harness/testing/slow.ts'
import type { CheckResult } from '../../harness/check/result.ts'
import type { PlannedCheck } from '../../harness/plan/plan.ts'
import type { Connection } from '../../harness/connection/target.ts'

/** Laws over the scenarios that let time pass. Slow: about 12 s of one core. */

const catalogue = await loadCatalogue()
const profile = profileSchema.parse(referenceProfile('sandbox'))
const plan = buildPlan(
  catalogue,
  { profile, virtual: true },
  { only: [], skip: [], allow: EFFECTS, seed: 7, runs: 1, time: 'auto' },
)
const checks = new Map(catalogue.checks.map(({ key, check }) => [key, check]))
/** The checks whose scenarios can be resumed. Webhook scenarios cannot: a call that came while no sink was open is lost. */
const timed = plan.checks.filter(
  (planned) => isTimed(planned) && !planned.property && planned.heldBack === undefined,
)

const checkOf = ({ key }: PlannedCheck) => {
  const check = checks.get(key)
  if (check === undefined) throw new Error(`the plan has a check that no spec file states: ${key}`)
  return check
}

/** How many ms of the target's time a scenario has let pass, by its id. */
type Passed = Map<string, number>

const counting = (scenario: string, connection: Connection, passed: Passed): Connection => {
  const { clock } = connection
  if (clock === undefined) return connection
  return {
    ...connection,
    clock: {
      ...clock,
      async pass(ms, slackMs) {
        passed.set(scenario, (passed.get(scenario) ?? 0) + ms)
        await clock.pass(ms, slackMs)
      },
    },
  }
}

/** Banks without a port, so that their address is the same in every run. */
const openBanks = (passed: Passed) => {
  const sink = createSink('http://sink.example/webhook')
  const banks = createEmbeddedTarget(profile, {
    shared: false,
    socket: false,
    deliver: (request) => sink.receive(request),
  })
  const open = async (scenario: string): Promise<Connection> =>
    counting(scenario, await banks.open(scenario), passed)
  // As at a target whose scenarios wait for the wall clock: their inputs are recorded.
  return { sink, target: { ...banks, open, fresh: false } }
}

interface Banks extends ReturnType<typeof openBanks> {
  /** What the log holds when it begins. */
  readonly entries: readonly Entry[]
  readonly append: (entry: Entry) => void
}

const judgeAll = async ({ sink, target, entries, append }: Banks): Promise<readonly CheckResult[]> => {
  const perform = createScenarioRunner({
    target,
    journal: openMemoryJournal(),
    secrets: [],
    allowed: plan.effects,
    concurrency: 4,
    time: 'wall',
    sink: async () => sink,
    log: createRunLog(entries, (entry) => append(structuredClone(entry))),
  })
  return Promise.all(
    timed.map((planned) =>
      judgeCheck(planned, checkOf(planned), perform(planned, checkOf(planned).scenario), plan),
    ),
  )
}

const summary = ({ id, verdict, because, exchanges }: CheckResult): string =>
  `${id} ${verdict} ${because ?? ''} ${exchanges.join(' ')}`

const verdictOf = ({ id, verdict, because }: CheckResult): string => `${id} ${verdict} ${because ?? ''}`

const attemptOf = (entry: Entry): string => ('attempt' in entry ? entry.attempt : '')

const countByAttempt = (entries: readonly Entry[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const entry of entries) counts.set(attemptOf(entry), (counts.get(attemptOf(entry)) ?? 0) + 1)
  return counts
}

const passed: Passed = new Map()
const log: Entry[] = []
const results = await judgeAll({
  ...openBanks(passed),
  entries: [],
  append: (entry) => log.push(entry),
})

test('a scenario says that it lets time pass, and how much, or needs no clock', () => {
  const wrong = catalogue.checks
    .filter(({ check: { scenario } }) => {
      const { needs = [], waitsMs } = scenario.options
      return needs.includes('clock') !== (waitsMs !== undefined)
    })
    .map(({ file, check: { scenario } }) => `${file} "${scenario.title}": "clock" and waitsMs go together`)
  expect([...new Set(wrong)]).toEqual([])
})

const MINUTE = 60_000

test('a scenario lets about as much time pass as it says', () => {
  const wrong = [...new Map(timed.map(({ scenario, waitsMs = 0 }) => [scenario, waitsMs]))]
    .map(([scenario, ms]) => ({ scenario, ms, really: passed.get(scenario) ?? 0 }))
    .filter(({ ms, really }) => really > ms * 1.25 + MINUTE || really < ms * 0.75 - MINUTE)
    .map(({ scenario, ms, really }) => `${scenario}: says ${ms} ms, and lets ${really} ms pass`)
  expect(timed.length).toBeGreaterThan(0)
  expect(wrong).toEqual([])
})

test('--skip time leaves out the scenarios that let time pass, and no other check of the same requirement', () => {
  const options = { only: [], skip: ['time'], allow: EFFECTS, seed: 7, runs: 1, time: 'auto' as const }
  const running = buildPlan(catalogue, { profile, virtual: true }, options).checks.filter(
    ({ heldBack }) => heldBack === undefined,
  )
  expect(running.filter(({ waitsMs }) => waitsMs !== undefined)).toEqual([])
  const judged = new Set(running.map(({ requirement }) => requirement))
  expect(timed.filter(({ requirement }) => judged.has(requirement)).length).toBeGreaterThan(0)
})

test('a scenario that lets time pass is replayed from its log without a request', async () => {
  const added: Entry[] = []
  const again = await judgeAll({
    ...openBanks(new Map()),
    entries: log,
    append: (entry) => added.push(entry),
  })
  expect(added.filter((entry) => 'act' in entry)).toEqual([])
  expect(again.map(summary)).toEqual(results.map(summary))
})

/** Stops each act after a number of log entries, as a killed process does: what it did next is not in the log. */
const endingAfter = (limitOf: (attempt: string) => number, kept: Entry[]) => {
  const counts = new Map<string, number>()
  return (entry: Entry): void => {
    const act = attemptOf(entry)
    const count = (counts.get(act) ?? 0) + 1
    counts.set(act, count)
    if (count > limitOf(act)) throw new Error('killed')
    kept.push(entry)
  }
}

test.each([0.3, 0.8])(
  'killed at any moment and resumed, a run gives the same verdicts (after %f of each log)',
  SLOW,
  async (part) => {
    const whole = countByAttempt(log)
    const banks = openBanks(new Map())
    const kept: Entry[] = []
    const limitOf = (attempt: string): number => Math.ceil((whole.get(attempt) ?? 1) * part)
    await judgeAll({ ...banks, entries: [], append: endingAfter(limitOf, kept) })
    expect(kept.length).toBeLessThan(log.length)
    const after = await judgeAll({ ...banks, entries: kept, append: (entry) => kept.push(entry) })
    expect(after.map(verdictOf)).toEqual(results.map(verdictOf))
  },
)

/** More than the interval between two moves of a loan application, and than a code lives. */
const LATE_MS = 10 * MINUTE

test('resumed so late that something was missed, it begins these scenarios anew', SLOW, async () => {
  const whole = countByAttempt(log)
  const banks = openBanks(new Map())
  const kept: Entry[] = []
  const limitOf = (attempt: string): number => Math.ceil((whole.get(attempt) ?? 1) * 0.5)
  await judgeAll({ ...banks, entries: [], append: endingAfter(limitOf, kept) })
  const openLate = async (scenario: string): Promise<Connection> => {
    const connection = await banks.target.open(scenario)
    await connection.clock?.pass(LATE_MS)
    return connection
  }
  const begun = kept.length
  const target = { ...banks.target, open: openLate }
  const after = await judgeAll({
    ...banks,
    target,
    entries: [...kept],
    append: (entry) => kept.push(entry),
  })
  expect(after.map(verdictOf)).toEqual(results.map(verdictOf))
  const anew = kept.slice(begun).flatMap((entry) => (entry.kind === 'begin' ? [entry.attempt] : []))
  expect(anew.filter((attempt) => attempt.startsWith('loans/')).length).toBeGreaterThan(0)
})
