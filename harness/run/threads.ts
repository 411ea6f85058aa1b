import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { moduleFile, nodeArguments, ROOT } from '../modules.ts'
import { handOut } from './certification.ts'
import { specFilesOf } from './spec-files.ts'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'
import type { Certification } from './certification.ts'

/** The threads of a run. They load what they need beside the test runner, which would start them when it is loaded. */

export interface Threads {
  /** How the test runner comes by its threads. */
  readonly runner: PoolRunnerInitializer
  /** How many there are at most. */
  readonly size: number
  /** Ends those that were not needed. */
  end(): Promise<void>
}

const NAME = 'checks'

const PROGRAM = moduleFile(join(ROOT, 'harness/run/thread.ts'))

/** Scenarios of a remote target share its connections, its rate and its clock, so one thread does them all: a budget too. */
const sizeFor = ({ plan, baseUrl, budget }: Certification): number =>
  baseUrl === undefined && budget === undefined
    ? Math.max(1, Math.min(availableParallelism(), specFilesOf(plan).length))
    : 1

/** A thread, and what it failed with while nobody listened. */
interface Thread {
  readonly worker: Worker
  readonly fault: () => Error | undefined
}

const startThread = (program: string): Thread => {
  const worker = new Worker(program, { execArgv: [...nodeArguments()] })
  let fault: Error | undefined
  worker.once('error', (error: Error) => (fault = error))
  return { worker, fault: () => fault }
}

const asWorker = ({ worker, fault }: Thread): PoolWorker => ({
  name: NAME,
  on: (event, hear) => void worker.on(event, hear),
  off: (event, hear) => void worker.off(event, hear),
  send: (message) => worker.postMessage(message),
  deserialize: (data) => data,
  start: async () => {
    const reason = fault()
    if (reason !== undefined) throw reason
  },
  stop: async () => {
    await worker.terminate()
  },
})

/** Starts the threads of a run, and gives them what they carry out. */
export const startThreads = (certification: Certification, program = PROGRAM): Threads => {
  const size = sizeFor(certification)
  handOut(certification)
  const waiting = Array.from({ length: size }, () => startThread(program))
  return {
    size,
    runner: { name: NAME, createPoolWorker: () => asWorker(waiting.shift() ?? startThread(program)) },
    end: async () => {
      await Promise.all(waiting.map(({ worker }) => worker.terminate()))
      handOut(undefined)
    },
  }
}
