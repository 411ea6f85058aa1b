import { expect, test } from 'vitest'
import { createScheduler, yieldingClock } from './scheduler.ts'
import type { Need } from '../session/scenario.ts'
import type { TargetClock } from '../session/clock.ts'
import type { Slot } from './scheduler.ts'

/** A promise that the test resolves. */
const gate = () => {
  let open: () => void = () => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open: () => open() }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Given {
  readonly waits?: boolean
  readonly concurrency?: number
  readonly fresh?: boolean
}

const given = ({ waits = true, concurrency = 1, fresh = false }: Given = {}) => {
  const schedule = createScheduler({ target: { fresh }, concurrency, waits: () => waits })
  const reported: string[] = []
  const begin = async (
    name: string,
    { waitsMs, needs = [] }: { waitsMs?: number; needs?: readonly Need[] },
    act: (place: Slot) => Promise<void>,
  ): Promise<void> => {
    const place = await schedule(waitsMs === undefined ? {} : { waitsMs }, needs)
    reported.push(`${name} begins`)
    await act(place)
    reported.push(`${name} ends`)
    place.release()
  }
  return { reported, begin }
}

test('a waiting scenario releases its slot, and gets one before scenarios that have not started', async () => {
  const { reported, begin } = given()
  const [waiting, busy] = [gate(), gate()]
  const timed = begin('timed', { waitsMs: 1, needs: ['clock'] }, (place) =>
    place.meanwhile(() => waiting.passed),
  )
  const first = begin('first', {}, () => busy.passed)
  const second = begin('second', {}, async () => undefined)
  await settled()
  expect(reported).toEqual(['timed begins', 'first begins'])
  waiting.open()
  await settled()
  expect(reported).toEqual(['timed begins', 'first begins'])
  busy.open()
  await Promise.all([timed, first, second])
  expect(reported.slice(2)).toEqual(['first ends', 'timed ends', 'second begins', 'second ends'])
})

test('scenarios that will wait start first', async () => {
  const { reported, begin } = given()
  const busy = gate()
  const all = [
    begin('busy', {}, () => busy.passed),
    begin('other', {}, async () => undefined),
    begin('timed', { waitsMs: 1 }, async () => undefined),
  ]
  busy.open()
  await Promise.all(all)
  expect(reported.filter((line) => line.endsWith('begins'))).toEqual([
    'busy begins',
    'timed begins',
    'other begins',
  ])
})

test('loan scenarios run concurrently with all others, but not with one another', async () => {
  const { reported, begin } = given()
  const [busy, path] = [gate(), gate()]
  const loans: readonly Need[] = ['loans']
  const all = [
    begin('busy', {}, () => busy.passed),
    begin('path', { waitsMs: 1, needs: loans }, (place) => place.meanwhile(() => path.passed)),
    begin('another', { waitsMs: 1, needs: loans }, async () => undefined),
    begin('at once', { needs: loans }, async () => undefined),
  ]
  await settled()
  expect(reported).toEqual([
    ...['busy begins', 'path begins', 'another begins', 'another ends', 'at once begins', 'at once ends'],
  ])
  path.open()
  await settled()
  expect(reported.at(-1)).toBe('path ends')
  busy.open()
  await Promise.all(all)
})

test('if the clock is moved, loan scenarios use the same slots as all others', async () => {
  const { reported, begin } = given({ waits: false })
  const busy = gate()
  const all = [
    begin('busy', {}, () => busy.passed),
    begin('loan', { needs: ['loans'] }, async () => undefined),
  ]
  await settled()
  expect(reported).toEqual(['busy begins'])
  busy.open()
  await Promise.all(all)
})

test('a scenario that moves the clock runs exclusively, and so does one that books, whatever the clock', async () => {
  for (const waits of [true, false]) {
    const { reported, begin } = given({ waits, concurrency: 2 })
    const busy = gate()
    const all = [
      begin('alone', { needs: [waits ? 'booking' : 'clock'] }, () => busy.passed),
      begin('other', {}, async () => undefined),
    ]
    await settled()
    expect(reported).toEqual(['alone begins'])
    busy.open()
    await Promise.all(all)
  }
})

test('a slot is released if its scenario fails during a wait', async () => {
  const { reported, begin } = given()
  const failing = begin('failing', { waitsMs: 1 }, (place) =>
    place.meanwhile(async () => {
      throw new Error('it waits for too long')
    }),
  )
  await expect(failing).rejects.toThrow('too long')
  await begin('next', {}, async () => undefined)
  expect(reported).toEqual(['failing begins', 'next begins', 'next ends'])
})

test('a scenario that gets its slot too late is inconclusive', async () => {
  let now = 0
  const clock: TargetClock = {
    kind: 'wall',
    now: () => new Date(now),
    pass: async (ms) => void (now += ms),
  }
  const turns: string[] = []
  const slow: Pick<Slot, 'meanwhile'> = {
    async meanwhile(wait) {
      await wait()
      now += 5_000
    },
  }
  const yielding = yieldingClock(clock, slow, {
    release: () => void turns.push('leave'),
    reacquire: () => void turns.push('back'),
  })
  await yielding.pass(1_000, 5_000)
  await expect(yielding.pass(1_000, 4_999)).rejects.toThrow('it was to be polled by')
  expect([now, turns]).toEqual([12_000, ['leave', 'back', 'leave', 'back']])
})
