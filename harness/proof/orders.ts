import { requirements } from '../plan/catalogue.ts'
import { createSelection } from '../plan/select.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import { isDialect, loadDefects, loadVariations } from './suspects.ts'
import type { ChapterDefect } from './suspects.ts'
import type { Order } from './worker.ts'

/** Which banks are tried, and what each is to be caught by. */

export interface Wanted {
  /** Chapters, requirements or tags to judge; all, where empty. */
  readonly only: readonly string[]
  /** Parts of the ids of banks; all banks, where empty. */
  readonly suspect: readonly string[]
  readonly seed: number
  readonly runs: number
  readonly dialect?: string | undefined
}

/** A defect breaks nothing else than what is judged: one that breaks nothing of it is not tried. */
const brokenBy = ({ breaks }: ChapterDefect, judged: ReadonlySet<string>): readonly string[] =>
  breaks.map(({ id }) => id).filter((id) => judged.has(id))

/** @throws ConfigurationError where a selector, or a part of an id, names nothing. */
export const ordersFor = async ({ suspect, ...common }: Wanted): Promise<readonly Order[]> => {
  const unselected = createSelection(requirements, { only: common.only, skip: [] })
  const judged = new Set(requirements.filter((row) => unselected(row) === undefined).map(({ id }) => id))
  const [defects, variations] = [await loadDefects(), loadVariations()]
  verify(suspect, [...variations, ...defects])
  const isTried = ({ id }: { readonly id: string }): boolean =>
    suspect.length === 0 || suspect.some((part) => id.includes(part))
  const orders: readonly Order[] = [
    ...variations
      .filter(isTried)
      // Who speaks one dialect speaks no other.
      .filter(({ id }) => common.dialect === undefined || !isDialect(id))
      .map(({ id }) => ({ ...common, variation: id })),
    ...defects
      .filter(isTried)
      .map((defect) => ({
        ...{ ...common, defect: defect.id, breaks: brokenBy(defect, judged) },
        environment: defect.triedIn ?? defect.environment ?? 'sandbox',
      }))
      .filter(({ breaks }) => common.only.length === 0 || breaks.length > 0),
  ]
  if (orders.length > 0) return orders
  throw new ConfigurationError(
    `--suspect ${suspect.join(' ')}: nothing is left to try; none of these banks breaks what --only selects (${common.only.join(' ')})`,
  )
}

const verify = (suspect: readonly string[], known: readonly { readonly id: string }[]): void => {
  const ids = known.map(({ id }) => id)
  const problems = suspect
    .filter((part) => !ids.some((id) => id.includes(part)))
    .map((part) => {
      const right = nearest(part, ids)
      const hint = right === undefined ? 'npm run catalogue shows them all' : `did you mean ${right}?`
      return `--suspect ${part}: no defect or variation has this in its id; ${hint}`
    })
  if (problems.length > 0) throw new ConfigurationError(problems)
}
