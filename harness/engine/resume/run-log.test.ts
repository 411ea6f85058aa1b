import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { createRunLog, leftoversIn, type RunLog } from './run-log.ts'
import { recordedClock } from './attempt-log.ts'
import type { Entry } from './log-entries.ts'
import type { Intent } from '../../evidence/recorder.ts'
import type { TargetClock } from '../../session/clock.ts'

/** A log that can be resumed any number of times. */
const createLog = () => {
  const entries: Entry[] = []
  return {
    entries,
    continueRun: (): RunLog => createRunLog([...entries], (entry) => entries.push(entry)),
  }
}

const RECORDED = { scenario: 'tokens/x', recorded: true, grants: true }
const UNRECORDED = { scenario: 'tokens/y', recorded: false, grants: true }

const asked = (id: string) => ({ ...sampleExchange(), id })
const intent = (id: string, operation = 'createConsent'): Intent => {
  const { sender, effect, sentAt, request } = sampleExchange()
  return { id, sender, operation, effect, sentAt, method: request.method, url: request.url }
}
const request = (id: string) => ({ id, ...asked(id).request })

describe('a recorded scenario', () => {
  test('continues with the same id, random values and answers', () => {
    const { continueRun } = createLog()
    const first = continueRun().begin(RECORDED)
    const uuid = first.random.uuid()
    first.replayLog?.recordIntent(intent('tokens/x/1'))
    first.replayLog?.recordExchange(asked('tokens/x/1'))
    const again = continueRun().begin(RECORDED)
    expect([again.id, again.random.uuid()]).toEqual(['tokens/x', uuid])
    expect(again.replayLog?.exchange(request('tokens/x/1'))).toEqual(asked('tokens/x/1'))
    expect(again.replayLog?.exchange(request('tokens/x/2'))).toBeUndefined()
  })

  test('starts again with another id if a request has no recorded answer', () => {
    const { continueRun } = createLog()
    const first = continueRun().begin(RECORDED)
    first.replayLog?.recordExchange(asked('tokens/x/1'))
    first.replayLog?.recordIntent(intent('tokens/x/2'))
    const second = continueRun().begin(RECORDED)
    expect(second.id).toBe('tokens/x~2')
    expect(second.random.uuid()).not.toBe(first.random.uuid())
    expect(second.replayLog?.exchange(request('tokens/x/1'))).toBeUndefined()
    second.replayLog?.recordIntent(intent('tokens/x~2/1'))
    expect(continueRun().begin(RECORDED).id).toBe('tokens/x~3')
  })

  test('must repeat the recorded requests', () => {
    const { continueRun } = createLog()
    continueRun().begin(RECORDED).replayLog?.recordExchange(asked('tokens/x/1'))
    const { replayLog } = continueRun().begin(RECORDED)
    const elsewhere = { ...request('tokens/x/1'), url: 'https://bank.example/elsewhere?code=c0de' }
    expect(() => replayLog?.exchange(elsewhere)).toThrow('sends another request')
    expect(() => replayLog?.exchange({ ...request('tokens/x/1'), method: 'DELETE' })).toThrow('DELETE')
    expect(() => replayLog?.exchange(elsewhere)).not.toThrow('c0de')
    const freshId = { ...request('tokens/x/1'), url: `${asked('').request.url}?state=another` }
    expect(replayLog?.exchange(freshId)).toBeDefined()
  })

  test('has the recorded shared token', async () => {
    const { continueRun } = createLog()
    const get = (accessToken: string) => async () => ({ accessToken, scope: 'ALL' })
    await continueRun().begin(RECORDED).replayLog?.access(get('first'))
    const { replayLog } = continueRun().begin(RECORDED)
    expect(await replayLog?.access(get('second'))).toMatchObject({ accessToken: 'first' })
    expect(await replayLog?.access(get('third'))).toMatchObject({ accessToken: 'third' })
  })
})

test('a scenario that is not recorded starts again with another id', () => {
  const { continueRun } = createLog()
  expect(continueRun().begin(UNRECORDED).id).toBe('tokens/y')
  expect(continueRun().begin(UNRECORDED).id).toBe('tokens/y~2')
  expect(continueRun().begin(UNRECORDED)).toMatchObject({ id: 'tokens/y~3' })
  expect(continueRun().begin(UNRECORDED).replayLog).toBeUndefined()
})

test('a log returns the result of a finished check, and none of a waiting check', () => {
  const { continueRun } = createLog()
  const log = continueRun()
  const result = { id: 'TOK-01/1', requirement: 'TOK-01', title: 't', verdict: 'pass' as const }
  const meta = { result: { ...result, durationMs: 1, exchanges: ['x/1'] } }
  log.storeResult('TOK-01/1', meta)
  log.storeWait('TOK-02/1', '2026-04-05T09:00:00.000Z')
  expect(continueRun().storedResult('TOK-01/1')).toEqual(meta)
  expect(continueRun().storedResult('TOK-02/1')).toBeUndefined()
})

