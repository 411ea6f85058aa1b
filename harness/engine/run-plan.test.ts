import { expect, test } from 'vitest'
import { runPlan } from './run-plan.ts'
import type { RunInput } from './run-input.ts'

/** A plan whose threads cannot start: it has no profile with which a target could be opened. */
const unopenable = {
  deadline: Date.now() + 60_000,
  secrets: [{ name: 'client_secret', value: "'deadlines'" }],
  plan: {
    checks: ['consent/credentials', 'consent/scope'].map((file, at) => ({
      key: `specs/${file}.spec.ts#1`,
      id: `CON-0${at + 1}/1`,
      requirement: `CON-0${at + 1}`,
      title: 'a consent',
    })),
  },
} as unknown as RunInput

test('if spec files cannot be run, the fault is reported once, without secrets, and every check has a result', async () => {
  const faults: string[] = []
  const { results } = await runPlan(unopenable, {
    onResult: () => undefined,
    onFault: (sentence) => faults.push(sentence),
    onDiskFull: () => undefined,
    interruption: new AbortController().signal,
  })
  const because = /^TypeError: .*reading \[client_secret:1\]/
  expect(faults).toEqual([expect.stringMatching(/^A fault of the suite: TypeError: .*\[client_secret:1\]/)])
  expect(results).toMatchObject([
    { id: 'CON-01/1', verdict: 'harness-error', because: expect.stringMatching(because) as string },
    { id: 'CON-02/1', verdict: 'harness-error', because: expect.stringMatching(because) as string },
  ])
})
