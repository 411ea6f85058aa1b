import type { Chapter } from '../check/requirement.ts'

/** What the chapters are called, and what they are about. */
export const TITLES: Readonly<Record<Chapter, { readonly name: string; readonly about: string }>> = {
  consent: { name: 'Consent', about: 'What a TPP creates first, and puts into the scope.' },
  authorization: {
    name: 'Authorization',
    about: 'The customer logs in and decides; the application gets a code, or learns that there is none.',
  },
  tokens: { name: 'Tokens', about: 'Codes become tokens, tokens expire, are renewed, and are revoked.' },
  accounts: { name: 'Accounts', about: 'The list of accounts, their detail and balances, in both variants.' },
  transactions: { name: 'Transactions', about: 'The history of an account, page by page, in both variants.' },
  refresh: { name: 'Refresh', about: 'The accounts that other banks hold are brought up to date.' },
  webhooks: { name: 'Webhooks', about: 'The bank calls the application when something has changed.' },
  payments: { name: 'Payments', about: 'A payment is initiated, authorized, submitted, and followed.' },
  loans: { name: 'Loans', about: 'The sandbox of instalment loans, and the paths of its scenarios.' },
  environments: {
    name: 'Environments',
    about: 'What is served where, under which version, and what keeps one environment apart from another.',
  },
}
