import { createHash } from 'node:crypto'
import { stringify } from 'fast-check'
import { ViolationError, type Violation } from '../../check/verdict.ts'
import { diskFullReason } from '../../evidence/journal.ts'
import { HeldBack, Inconclusive, NotReached, Waiting } from '../../evidence/signals.ts'
import { encodeRecord, Unstorable } from '../../evidence/stored/encoding.ts'
import { ProfileMistake, type ProfileMismatch } from '../../profile/mismatch/mismatch.ts'
import type { Redactor } from '../../evidence/redaction.ts'
import type { RecordLine, StoredOutcome, StoredStop } from '../../evidence/stored/record-file.ts'

/** The result of a scenario: its record, or what it threw. */
export type Outcome = { readonly record: unknown } | { readonly stopped: unknown }

/** What a scenario or a judge threw: its reason in words, and how it is stored. */

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

/** A mismatch without secrets. */
export const hideMismatch = (mismatch: ProfileMismatch, redactor: Redactor): ProfileMismatch => ({
  ...mismatch,
  shown: redactor.text(mismatch.shown),
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
export const reviveStop = ({ name, because, until = '', detail }: StoredStop): Error => {
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
  readonly scenario: string
  readonly attempt: string
  readonly of: string | undefined
  readonly interfering: string | undefined
  readonly redactor: Redactor
}

const storedOutcomeOf = (outcome: Outcome, { attempt: scenario, redactor }: Origin): StoredOutcome => {
  if ('stopped' in outcome) return { stopped: storeStop(outcome.stopped, redactor) }
  try {
    return { record: encodeRecord(outcome.record, { scenario, hide: (text) => redactor.value(text) }) }
  } catch (error) {
    if (error instanceof Unstorable) return { unstorable: error.message }
    throw error
  }
}

export const recordLineOf = (outcome: Outcome, origin: Origin): RecordLine => ({
  kind: 'record',
  scenario: origin.scenario,
  attempt: origin.attempt,
  ...(origin.of !== undefined && { of: origin.of }),
  outcome: storedOutcomeOf(outcome, origin),
  ...(origin.interfering !== undefined && { interfering: origin.interfering }),
})
