/**
 * What a request does to the world. `read` changes nothing, `consent` creates consents, grants and tokens, `notify`
 * asks for notifications, `apply` files a loan application, `pay` moves money.
 */
export const EFFECTS = ['read', 'consent', 'notify', 'apply', 'pay'] as const

export type Effect = (typeof EFFECTS)[number]

/** What each operation does to the world. A request names its operation; nobody names its effect. */
export const OPERATIONS = {
  createConsent: 'consent',
  deleteConsent: 'consent',
  authorize: 'consent',
  token: 'consent',
  listAccounts: 'read',
  readAccount: 'read',
  listTransactions: 'read',
  refresh: 'notify',
  initiatePayment: 'pay',
  readPayment: 'read',
  authorizePayment: 'pay',
  submitPayment: 'pay',
  loanToken: 'read',
  precalculateLoan: 'read',
  applyForLoan: 'apply',
  selectLoanScenario: 'apply',
  readLoan: 'read',
  cancelLoan: 'apply',
  testHook: 'read',
  configureWebhook: 'notify',
  probe: 'read',
} as const satisfies Readonly<Record<string, Effect>>

export type Operation = keyof typeof OPERATIONS
