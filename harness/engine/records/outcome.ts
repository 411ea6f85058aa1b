import { createHash } from 'node:crypto'
import { stringify } from 'fast-check'
import { ViolationError, type Violation } from '../../check/verdict.ts'
import { diskFullReason } from '../../evidence/journal.ts'
import { HeldBack, Inconclusive, NotReached, Waiting } from '../../evidence/signals.ts'
import { decodeRecord, encodeRecord } from '../../evidence/stored/encoding.ts'
import { ProfileMistake, type ProfileMismatch } from '../../profile/mismatch/mismatch.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Redactor } from '../../evidence/redaction.ts'
import type { FactsByPseudonym } from '../../evidence/redaction/secret-facts.ts'
import type { RecordLine, StoredOutcome, StoredStop } from '../../evidence/stored/record-file.ts'

/** The result of a scenario: its record, or what it threw. */
export type Outcome = { readonly record: unknown } | { readonly stopped: unknown }

/** The same from its stored form, as judges see it: with pseudonyms in place of secrets, and facts about these. */
export type JudgedOutcome =
  { readonly record: unknown; readonly facts: FactsByPseudonym } | { readonly stopped: unknown }

/** Finds exchanges of the evidence by their ids. */
export type ExchangeOf = (id: string) => Exchange | undefined

export const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof NotReached || thrown instanceof Inconclusive) return thrown.message
  const diskFull = diskFullReason(thrown)
  if (diskFull !== undefined) return `the exchanges could not be written: ${diskFull}`
  if (thrown instanceof HeldBack) return `the scenario sends more than it declares: ${thrown.message}`
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

const nameOf = (thrown: unknown): StoredStop['name'] => {
  if (thrown instanceof Waiting) return 'Waiting'
  if (thrown instanceof ProfileMistake) return 'ProfileMistake'
  if (thrown instanceof NotReached) return 'NotReached'
  if (thrown instanceof Inconclusive) return 'Inconclusive'
  return thrown instanceof ViolationError ? 'ViolationError' : 'Error'
}

export const hideMismatch = (mismatch: ProfileMismatch, redactor: Redactor): ProfileMismatch => ({
  ...mismatch,
  shown: redactor.sentence(mismatch.shown),
})

const hideViolation = (violation: Violation, redactor: Redactor): Violation => ({
  ...violation,
  expected: redactor.sentence(violation.expected),
  received: redactor.text(violation.received),
})

/** What was thrown, without secrets. */
export const storeStop = (thrown: unknown, redactor: Redactor): StoredStop => ({
  name: nameOf(thrown),
  because: redactor.sentence(reasonOf(thrown)),
  ...(thrown instanceof Waiting && { until: thrown.until.toISOString() }),
  ...(thrown instanceof ProfileMistake && { detail: hideMismatch(thrown.mismatch, redactor) }),
  ...(thrown instanceof ViolationError && { detail: hideViolation(thrown.violation, redactor) }),
})

/** What was thrown, from its stored form. */
const reviveStop = ({ name, because, until = '', detail }: StoredStop): Error => {
  switch (name) {
    case 'NotReached':
      return new NotReached(because)
    case 'Inconclusive':
      return new Inconclusive(because)
    case 'Waiting':
      return new Waiting(new Date(until))
    case 'ProfileMistake':
      return Object.assign(new ProfileMistake(detail as ProfileMismatch), { message: because })
    case 'ViolationError':
      return new ViolationError(detail as Violation)
    case 'Error':
      return Object.assign(new Error(because), { stack: because })
  }
}

/** Distinguishes the values of a property, and does not show them: they may be secret. */
export const digestOfValue = (value: unknown): string =>
  createHash('sha256').update(stringify(value)).digest('hex')

interface Origin {
  /** The beginning of the ids of its exchanges. */
  readonly attempt: string
  readonly redactor: Redactor
  readonly exchangeOf: ExchangeOf
}

const storeRecord = (record: unknown, { attempt: scenario, redactor, exchangeOf }: Origin): StoredOutcome => {
  const exchanges = new Set<Exchange>()
  const encoded = encodeRecord(record, {
    scenario,
    hide: (text) => redactor.value(text),
    hideInName: (name) => redactor.sentence(name),
    onExchange(id) {
      const exchange = exchangeOf(id)
      if (exchange !== undefined) exchanges.add(exchange)
    },
  })
  const facts = redactor.factsIn(JSON.stringify(encoded), [...exchanges])
  return { record: encoded, ...(facts.size > 0 && { facts: Object.fromEntries(facts) }) }
}

export const storeOutcome = (outcome: Outcome, origin: Origin): StoredOutcome => {
  if ('stopped' in outcome) return { stopped: storeStop(outcome.stopped, origin.redactor) }
  try {
    return storeRecord(outcome.record, origin)
  } catch (error) {
    return { stopped: storeStop(error, origin.redactor) }
  }
}

/** What judges see of an outcome. */
export const outcomeIn = ({ outcome, attempt }: RecordLine, exchangeOf: ExchangeOf): JudgedOutcome => {
  if ('stopped' in outcome) return { stopped: reviveStop(outcome.stopped) }
  try {
    const record = decodeRecord(outcome.record, { scenario: attempt, exchangeOf })
    return { record, facts: new Map(Object.entries(outcome.facts ?? {})) }
  } catch (stopped) {
    return { stopped }
  }
}
