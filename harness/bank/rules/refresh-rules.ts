/** A refresh: its permission, its accounts, and the stages of the update of each other bank. */
import { randomUUID } from '../random.ts'
import { type Account, isAtOwnBank } from '../seed-data.ts'
import type { Consent, Grant, RefreshTask } from '../state.ts'
import { type BearerFacts, type Facts, SECOND } from './facts.ts'

/** The part of a refresh that one bank has. */
export interface BankShare {
  readonly bankCode: string
  readonly bankName: string
  readonly accounts: readonly Account[]
}

/** A point in the update of one bank. */
export interface Stage {
  /** How long after the request, in ms. */
  readonly delay: number
  /** The taskStatus that is notified; undefined if nothing is notified. */
  readonly status: string | undefined
  /** Whether the bookings of the other bank are copied at this stage. */
  readonly updates: boolean
}

interface ConsentFacts extends BearerFacts {
  readonly consentId: string
}

interface TaskFacts extends Facts {
  readonly task: RefreshTask
  readonly consent: Consent
  readonly share: BankShare
}

export interface RefreshRules {
  /** Whether the grant is of the kind that can be refreshed: one under a consent. */
  readonly mayRefresh: (facts: BearerFacts) => boolean
  /** Whether the request is accepted with this address of the customer (undefined without the header PSU-IP-Address). */
  readonly customerAddressIsAccepted: (
    facts: BearerFacts & { readonly address: string | undefined },
  ) => boolean
  /** The consent that is refreshed: the one that the body names, or that of the token. */
  readonly consentToRefresh: (
    facts: BearerFacts & { readonly named: string | undefined },
  ) => string | undefined
  readonly mayRefreshConsent: (facts: ConsentFacts) => boolean
  readonly newTaskId: (facts: ConsentFacts) => string
  /** The task that a request joins instead of starting one; `underWay` are the running tasks of the same consent. */
  readonly taskJoined: (
    facts: ConsentFacts & { readonly underWay: readonly RefreshTask[] },
  ) => RefreshTask | undefined
  readonly refreshStatus: (facts: ConsentFacts) => number
  readonly refreshBody: (
    facts: ConsentFacts & { readonly taskId: string },
  ) => Readonly<Record<string, unknown>>
  /** The consents that a task updates. */
  readonly consentsRefreshed: (
    facts: Facts & { readonly consent: Consent; readonly consents: readonly Consent[] },
  ) => readonly Consent[]
  /** The accounts under a consent, by the bank that holds them. */
  readonly bankShares: (
    facts: Facts & {
      readonly consent: Consent
      readonly grants: readonly Grant[]
      readonly accounts: readonly Account[]
    },
  ) => readonly BankShare[]
  /** The stages of the update of one bank; `place` counts the banks of the task from 0. */
  readonly refreshStages: (
    facts: Facts & { readonly consent: Consent; readonly share: BankShare; readonly place: number },
  ) => readonly Stage[]
  /** The accounts whose bookings are copied at a stage that updates. */
  readonly accountsUpdated: (facts: TaskFacts) => readonly Account[]
}

export const refreshRules: RefreshRules = {
  // A FAC has no consent to refresh.
  mayRefresh: ({ grant }) => grant.consentId !== undefined,
  customerAddressIsAccepted: () => true,
  consentToRefresh: ({ grant, named }) => named ?? grant.consentId,
  mayRefreshConsent: ({ grant, consentId }) => grant.consentId === consentId,
  newTaskId: () => randomUUID(),
  taskJoined: () => undefined,
  refreshStatus: () => 202,
  refreshBody: ({ taskId }) => ({ taskId }),
  consentsRefreshed: ({ consent }) => [consent],
  // Accounts at the service's own bank are always current.
  bankShares: ({ accounts }) => {
    const shares = new Map<string, BankShare>()
    for (const account of accounts.filter((candidate) => !isAtOwnBank(candidate))) {
      const { bankCode, bankName } = account
      const share = shares.get(bankCode) ?? { bankCode, bankName, accounts: [] }
      shares.set(bankCode, { ...share, accounts: [...share.accounts, account] })
    }
    return [...shares.values()]
  },
  // One bank is slower than the other.
  refreshStages: ({ place }) => [
    { delay: 2 * SECOND, status: 'RUNNING', updates: false },
    { delay: (5 + 2 * place) * SECOND, status: 'FINISHED', updates: true },
  ],
  accountsUpdated: ({ share }) => share.accounts,
}
