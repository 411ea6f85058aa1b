import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { moduleFile, nodeArguments } from '../modules.ts'
import type { Finding, Order } from './worker.ts'

const WORKER = moduleFile(fileURLToPath(new URL('./worker.ts', import.meta.url)))

/**
 * What a bank and its scenario leave behind is collected often, by each process in its own thread: there is one for each
 * core, and threads that help would take the core of another.
 */
const MEMORY = ['--single-threaded-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

/** Has the orders carried out by a crew of processes, and gives the findings in the order of the orders. */
export const carryOut = async (
  orders: readonly Order[],
  size: number,
  onFinding: (done: number) => void,
): Promise<readonly Finding[]> => {
  const findings = new Map<number, Finding>()
  let next = 0

  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(WORKER, { execArgv: [...nodeArguments(), ...MEMORY] })
      let current = -1
      worker.on('message', (message: Finding | 'ready') => {
        if (message !== 'ready') {
          findings.set(current, message)
          onFinding(findings.size)
        }
        current = next
        next += 1
        const order = orders[current]
        if (order === undefined) worker.disconnect()
        else worker.send(order)
      })
      worker.on('error', reject)
      worker.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a trial crashed (exit ${code ?? 'by signal'})`)),
      )
    })

  await Promise.all(Array.from({ length: Math.min(size, orders.length) }, work))
  return orders.flatMap((_, at) => findings.get(at) ?? [])
}
