/**
 * What each key of a profile is for. A key that could make up for a bank that breaks a statement of the interface would let
 * a wrong bank pass: so each key is bound to what the interface leaves open, or a row judges the statement whatever the key
 * says, or rows declare that they compare with it.
 */
export type KeyUse =
  /** It describes what the interface leaves open: the rows of what is not shown that say so. */
  | { readonly notShown: readonly [string, ...string[]] }
  /** The interface gives the value: the rows that judge the given one, whatever the key says. */
  | { readonly judgedBy: readonly [string, ...string[]] }
  /** Only the owner of the target knows it: rows compare with it (`fromProfile`). */
  | { readonly known: true }
  /** It is about the installation, the customers, the tests or the run, and not about a statement. */
  | { readonly ours: string }

const ADDRESS = 'where this installation is reached'
const RUN = 'what this run may do, and how long it may take'
const LOGIN = 'how a customer of this installation logs in'
const TEST_DATA = 'an order with which this installation can be tested'
const TEST_HOOK = 'what the target offers for testing, beyond the interface'
const STATUS_IS_THE_RESULT = 'which statuses of success this bank has; a success has a 2xx status'

const PATHS_OF_ACCOUNTS = { judgedBy: ['ENV-04'] } as const
const PATHS_OF_THE_SECOND_VARIANT = { judgedBy: ['ENV-26'] } as const
const PATHS_OF_PAYMENTS = { judgedBy: ['ENV-27'] } as const
const PATHS_OF_LOANS = { judgedBy: ['ENV-37'] } as const

/** By the beginning of the key; the longest one holds. */
export const PROFILE_KEYS: Readonly<Record<string, KeyUse>> = {
  name: { ours: 'the name of the target in reports' },
  baseUrl: { ours: ADDRESS },
  environment: { ours: RUN },
  environments: { ours: RUN },
  timeZone: { ours: 'by which time this bank lives' },
  origins: { ours: ADDRESS },
  publicOrigin: { ours: ADDRESS },
  basePaths: { judgedBy: ['ENV-01', 'ENV-02'] },
  sandboxesBelowProduction: { ours: ADDRESS },
  applications: { ours: 'the applications that are registered at this installation' },
  customers: { ours: LOGIN },
  'customers.*.hasAccounts': { ours: 'with which customer nothing of an account can be judged' },
  'customers.*.accounts': { known: true },
  'customers.*.accounts.*.accountId': { ours: 'how an account without consent is named in a request' },
  'customers.*.accounts.*.iban': { ours: 'how an account is named in a request, and found in a list' },
  'customers.*.accounts.*.environments': {
    ours: 'in which environments of this installation an account exists',
  },
  authorization: { ours: LOGIN },
  refusals: { ours: 'which pages are those of a firewall in front of this installation' },
  inHeaders: { notShown: ['CON-U1'] },
  scopes: { judgedBy: ['AUT-12', 'AUT-13'] },
  'operations.createConsent.path': PATHS_OF_ACCOUNTS,
  'operations.createConsent.requestIdHeader': { judgedBy: ['CON-05'] },
  'operations.createConsent.success': { ours: STATUS_IS_THE_RESULT },
  'operations.deleteConsent': { ours: 'an operation for cleaning up, beyond the interface' },
  'operations.authorize.path': { judgedBy: ['ENV-05'] },
  'operations.token.path': { judgedBy: ['ENV-05'] },
  'operations.token.success': { judgedBy: ['TOK-13'] },
  'operations.token.refreshesOnlyExpired': { judgedBy: ['TOK-83'] },
  'operations.token.refreshToken': { notShown: ['TOK-U1'] },
  'operations.token.refreshForm': { notShown: ['TOK-U2'] },
  'operations.token.errorCode': { notShown: ['TOK-U3'] },
  'operations.listAccounts.path': PATHS_OF_ACCOUNTS,
  'operations.listAccounts': { notShown: ['ACC-U1'] },
  'operations.readAccount.path': PATHS_OF_ACCOUNTS,
  'operations.readAccount': { notShown: ['ACC-U1', 'ACC-U2'] },
  'operations.listTransactions.path': PATHS_OF_ACCOUNTS,
  'operations.listTransactions': { notShown: ['TRX-U1', 'TRX-U2'] },
  'operations.refresh.path': { judgedBy: ['ENV-35'] },
  'operations.refresh': { notShown: ['REF-U1'] },
  'secondVariant.basePaths': { notShown: ['ACC-U4'] },
  'secondVariant.oauth': { notShown: ['ACC-U4'] },
  'secondVariant.requestIdHeader': { notShown: ['ACC-U3'] },
  'secondVariant.listAccounts.path': PATHS_OF_THE_SECOND_VARIANT,
  'secondVariant.listAccounts': { notShown: ['ACC-U3'] },
  'secondVariant.readAccount.path': PATHS_OF_THE_SECOND_VARIANT,
  'secondVariant.readAccount': { notShown: ['ACC-U3'] },
  'secondVariant.listTransactions.path': PATHS_OF_THE_SECOND_VARIANT,
  'secondVariant.listTransactions': { notShown: ['TRX-U4'] },
  payments: { ours: TEST_DATA },
  'payments.basePaths': { notShown: ['PAY-U3'] },
  'payments.oauthBasePaths': { notShown: ['PAY-U7'] },
  'payments.token': { notShown: ['PAY-U7'] },
  'payments.authentication': { notShown: ['PAY-U7'] },
  'payments.headers': { notShown: ['PAY-U7'] },
  'payments.signature': { notShown: ['PAY-U7'] },
  'payments.approval': { notShown: ['PAY-U6', 'PAY-U7'] },
  'payments.authorize': { notShown: ['PAY-U6'] },
  'payments.initiations': { notShown: ['PAY-U3', 'PAY-U4'] },
  'payments.initiations.*.path': PATHS_OF_PAYMENTS,
  'payments.status.path': PATHS_OF_PAYMENTS,
  'payments.submission.path': PATHS_OF_PAYMENTS,
  'payments.submission': { notShown: ['PAY-U5'] },
  'payments.environments': { known: true },
  'payments.facts': { known: true },
  'payments.provocations': { known: true },
  'payments.rejectedAtSubmission': { known: true },
  loans: { notShown: ['LOA-U1', 'LOA-U6'] },
  'loans.applications': { ours: 'the applications that are registered at this installation' },
  'loans.basePath': { judgedBy: ['ENV-03'] },
  'loans.token.path': PATHS_OF_LOANS,
  'loans.precalculation.path': PATHS_OF_LOANS,
  'loans.precalculation': { notShown: ['LOA-U5'] },
  'loans.submission.path': PATHS_OF_LOANS,
  'loans.status.path': PATHS_OF_LOANS,
  'loans.status': { notShown: ['LOA-U7'] },
  'loans.cancellation.path': PATHS_OF_LOANS,
  'loans.timing': { known: true },
  webhooks: { ours: 'where the calls of the target are received' },
  'webhooks.deliveryMs': { ours: 'a deadline that only rows at the level SHOULD have' },
  testHooks: { ours: TEST_HOOK },
  allow: { ours: RUN },
  budget: { ours: RUN },
  connection: { ours: ADDRESS },
  headers: { ours: ADDRESS },
  deadlines: { ours: RUN },
  clock: { ours: TEST_HOOK },
  personalData: { ours: 'what reports must not contain' },
  personalMembers: { ours: 'what reports must not contain' },
  guesses: { ours: 'which statements of the profile no verdict rests on' },
  notApplicable: { ours: 'what this bank does not have, with the reason, which every report repeats' },
}
