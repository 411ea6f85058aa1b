import { expect, test } from 'vitest'
import { startServerProcess } from '../server-process.ts'

test('a server process answers from its start to its stop', async () => {
  const { url, stop } = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0'])
  expect((await fetch(`${url}/_test-hooks/clock`)).status).toBe(200)
  await stop()
  await expect(fetch(`${url}/_test-hooks/clock`)).rejects.toThrow()
})

test('a program that does not start reports the reason', async () => {
  const start = startServerProcess('harness/cli/main.ts', ['bank', '--prot', '0'])
  await expect(start).rejects.toThrow(
    "harness/cli/main.ts did not say where it listens: error: unknown option '--prot'",
  )
})
