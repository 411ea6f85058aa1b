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
  /** What one of them has failed with, if any has. */
  readonly fault: () => Error | undefined
  /** Ends them all: those that were not needed, and whoever is still at work. */
  end(): Promise<void>
}

const NAME = 'checks'

const PROGRAM = moduleFile(join(ROOT, 'harness/run/thread.ts'))

/** Scenarios of a remote target share its connections, its rate and its clock, so one thread does them all: a budget too. */
const sizeFor = ({ plan, baseUrl, budget }: Certification): number =>
  baseUrl === undefined && budget === undefined
    ? Math.max(1, Math.min(availableParallelism(), specFilesOf(plan).length))
    : 1

interface Thread {
  readonly worker: Worker
  /** When it has loaded all that it needs. @throws what it failed with before that. */
  readonly loaded: Promise<void>
}

const startThread = (program: string, onFault: (fault: Error) => void): Thread => {
  const worker = new Worker(program, { execArgv: [...nodeArguments()] })
  worker.once('error', onFault)
  const loaded = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`a thread of the run has ended before it began (${code})`)),
    )
  })
  // Nobody may ever need it.
  loaded.catch(() => undefined)
  return { worker, loaded }
}

const asWorker = ({ worker, loaded }: Thread): PoolWorker => ({
  name: NAME,
  on(event, hear) {
    // A thread that fails ends: told of both, the test runner would have the dead one go on with the next file.
    if (event !== 'error') worker.on(event, hear)
  },
  off: (event, hear) => void worker.off(event, hear),
  send: (message) => worker.postMessage(message),
  deserialize: (data) => data,
  start: () => loaded,
  stop: async () => {
    await worker.terminate()
  },
})

/** Starts the threads of a run, and gives them what they carry out. */
export const startThreads = (certification: Certification, program = PROGRAM): Threads => {
  const size = sizeFor(certification)
  handOut(certification)
  const faults: Error[] = []
  const all: Thread[] = []
  const start = (): Thread => {
    const thread = startThread(program, (fault) => faults.push(fault))
    all.push(thread)
    return thread
  }
  const waiting = Array.from({ length: size }, start)
  return {
    size,
    runner: { name: NAME, createPoolWorker: () => asWorker(waiting.shift() ?? start()) },
    fault: () => faults[0],
    end: async () => {
      await Promise.all(all.map(({ worker }) => worker.terminate()))
      handOut(undefined)
    },
  }
}
