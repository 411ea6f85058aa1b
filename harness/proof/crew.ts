import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TYPESCRIPT_LOADER } from '../plan/root.ts'
import type { Finding, Order } from './worker.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/**
 * What a bank and its scenario leave behind is collected often, by each process in its own thread: there is one for each
 * core, and threads that help would take the core of another. What stays is a few hundred MB that never go: until they
 * are some more, nobody has to look through them.
 */
const MEMORY = [
  '--single-threaded-gc',
  ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
  '--initial-old-space-size=1024',
]

/**
 * Each bank is wrong in another place, so that what was made one with its caller is soon unmade: the less of it, the
 * less the engine has to do anew.
 */
const SPEED = ['--max-inlined-bytecode-size-cumulative=115']

/** The longest trial takes a hundredth of this. */
const DEADLINE_MS = 10 * 60 * 1000

/** A trial that has come to no finding: a fault of ours, and nothing that is known of a check. */
export class TrialFault extends Error {}

/**
 * What everybody tries first comes first. To learn what is asked of a bank in production takes as long as twenty trials:
 * those are at the end, where one of the crew begins, so that nobody else has to.
 */
const inTurn = (orders: readonly Order[]): number[] => {
  const isInProduction = (at: number): boolean => {
    const order = orders[at]
    return order !== undefined && 'defect' in order && order.environment === 'production'
  }
  const places = [...orders.keys()]
  return [...places.filter((at) => !isInProduction(at)), ...places.filter(isInProduction)]
}

const bankOf = (order: Order): string => ('defect' in order ? order.defect : order.variation)

interface Crew {
  /** How many processes there are at most. */
  readonly size: number
  readonly onFinding: (done: number) => void
  readonly program?: string
  readonly deadlineMs?: number
}

/**
 * Has the orders carried out by a crew of processes, and gives the findings in the order of the orders.
 * @throws TrialFault that names the bank whose trial crashed, or came to no end.
 */
export const carryOut = async (
  orders: readonly Order[],
  { size, onFinding, program = WORKER, deadlineMs = DEADLINE_MS }: Crew,
): Promise<readonly Finding[]> => {
  const findings = new Map<number, Finding>()
  const workers = new Set<ReturnType<typeof fork>>()
  const left = inTurn(orders)
  const crew = Math.min(size, orders.length)

  const work = (_: unknown, number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(program, { execArgv: [...TYPESCRIPT_LOADER, ...MEMORY, ...SPEED] })
      workers.add(worker)
      let current: number | undefined
      let deadline: NodeJS.Timeout | undefined
      const fail = (what: string): void => {
        const order = current === undefined ? undefined : orders[current]
        reject(
          new TrialFault(order === undefined ? `a trial ${what}` : `the trial of ${bankOf(order)} ${what}`),
        )
      }
      const takeNext = (): void => {
        clearTimeout(deadline)
        current = number === crew - 1 ? left.pop() : left.shift()
        const order = current === undefined ? undefined : orders[current]
        if (order === undefined) return worker.disconnect()
        deadline = setTimeout(() => fail(`came to no end within ${deadlineMs / 1000} s`), deadlineMs)
        worker.send(order)
      }
      worker.on('message', (message: Finding | 'ready') => {
        if (message !== 'ready' && current !== undefined) {
          findings.set(current, message)
          onFinding(findings.size)
        }
        takeNext()
      })
      worker.on('error', (error) => fail(`could not be carried out: ${error.message}`))
      worker.on('exit', (code) => {
        clearTimeout(deadline)
        if (code === 0) resolve()
        else fail(`crashed (exit ${code ?? 'by signal'})`)
      })
    })

  try {
    await Promise.all(Array.from({ length: crew }, work))
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
  }
  return orders.flatMap((_, at) => findings.get(at) ?? [])
}
