import { generatedNames } from '../../bank/dialects/generated.ts'
import { nested } from '../../profile/template.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The keys of the profile of a bank with this generated dialect that differ from those of the reference bank. */
export const generatedProfile = (number: number): Partial<ProfileInput> => {
  const names = generatedNames(number)
  const within = (name: string): string => names.envelope + name
  const { requestId: requestIdHeader } = names
  const detail = {
    iban: within(names.iban),
    balances: within(names.balances),
    amount: names.amount,
  }
  const transactions = { transactions: within(names.transactions), id: names.transactionId }
  const account = {
    picked: { [names.accountId]: '{accountId}' },
    typed: { [names.typedIban]: '{iban}' },
  }
  return {
    authorization: {
      kind: 'pages',
      pages: [
        {
          when: `input[name=${names.username}]`,
          fill: {
            [`input[name=${names.username}]`]: '{username}',
            [`input[name=${names.password}]`]: '{password}',
          },
          press: 'button[type=submit]',
        },
        {
          when: 'button[value=grant]',
          press: 'button[value=grant]',
          refuse: 'button[value=deny]',
          tickAccounts: 'input[name=account][value="{choice}"]',
        },
        { when: 'form', press: 'button[type=submit]' },
      ],
      code: '#code',
    },
    operations: {
      createConsent: { requestIdHeader },
      token: {
        refreshToken: names.refreshToken,
        refreshForm: { grant_type: 'refresh_token', [names.refreshToken]: '{refresh_token}' },
      },
      listAccounts: { requestIdHeader, accounts: within(names.accounts), iban: names.iban },
      readAccount: { requestIdHeader, ...detail },
      listTransactions: {
        requestIdHeader,
        ...transactions,
        paging: { kind: 'link', next: within(names.next) },
      },
      refresh: { requestIdHeader, body: nested(within(names.consentId), '{consentId}') },
    },
    secondVariant: {
      requestIdHeader,
      listAccounts: { accounts: within(names.accounts), id: names.identification, iban: names.iban },
      readAccount: { ...account, ...detail },
      listTransactions: {
        ...account,
        ...transactions,
        pageSize: names.pageSize,
        paging: { kind: 'number', parameter: names.page, count: within(names.pageCount) },
      },
    },
  }
}
