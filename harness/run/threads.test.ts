import { availableParallelism } from 'node:os'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../report/scratch.ts'
import { startThreads } from './threads.ts'
import type { PoolOptions, PoolWorker } from 'vitest/node'
import type { Certification } from './certification.ts'
import type { Threads } from './threads.ts'

const programOf = (code: string): string => {
  const file = join(scratch(), 'thread.mjs')
  writeFileSync(file, `import { parentPort, getEnvironmentData } from 'node:worker_threads'\n${code}`)
  return file
}

const echo = (): string =>
  programOf(
    `parentPort.on('message', (message) => parentPort.postMessage([message, getEnvironmentData('certification').rate]))
    parentPort.postMessage('loaded')`,
  )

const planOf = (files: number): Certification['plan'] => {
  const checks = Array.from({ length: files }, (_, at) => ({ key: `specs/tokens/${at}.spec.ts#1` }))
  return { checks } as unknown as Certification['plan']
}

const certification = (more: object = {}, files = 100): Certification =>
  ({ plan: planOf(files), ...more }) as unknown as Certification

const take = ({ runner }: Threads): PoolWorker => runner.createPoolWorker({} as PoolOptions)

test.each([
  ['a bank of its own for each scenario', certification(), availableParallelism()],
  ['one spec file', certification({}, 1), 1],
  ['nothing to do', certification({}, 0), 1],
  ['a target that all scenarios share', certification({ baseUrl: 'https://bank.example' }), 1],
  ['a budget', certification({ budget: {} }), 1],
])('%s', async (_, given, size) => {
  const threads = startThreads(given, echo())
  expect(threads.size).toBe(size)
  await threads.end()
})

const answerOf = async (worker: PoolWorker): Promise<unknown> => {
  await worker.start()
  const heard = new Promise((resolve) => worker.on('message', resolve))
  worker.send('a message' as never)
  const answer = worker.deserialize(await heard)
  await worker.stop()
  return answer
}

test('threads know what to certify, and there are as many as the test runner asks for', async () => {
  const threads = startThreads(certification({ rate: 7 }, 1), echo())
  const workers = [take(threads), take(threads)]
  expect(await Promise.all(workers.map(answerOf))).toEqual([
    ['a message', 7],
    ['a message', 7],
  ])
  await threads.end()
})

test.each([
  ['what it fails with', "throw new Error('a module is broken')", 'a module is broken'],
  ['that it has ended', 'process.exit(7)', 'a thread of the run has ended before it began (7)'],
])(
  'a thread that does not come to its beginning says %s, to whoever starts it then',
  async (_, code, said) => {
    const threads = startThreads(certification({}, 1), programOf(code))
    await expect(take(threads).start()).rejects.toThrow(said)
    await threads.end()
  },
)
