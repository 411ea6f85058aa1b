import { expect, test } from 'vitest'
import { withGracePeriod } from './interruption.ts'

const never = new Promise<never>(() => undefined)

test('work that ends is waited for, interrupted or not', async () => {
  expect(await withGracePeriod(Promise.resolve(1), new AbortController().signal, 0)).toEqual({ done: 1 })
  expect(await withGracePeriod(Promise.resolve(1), AbortSignal.abort(), 60_000)).toEqual({ done: 1 })
})

test('work that does not end is given up after the grace of an interruption', async () => {
  const stop = new AbortController()
  const waiting = withGracePeriod(never, stop.signal, 10)
  stop.abort()
  expect(await waiting).toBe('given up')
  expect(await withGracePeriod(never, AbortSignal.abort(), 10)).toBe('given up')
})

test('work that fails fails', async () => {
  await expect(withGracePeriod(Promise.reject(new Error('no')), AbortSignal.abort(), 60_000)).rejects.toThrow(
    'no',
  )
})
