import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { Tinypool } from 'tinypool'
import { pathToFileURL } from 'node:url'
import { built } from '../plan/root.ts'
import { messageOf } from '../evidence/errors.ts'
import type { TrialResult } from './result.ts'
import type { Task } from './selection.ts'

/** The longest trial takes about a minute of a core. Beside tests it may get a tenth of one. */
const DEADLINE_MS = 30 * 60 * 1000

/** A trial without a result: a fault of this program, which says nothing about a check. */
export class TrialFault extends Error {}

/** Gives the processes of the pool the folder of own checks. */
export const OWN_CHECKS_VARIABLE = 'CONFORMANCE_OWN_CHECKS'

interface PoolOptions {
  readonly onResult: (done: number, result: TrialResult) => void
  readonly program?: string
  readonly ownChecks?: string | undefined
  readonly deadlineMs?: number
}

/**
 * Tries banks in as many processes as there are cores. Resolves to the results in the order of the tasks.
 * @throws TrialFault with the id of the bank whose trial crashed or took too long.
 */
export const runTrials = async (
  tasks: readonly Task[],
  {
    onResult,
    program = pathToFileURL(built('harness/proof/try-bank.ts')).href,
    deadlineMs = DEADLINE_MS,
    ownChecks,
  }: PoolOptions,
): Promise<readonly TrialResult[]> => {
  const processes = Math.min(availableParallelism(), tasks.length)
  const pool = new Tinypool({
    filename: program,
    runtime: 'child_process',
    env: { ...process.env, ...(ownChecks !== undefined && { [OWN_CHECKS_VARIABLE]: ownChecks }) },
    minThreads: processes,
    maxThreads: processes,
  })
  let done = 0
  try {
    // A task enters the pool when a process is free for it, so that its deadline does not include the time in the queue.
    return await pLimit(processes).map(tasks, async (task) => {
      const deadline = AbortSignal.timeout(deadlineMs)
      try {
        const result = (await pool.run(task, { signal: deadline })) as TrialResult
        onResult((done += 1), result)
        return result
      } catch (error) {
        const reason = deadline.aborted ? `it took longer than ${deadlineMs / 1000} s` : messageOf(error)
        throw new TrialFault(`the trial of ${task.id} failed: ${reason}`, { cause: error })
      }
    })
  } finally {
    await pool.destroy()
  }
}
