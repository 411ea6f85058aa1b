import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { createRunLog, tapedClock, type Entry, type RunLog } from './run-log.ts'
import type { TargetClock } from '../../session/clock.ts'

/** A log that is resumed as often as one likes. */
const kept = () => {
  const entries: Entry[] = []
  return {
    entries,
    continueRun: (): RunLog => createRunLog([...entries], (entry) => entries.push(entry)),
  }
}

const TAPED = { of: 'tokens/x', taped: true, grants: true }
const PLAIN = { of: 'tokens/y', taped: false, grants: true }

const asked = (id: string) => ({ ...sampleExchange(), id })
const request = (id: string) => ({ id, ...asked(id).request })

describe('an act that is taped', () => {
  test('goes on under its own id, with the same randomness, and with the answers that it had', () => {
    const { continueRun } = kept()
    const first = continueRun().begin(TAPED)
    const uuid = first.random.uuid()
    first.tape?.intends('tokens/x/1')
    first.tape?.keeps(asked('tokens/x/1'))
    const again = continueRun().begin(TAPED)
    expect([again.id, again.random.uuid()]).toEqual(['tokens/x', uuid])
    expect(again.tape?.exchange(request('tokens/x/1'))).toEqual(asked('tokens/x/1'))
    expect(again.tape?.exchange(request('tokens/x/2'))).toBeUndefined()
  })

  test('begins anew under another id where it is not known whether a request was carried out', () => {
    const { continueRun } = kept()
    const first = continueRun().begin(TAPED)
    first.tape?.keeps(asked('tokens/x/1'))
    first.tape?.intends('tokens/x/2')
    const second = continueRun().begin(TAPED)
    expect(second.id).toBe('tokens/x~2')
    expect(second.random.uuid()).not.toBe(first.random.uuid())
    expect(second.tape?.exchange(request('tokens/x/1'))).toBeUndefined()
    second.tape?.intends('tokens/x~2/1')
    expect(continueRun().begin(TAPED).id).toBe('tokens/x~3')
  })

  test('goes no other way than before', () => {
    const { continueRun } = kept()
    continueRun().begin(TAPED).tape?.keeps(asked('tokens/x/1'))
    const { tape } = continueRun().begin(TAPED)
    const elsewhere = { ...request('tokens/x/1'), url: 'https://bank.example/elsewhere?code=c0de' }
    expect(() => tape?.exchange(elsewhere)).toThrow('goes another way')
    expect(() => tape?.exchange({ ...request('tokens/x/1'), method: 'DELETE' })).toThrow('DELETE')
    expect(() => tape?.exchange(elsewhere)).not.toThrow('c0de')
    const freshId = { ...request('tokens/x/1'), url: `${asked('').request.url}?state=another` }
    expect(tape?.exchange(freshId)).toBeDefined()
  })

  test('has the shared token that it had', async () => {
    const { continueRun } = kept()
    const get = (accessToken: string) => async () => ({ accessToken, scope: 'ALL' })
    await continueRun().begin(TAPED).tape?.access(get('first'))
    const { tape } = continueRun().begin(TAPED)
    expect(await tape?.access(get('second'))).toMatchObject({ accessToken: 'first' })
    expect(await tape?.access(get('third'))).toMatchObject({ accessToken: 'third' })
  })
})

test('an act that is not taped begins anew under another id', () => {
  const { continueRun } = kept()
  expect(continueRun().begin(PLAIN).id).toBe('tokens/y')
  expect(continueRun().begin(PLAIN).id).toBe('tokens/y~2')
  expect(continueRun().begin(PLAIN)).toMatchObject({ id: 'tokens/y~3' })
  expect(continueRun().begin(PLAIN).tape).toBeUndefined()
})

