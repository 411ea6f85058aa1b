import { expect, test, vi } from 'vitest'
import { createStir } from './stir.ts'

const restOf = (stir: ReturnType<typeof createStir>, ms: number) => {
  const seen = { isOver: false }
  void stir.rests(ms).then(() => (seen.isOver = true))
  return seen
}

test('rest is told of once nothing has been under way for so long, and no earlier', async () => {
  vi.useFakeTimers()
  try {
    const stir = createStir()
    const first = stir.begins()
    const rest = restOf(stir, 100)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
    first()
    await vi.advanceTimersByTimeAsync(99)
    const second = stir.begins()
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
    const stir = createStir()
    const first = stir.begins()
    stir.begins()
    first()
    first()
    const rest = restOf(stir, 0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
