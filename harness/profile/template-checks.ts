import { valueAt } from './json-schema.ts'
import { unknownPlaceholders } from './placeholders.ts'
import type { Profile } from './schema.ts'

/**
 * The texts of the profile in which placeholders are put in place of, and which. One that nobody knows would be sent as
 * it stands, and look like a target that refuses.
 */

const NONE: readonly string[] = []

/** What has places of its own beside these: the bodies of payments and loans, testHooks, what is typed on pages. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'operations.createConsent.path': NONE,
  'operations.deleteConsent.path': ['consent-id'],
  'operations.authorize.path': NONE,
  'operations.token.path': NONE,
  'operations.token.refreshForm': ['refresh_token'],
  'operations.listAccounts.path': NONE,
  'operations.readAccount.path': ['account-id'],
  'operations.listTransactions.path': ['account-id'],
  'operations.listTransactions.query': NONE,
  'operations.refresh.path': NONE,
  'operations.refresh.headers': ['consentId'],
  'operations.refresh.query': ['consentId'],
  'operations.refresh.body': ['consentId'],
  'secondVariant.listAccounts.path': NONE,
  'secondVariant.readAccount.path': NONE,
  'secondVariant.readAccount.picked': ['accountId'],
  'secondVariant.readAccount.typed': ['iban'],
  'secondVariant.listTransactions.path': NONE,
  'secondVariant.listTransactions.picked': ['accountId'],
  'secondVariant.listTransactions.typed': ['iban'],
  'secondVariant.listTransactions.body': NONE,
  'payments.token.path': NONE,
  'payments.token.form': NONE,
  'payments.authorize.path': ['orderId'],
  'payments.authorize.scope': ['orderId'],
  'payments.status.path': ['orderId'],
  'payments.submission.path': NONE,
  'payments.submission.body': ['orderId'],
  'loans.token.path': NONE,
  'loans.token.form': NONE,
  'loans.precalculation.path': NONE,
  'loans.submission.path': NONE,
  'loans.scenario.path': ['application-id'],
  'loans.status.path': ['application-id'],
  'loans.cancellation.path': ['application-id'],
}

export const templateProblems = (profile: Profile): readonly string[] => [
  ...Object.entries(TEMPLATES).flatMap(([key, known]) =>
    unknownPlaceholders(key, valueAt(profile, key.split('.')), known),
  ),
  ...(profile.payments?.initiations ?? []).flatMap(({ path }, at) =>
    unknownPlaceholders(`payments.initiations.${at}.path`, path, NONE),
  ),
]
