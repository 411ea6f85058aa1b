import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { eachReached, everyOne, restsOn, ViolationError, type Statement } from './verdict.ts'
import type { Acted } from './acted.ts'
import type { SeenOperation } from '../evidence/exchange.ts'

/** One of the records that a check judges. */
export interface Case<Record> {
  /** @throws NotReached if there is no record, with the reason. */
  readonly read: () => Record
  /** The statement of the profile on which it rests, and why it cannot be judged by it. */
  readonly rests?: { readonly on: Statement; readonly unusable: () => string | undefined }
}

/** What a check judges of a scenario: its record, or parts of it that fulfill a precondition. */
export class Selection<Record> {
  readonly scenario: Acted
  readonly #casesIn: (whole: unknown) => readonly Case<Record>[]
  readonly #isOneEnough: boolean
  /** If it selects from all exchanges of the run: their operations. */
  readonly over: readonly SeenOperation[] | undefined

  /**
   * @param casesIn finds the cases in the observed record of the scenario.
   * @param isOneEnough whether it is enough that one of the cases can be judged; otherwise each has to be.
   */
  constructor(
    scenario: Acted,
    casesIn: (whole: unknown) => readonly Case<Record>[],
    isOneEnough = false,
    over?: readonly SeenOperation[],
  ) {
    this.scenario = scenario
    this.#casesIn = casesIn
    this.#isOneEnough = isOneEnough
    this.over = over
  }

  /**
   * Those records that fulfill a precondition. They are judged as they are, whatever the profile states of them.
   * @param because why a check is not reached if no record fulfills it.
   */
  where(isMeant: (record: Record) => boolean, because: string): Selection<Record> {
    const casesIn = (whole: unknown) =>
      this.#casesIn(whole).map(({ read }) => ({
        read: () => {
          const record = read()
          if (!isMeant(record)) throw new NotReached(because)
          return record
        },
      }))
    return new Selection(this.scenario, casesIn, true, this.over)
  }

  /** Those of some keys of the profile. */
  of(isMeant: (key: string) => boolean): Selection<Record> {
    const casesIn = (whole: unknown) =>
      this.#casesIn(whole).filter(({ rests }) => rests !== undefined && isMeant(rests.on.key))
    return new Selection(this.scenario, casesIn, this.#isOneEnough, this.over)
  }

  /**
   * Each item of the records.
   * @param because why a check is not reached if there is none.
   */
  each<Item>(itemsOf: (record: Record) => readonly Item[], because: string): Selection<Item> {
    const itemsIn = ({ read }: Case<Record>): readonly Case<Item>[] => {
      try {
        return itemsOf(read()).map((item) => ({ read: () => item }))
      } catch (error) {
        return [missing(unreachedBy(error, this.over))]
      }
    }
    const casesIn = (whole: unknown) => {
      const found = this.#casesIn(whole).flatMap(itemsIn)
      return found.length === 0 ? [missing(new NotReached(because))] : found
    }
    return new Selection(this.scenario, casesIn, this.#isOneEnough, this.over)
  }

  /** Judges the cases. @throws NotReached if too few of them can be judged. */
  judge(whole: unknown, judge: (record: Record) => void): void {
    const judgeCase = ({ rests, read }: Case<Record>): void => {
      if (rests === undefined) return judge(read())
      restsOn(rests.on, () => {
        const record = read()
        const because = rests.unusable()
        if (because !== undefined) throw new NotReached(because)
        judge(record)
      })
    }
    const judgeAll = this.#isOneEnough ? eachReached : everyOne
    judgeAll(this.#casesIn(whole), (one) => {
      try {
        judgeCase(one)
      } catch (error) {
        throw this.over === undefined || error instanceof ViolationError
          ? error
          : unreachedBy(error, this.over)
      }
    })
  }
}

export type Selectable<Record> = Pick<Selection<Record>, 'where' | 'each'>

/** In a whole run, an answer that cannot be read leaves open no other one. @throws any other error. */
const unreachedBy = (error: unknown, over: readonly SeenOperation[] | undefined): NotReached => {
  if (error instanceof NotReached) return error
  if (over !== undefined && error instanceof Inconclusive) return new NotReached(error.message)
  throw error
}

const missing = (error: NotReached): Case<never> => ({
  read: () => {
    throw error
  },
})
