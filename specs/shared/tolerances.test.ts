import { expect, test } from 'vitest'
import { days, type Session } from '../../harness/session/index.ts'
import { HOUR, MINUTE, waitForLastMinutes, waitForTheEnd } from './tolerances.ts'

/** How long after the issue the two waits end. */
const waits = async (sentAt: string, timeZone: string) => {
  const passed: number[] = []
  const pass = (ms: number) => Promise.resolve(void passed.push(ms - days(90)))
  const session = {
    profile: { timeZone },
    clock: { now: () => new Date(sentAt), pass },
  } as unknown as Session
  await waitForLastMinutes(session, { sentAt, durationMs: 0 })
  await waitForTheEnd(session, { sentAt, durationMs: 0 })
  return passed
}

test('days of the calendar are an hour shorter over the begin of summer time, and an hour longer over its end', async () => {
  for (const zone of ['UTC', 'Europe/Bratislava']) {
    expect(await waits('2026-05-06T10:00:00Z', zone)).toEqual([-2 * MINUTE, 2 * MINUTE])
    expect(await waits('2026-01-05T10:00:00Z', zone)).toEqual([-HOUR - 2 * MINUTE, 2 * MINUTE])
    expect(await waits('2026-10-01T10:00:00Z', zone)).toEqual([-2 * MINUTE, HOUR + 2 * MINUTE])
  }
})
