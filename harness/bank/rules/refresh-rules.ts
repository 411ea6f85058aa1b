/** A refresh: who may ask for it, what it covers, and in which stages each of the other banks is updated. */
import { randomUUID } from 'node:crypto'
import { type Account, isAtOwnBank } from '../seed-data.ts'
import type { Consent, Grant, RefreshTask } from '../state.ts'
import { type BearerFacts, type Facts, SECOND } from './facts.ts'

/** What of a refresh falls to one bank. */
export interface BankShare {
  readonly bankCode: string
  readonly bankName: string
  readonly accounts: readonly Account[]
}

/** A point in the update of one bank. */
export interface Stage {
  /** How long after the request, in ms. */
  readonly delay: number
  /** What is notified as the taskStatus; nothing is, where there is none. */
  readonly status: string | undefined
  /** Whether what the bank has booked is known here from now on. */
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
  /** Whether the address of the customer (nothing if the header PSU-IP-Address is absent) lets the request pass. */
  readonly customerAddressIsAccepted: (
    facts: BearerFacts & { readonly address: string | undefined },
  ) => boolean
  /** Which consent is meant: the one that the body names, or the token's own. */
  readonly consentToRefresh: (
    facts: BearerFacts & { readonly named: string | undefined },
  ) => string | undefined
  readonly mayRefreshConsent: (facts: ConsentFacts) => boolean
  readonly newTaskId: (facts: ConsentFacts) => string
  /** The task that a request joins instead of starting one; `underWay` are those of the same consent. */
  readonly taskJoined: (
    facts: ConsentFacts & { readonly underWay: readonly RefreshTask[] },
  ) => RefreshTask | undefined
  readonly refreshStatus: (facts: ConsentFacts) => number
  readonly refreshBody: (
    facts: ConsentFacts & { readonly taskId: string },
  ) => Readonly<Record<string, unknown>>
  /** The consents that a task brings up to date, of all that there are. */
  readonly consentsRefreshed: (
    facts: Facts & { readonly consent: Consent; readonly consents: readonly Consent[] },
  ) => readonly Consent[]
  /** What falls to which bank, of all accounts under a consent. */
  readonly bankShares: (
    facts: Facts & {
      readonly consent: Consent
      readonly grants: readonly Grant[]
      readonly accounts: readonly Account[]
    },
  ) => readonly BankShare[]
  /** How the update of one bank goes on; `place` counts the banks of the task from 0. */
  readonly refreshStages: (
    facts: Facts & { readonly consent: Consent; readonly share: BankShare; readonly place: number },
  ) => readonly Stage[]
  /** The accounts whose bookings are taken over at a stage that updates. */
  readonly accountsUpdated: (facts: TaskFacts) => readonly Account[]
}

export const refreshRules: RefreshRules = {
  // A FAC has no consent that could be refreshed.
  mayRefresh: ({ grant }) => grant.consentId !== undefined,
  customerAddressIsAccepted: () => true,
  consentToRefresh: ({ grant, named }) => named ?? grant.consentId,
  mayRefreshConsent: ({ grant, consentId }) => grant.consentId === consentId,
  newTaskId: () => randomUUID(),
  taskJoined: () => undefined,
  refreshStatus: () => 202,
  refreshBody: ({ taskId }) => ({ taskId }),
  consentsRefreshed: ({ consent }) => [consent],
  // What is held here is current, and no part of a refresh.
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
