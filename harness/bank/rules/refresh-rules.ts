/** A refresh: its permission, its accounts, and the stages of the update of each other bank. */
import { randomUUID } from '../random.ts'
import { type Account, isAtOwnBank } from '../seed-data.ts'
import type { Consent, Grant, RefreshTask } from '../state.ts'
import { type BearerFacts, type Facts, SECOND, rule } from './facts.ts'

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

export interface ConsentFacts extends BearerFacts {
  readonly consentId: string
}

export interface TaskFacts extends Facts {
  readonly task: RefreshTask
  readonly consent: Consent
  readonly share: BankShare
}

export const refreshRules = {
  /** Whether the grant is of the kind that can be refreshed: one under a consent. */
  // A FAC has no consent to refresh.
  mayRefresh: rule<BearerFacts>(({ grant }) => grant.consentId !== undefined),
  /** Whether the request is accepted with this address of the customer (undefined without the header PSU-IP-Address). */
  customerAddressIsAccepted: rule<BearerFacts & { readonly address: string | undefined }>(() => true),
  /** The consent that is refreshed: the one that the body names, or that of the token. */
  consentToRefresh: rule<BearerFacts & { readonly named: string | undefined }, string | undefined>(
    ({ grant, named }) => named ?? grant.consentId,
  ),
  mayRefreshConsent: rule<ConsentFacts>(({ grant, consentId }) => grant.consentId === consentId),
  newTaskId: rule<ConsentFacts, string>(() => randomUUID()),
  /** The task that a request joins instead of starting one; `underWay` are the running tasks of the same consent. */
  taskJoined: rule<ConsentFacts & { readonly underWay: readonly RefreshTask[] }, RefreshTask | undefined>(
    () => undefined,
  ),
  refreshStatus: rule<ConsentFacts, number>(() => 202),
  refreshBody: rule<ConsentFacts & { readonly taskId: string }, Readonly<Record<string, unknown>>>(
    ({ taskId }) => ({ taskId }),
  ),
  /** The consents that a task updates. */
  consentsRefreshed: rule<
    Facts & { readonly consent: Consent; readonly consents: readonly Consent[] },
    readonly Consent[]
  >(({ consent }) => [consent]),
  /** The accounts under a consent, by the bank that holds them. */
  // Accounts at the service's own bank are always current.
  bankShares: rule<
    Facts & {
      readonly consent: Consent
      readonly grants: readonly Grant[]
      readonly accounts: readonly Account[]
    },
    readonly BankShare[]
  >(({ accounts }) => {
    const shares = new Map<string, BankShare>()
    for (const account of accounts.filter((candidate) => !isAtOwnBank(candidate))) {
      const { bankCode, bankName } = account
      const share = shares.get(bankCode) ?? { bankCode, bankName, accounts: [] }
      shares.set(bankCode, { ...share, accounts: [...share.accounts, account] })
    }
    return [...shares.values()]
  }),
  /** The stages of the update of one bank; `place` counts the banks of the task from 0. */
  // One bank is slower than the other.
  refreshStages: rule<
    Facts & { readonly consent: Consent; readonly share: BankShare; readonly place: number },
    readonly Stage[]
  >(({ place }) => [
    { delay: 2 * SECOND, status: 'RUNNING', updates: false },
    { delay: (5 + 2 * place) * SECOND, status: 'FINISHED', updates: true },
  ]),
  /** The accounts whose bookings are copied at a stage that updates. */
  accountsUpdated: rule<TaskFacts, readonly Account[]>(({ share }) => share.accounts),
}
