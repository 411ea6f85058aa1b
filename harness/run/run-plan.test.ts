import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../report/scratch.ts'
import { runPlan } from './run-plan.ts'
import { startThreads } from './threads.ts'
import type { Certification } from './certification.ts'

/** Two checks of two files, in one thread. */
const certification = {
  baseUrl: 'https://bank.example',
  plan: {
    checks: ['consent/credentials', 'consent/scope'].map((file, at) => ({
      key: `specs/${file}.spec.ts#1`,
      id: `CON-0${at + 1}/1`,
      requirement: `CON-0${at + 1}`,
      title: 'a consent',
    })),
  },
} as unknown as Certification

/** As far as the test runner talks with a thread before it hands a file over. */
const STARTED = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ type }) => {
    if (type === 'start') parentPort.postMessage({ __vitest_worker_response__: true, type: 'started' })
    if (type === 'run') BREAK
  })
  parentPort.postMessage('loaded')`

test.each([
  ['fails while it loads', "throw new Error('a module is broken')", 'Error: a module is broken'],
  ['fails at work', STARTED.replace('BREAK', "throw new Error('no memory')"), 'Error: no memory'],
  ['ends at work', STARTED.replace('BREAK', 'process.exit(7)'), 'Error: Worker exited unexpectedly'],
])(
  'a thread that %s is told of once, with what was the matter, and no check is lost',
  async (_, code, said) => {
    const program = join(scratch(), 'thread.mjs')
    writeFileSync(program, code)
    const threads = startThreads(certification, program)
    const faults: string[] = []
    const { results } = await runPlan(certification, threads, {
      onResult: () => undefined,
      onFault: (sentence) => faults.push(sentence),
      onUnkept: () => undefined,
      interruption: new AbortController().signal,
    })
    await threads.end()
    expect(faults.map((fault) => fault.split('\n', 1)[0])).toEqual([`A fault of the suite: ${said}`])
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['CON-01/1', 'harness-error'],
      ['CON-02/1', 'harness-error'],
    ])
    for (const { because } of results) expect(because).toContain(said)
  },
)
