import { expect, test, vi } from 'vitest'
import { trackActivity } from './page-activity.ts'

const restOf = (activity: ReturnType<typeof trackActivity>, ms: number) => {
  const seen = { isOver: false }
  void activity.rests(ms).then(() => (seen.isOver = true))
  return seen
}

test('rest is told of once nothing has been under way for so long, and no earlier', async () => {
  vi.useFakeTimers()
  try {
    const activity = trackActivity()
    const first = activity.begins()
    const rest = restOf(activity, 100)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
    first()
    await vi.advanceTimersByTimeAsync(99)
    const second = activity.begins()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
    second()
    await vi.advanceTimersByTimeAsync(100)
    expect(rest.isOver).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('what is told to be over twice is over once', async () => {
  vi.useFakeTimers()
  try {
    const activity = trackActivity()
    const first = activity.begins()
    activity.begins()
    first()
    first()
    const rest = restOf(activity, 0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