test('what a check has found is found, and what waits is not', () => {
  const { continueRun } = kept()
  const log = continueRun()
  const result = { id: 'TOK-01/1', requirement: 'TOK-01', title: 't', verdict: 'pass' as const }
  const meta = { result: { ...result, durationMs: 1, exchanges: ['x/1'] } }
  log.keep('TOK-01/1', meta)
  log.waits('TOK-02/1', '2026-04-05T09:00:00.000Z')
  expect(continueRun().found('TOK-01/1')).toEqual(meta)
  expect(continueRun().found('TOK-02/1')).toBeUndefined()
})

describe('a clock whose readings are kept', () => {
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
    const { tape } = log.begin(TAPED)
    if (tape === undefined) throw new Error('the act is taped')
    return { clock: tapedClock(clock, tape), passed }
  }
  const time = (clock: TargetClock): number => clock.now().getTime()

  test('shows the same again, and waits for nothing that has been waited for', async () => {
    const { continueRun } = kept()
    const first = given(continueRun(), 1_000)
    const seen = [time(first.clock)]
    await first.clock.pass(500)
    seen.push(time(first.clock))
    const again = given(continueRun(), 90_000)
    const shown = [time(again.clock)]
    await again.clock.pass(500, 1)
    shown.push(time(again.clock))
    expect([seen, shown, again.passed]).toEqual([[1_000, 1_500], [1_000, 1_500], []])
    expect(time(again.clock)).toBe(90_000)
  })

  test('waits for what is left of a wait that was broken off', async () => {
    const { continueRun } = kept()
    await expect(given(continueRun(), 1_000, true).clock.pass(500)).rejects.toThrow('it waits')
    const soon = given(continueRun(), 1_200, true)
    await expect(soon.clock.pass(500)).rejects.toThrow('it waits')
    expect(soon.passed).toEqual([300])
    const late = given(continueRun(), 9_000)
    await late.clock.pass(500)
    expect([late.passed, time(late.clock)]).toEqual([[], 9_000])
  })

  test('tells when a moment was missed', async () => {
    const { continueRun } = kept()
    await expect(given(continueRun(), 1_000, true).clock.pass(500, 100)).rejects.toThrow('it waits')
    await expect(given(continueRun(), 9_000).clock.pass(500, 100)).rejects.toThrow(
      'the run went on 8 s later',
    )
  })
})

describe('an act is disturbed', () => {
  const FAC = { application: 'FAC' }
  const TPP = { application: 'TPP' }

  test('by a grant to the same application after it has begun, and by no other', () => {
    const { continueRun } = kept()
    const log = continueRun()
    log.begin({ ...PLAIN, ...FAC, of: 'before' })
    const act = log.begin({ ...TAPED, ...FAC })
    expect(act.disturber()).toBeUndefined()
    log.begin({ ...PLAIN, ...TPP, of: 'another application' })
    log.begin({ ...PLAIN, ...FAC, grants: false, of: 'without a grant' })
    expect(act.disturber()).toBeUndefined()
    log.begin({ ...PLAIN, ...FAC, of: 'after' })
    expect(act.disturber()).toBe('after')
    expect(
      continueRun()
        .begin({ ...TAPED, ...FAC })
        .disturber(),
    ).toBe('after')
  })

  test('by one that goes on after a wait, and not by itself', () => {
    const { continueRun } = kept()
    const log = continueRun()
    const earlier = log.begin({ ...TAPED, ...FAC, of: 'earlier' })
    const act = log.begin({ ...TAPED, ...FAC })
    act.back()
    expect(act.disturber()).toBeUndefined()
    earlier.back()
    expect(act.disturber()).toBe('earlier')
    expect(
      continueRun()
        .begin({ ...TAPED, ...FAC })
        .disturber(),
    ).toBe('earlier')
  })

  test('by nobody, where it holds no grant of a customer', () => {
    const { continueRun } = kept()
    const log = continueRun()
    const act = log.begin({ ...TAPED, grants: false })
    log.begin(PLAIN)
    expect(act.disturber()).toBeUndefined()
  })
})
