import { NotReached } from '../../evidence/signals.ts'
import type { Operation } from '../../evidence/effect.ts'

/** How many requests a run may still send. */
export interface Budget {
  /** Counts one request. @throws NotReached if none is left: then nothing is sent. */
  spend(operation: Operation): void
}

export interface Limits {
  readonly requests?: number | undefined
  readonly perOperation: Readonly<Partial<Record<Operation, number>>>
}

export type Spent = ReadonlyMap<string, number>

const sum = (spent: Spent): number => [...spent.values()].reduce((total, count) => total + count, 0)

/** @param before what the run has sent already, by operation. */
export const createBudget = ({ requests, perOperation }: Limits, before: Spent = new Map()): Budget => {
  const spent = new Map(before)
  let all = sum(before)
  return {
    spend(operation) {
      const own = spent.get(operation) ?? 0
      const most = perOperation[operation]
      if (requests !== undefined && all >= requests)
        throw new NotReached(
          `not sent: the budget of ${requests} requests is used up (--budget, or \`budget.requests\` of the profile)`,
        )
      if (most !== undefined && own >= most)
        throw new NotReached(
          `not sent: the budget of ${most} requests of the operation ${operation} is used up (\`budget.perOperation\` of the profile)`,
        )
      all += 1
      spent.set(operation, own + 1)
    },
  }
}