describe('a recorded clock', () => {
  const given = (log: RunLog, start: number, waiting = false) => {
    let now = start
    const passed: number[] = []
    const clock: TargetClock = {
      kind: 'wall',
      now: () => new Date(now),
      async pass(ms) {
        passed.push(ms)
        if (waiting) throw new NotReached('it waits')
        now += ms
      },
    }
    const { replayLog } = log.begin(RECORDED)
    if (replayLog === undefined) throw new Error('the scenario is recorded')
    return { clock: recordedClock(clock, replayLog), passed }
  }
  const time = (clock: TargetClock): number => clock.now().getTime()

  test('returns the recorded readings, and does not repeat a finished wait', async () => {
    const { continueRun } = createLog()
    const first = given(continueRun(), 1_000)
    const seen = [time(first.clock)]
    await first.clock.pass(500)
    seen.push(time(first.clock))
    const again = given(continueRun(), 50_000)
    const shown = [time(again.clock)]
    await again.clock.pass(500, 1)
    shown.push(time(again.clock))
    expect([seen, shown, again.passed]).toEqual([[1_000, 1_500], [1_000, 1_500], []])
    expect(time(again.clock)).toBe(50_000)
  })

  test('reports a pause that no wait explains', async () => {
    const { continueRun } = createLog()
    const first = given(continueRun(), 1_000)
    await first.clock.pass(500)
    const seen = time(first.clock)
    const again = given(continueRun(), 90_000)
    await again.clock.pass(500)
    expect(time(again.clock)).toBe(seen)
    expect(() => time(again.clock)).toThrow('the run continued')
  })

  test('waits for the rest of an interrupted wait', async () => {
    const { continueRun } = createLog()
    await expect(given(continueRun(), 1_000, true).clock.pass(500)).rejects.toThrow('it waits')
    const soon = given(continueRun(), 1_200, true)
    await expect(soon.clock.pass(500)).rejects.toThrow('it waits')
    expect(soon.passed).toEqual([300])
    const late = given(continueRun(), 9_000)
    await late.clock.pass(500)
    expect([late.passed, time(late.clock)]).toEqual([[], 9_000])
  })

  test('reports a missed moment', async () => {
    const { continueRun } = createLog()
    await expect(given(continueRun(), 1_000, true).clock.pass(500, 100)).rejects.toThrow('it waits')
    await expect(given(continueRun(), 9_000).clock.pass(500, 100)).rejects.toThrow(
      'the run continued 8 s later',
    )
  })
})

describe('another scenario may have ended the grants of a scenario', () => {
  const FAC = { application: 'FAC' }
  const TPP = { application: 'TPP' }

  test('by a later grant to the same application only', () => {
    const { continueRun } = createLog()
    const log = continueRun()
    log.begin({ ...UNRECORDED, ...FAC, scenario: 'before' })
    const attempt = log.begin({ ...RECORDED, ...FAC })
    expect(attempt.interferingScenario()).toBeUndefined()
    log.begin({ ...UNRECORDED, ...TPP, scenario: 'another application' })
    log.begin({ ...UNRECORDED, ...FAC, grants: false, scenario: 'without a grant' })
    expect(attempt.interferingScenario()).toBeUndefined()
    log.begin({ ...UNRECORDED, ...FAC, scenario: 'after' })
    expect(attempt.interferingScenario()).toBe('after')
    expect(
      continueRun()
        .begin({ ...RECORDED, ...FAC })
        .interferingScenario(),
    ).toBe('after')
  })

  test('if it continued after a wait', () => {
    const { continueRun } = createLog()
    const log = continueRun()
    const earlier = log.begin({ ...RECORDED, ...FAC, scenario: 'earlier' })
    const attempt = log.begin({ ...RECORDED, ...FAC })
    attempt.continueAfterWait()
    expect(attempt.interferingScenario()).toBeUndefined()
    earlier.continueAfterWait()
    expect(attempt.interferingScenario()).toBe('earlier')
    expect(
      continueRun()
        .begin({ ...RECORDED, ...FAC })
        .interferingScenario(),
    ).toBe('earlier')
  })

  test('but not if the scenario has no grant of a customer', () => {
    const { continueRun } = createLog()
    const log = continueRun()
    const attempt = log.begin({ ...RECORDED, grants: false })
    log.begin(UNRECORDED)
    expect(attempt.interferingScenario()).toBeUndefined()
  })
})

describe('the leftovers of a killed run are', () => {
  test('requests that create something and have no answer in the log', () => {
    const { entries, continueRun } = createLog()
    const log = continueRun()
    const recorded = log.begin(RECORDED)
    recorded.replayLog?.recordIntent(intent('tokens/x/1'))
    recorded.replayLog?.recordExchange(asked('tokens/x/1'))
    recorded.requestLog?.recordIntent(intent('tokens/x:grant/1'))
    const unrecorded = log.begin(UNRECORDED)
    unrecorded.requestLog?.recordIntent(intent('tokens/y/1', 'initiatePayment'))
    unrecorded.requestLog?.recordIntent(intent('tokens/y/2', 'readPayment'))
    expect(leftoversIn(entries).unanswered.map(({ id }) => id)).toEqual(['tokens/x:grant/1', 'tokens/y/1'])
    // A grant that scenarios share is asked for again, so that it does not keep the scenario from being repeated.
    expect(continueRun().begin(RECORDED).id).toBe('tokens/x')
  })

  test('answers that no scenario repeats', () => {
    const { entries, continueRun } = createLog()
    const { replayLog } = continueRun().begin(RECORDED)
    replayLog?.recordIntent(intent('tokens/x/1'))
    replayLog?.recordExchange(asked('tokens/x/1'))
    expect(leftoversIn(entries).unread).toEqual([])
    replayLog?.recordIntent(intent('tokens/x/2'))
    expect(leftoversIn(entries).unread).toEqual([asked('tokens/x/1')])
  })

  test('the webhook settings of before the run', () => {
    const { entries, continueRun } = createLog()
    const settings = (url: string) => ({ clientId: 'shop', enabled: true, url, securityHeader: '' })
    continueRun().begin(UNRECORDED).storeSettings(settings('https://shop.example/hook'))
    continueRun().begin(UNRECORDED).storeSettings(settings('http://127.0.0.1/of-a-killed-scenario'))
    expect([...leftoversIn(entries).settings.values()]).toEqual([settings('https://shop.example/hook')])
  })
})
