/** Accounts with other ids, other fields and other balances. */
import { createHash } from 'node:crypto'
import type { Variation } from '../defect.ts'
import { day, units, type AccountFacts, type Body, type CustomerFacts } from '../rules/account-rules.ts'
import { DAY } from '../rules/facts.ts'
import { isAtOwnBank, type Account } from '../seed-data.ts'
import type { Grant } from '../state.ts'
import { refusedAccountVariations } from './body-variations.ts'
import { changeObjects, rewriteJson, without } from './wires.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const asDigits = (text: string): string => BigInt(`0x${digest(text).slice(0, 12)}`).toString()

const inBase64 = (text: string): string => Buffer.from(text).toString('base64')

/** A decoder stops at the padding, and does without it. */
const decoded = (text: string): string => Buffer.from(text, 'base64').toString('hex')

/** One consent's own view of the accounts; without a consent, that of the application. */
const viewOf = ({ consentId, clientId, username }: Grant): string => consentId ?? `${clientId} ${username}`

/** As it is printed: in groups of four, and not only in capitals. */
const inElectronicForm = (iban: string): string => iban.replace(/\s/g, '').toUpperCase()

const byName = (balances: readonly unknown[]): Body => ({
  asOf: '2026-01-05',
  ...Object.fromEntries(balances.map((balance, at) => [`balance${at + 1}`, balance])),
})

const inPrint = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

const CURRENCIES = [
  ['EUR', 1],
  ['CZK', 24.5],
  ['USD', 1.09],
] as const

/** Held back for a card payment that is not yet booked, in hundredths. */
const HOLD = 1250

/** A balance that no booking of today moves, before those that it does. */
const withYesterday = (
  { variant, account, now }: AccountFacts,
  balances: readonly Body[],
): readonly Body[] => {
  const amount = units(account.openingBalance)
  const { currency } = account
  const yesterday: Body =
    variant === 'first'
      ? {
          balanceAmount: { currency, amount },
          balanceType: 'closingBooked',
          referenceDate: day(new Date(now.getTime() - DAY)),
        }
      : { typeCodeOrProprietary: 'PRCD', amount: { value: amount, currency }, creditDebitIndicator: 'CRDT' }
  return [yesterday, ...balances]
}

const idVariations: readonly Variation[] = [
  {
    id: 'account-ids-of-digits',
    story: 'Account ids are strings of digits.',
    rules: { accountIdOf: ({ account }) => asDigits(account.accountId) },
  },
  {
    id: 'account-ids-to-be-escaped',
    story: 'Account ids hold slashes, blanks and other characters that a path must escape.',
    rules: { accountIdOf: ({ account }) => `${account.bankCode}/účet +${account.iban.slice(-4)}?#%41&=;` },
  },
  {
    id: 'padded-account-ids',
    story: 'Account ids are base64; the bytes that they decode to identify the account.',
    rules: {
      accountIdOf: ({ account }) => inBase64(account.iban.slice(-10)),
      accountOfUnknownId: ({ customers, accountId }) =>
        customers
          .flatMap(({ accounts }) => accounts)
          .find(({ iban }) => iban.slice(-10) === decoded(accountId)),
    },
  },
  {
    id: 'account-ids-per-consent',
    story: 'Each consent has account ids of its own.',
    rules: {
      accountIdOf: ({ account, grant }) => digest(`${viewOf(grant)} ${account.accountId}`).slice(0, 32),
    },
  },
  {
    id: 'iban-identifies-in-the-second-variant',
    story: 'The second variant lists the IBAN of an account as its identification.',
    rules: {
      accountIdOf: ({ account, variant }) => (variant === 'second' ? account.iban : account.accountId),
    },
  },
  {
    id: 'printed-ibans-accepted',
    story: 'An IBAN may be typed with blanks and in small letters.',
    rules: (lawful) => ({
      accountOfIban: (facts) => lawful.accountOfIban({ ...facts, iban: inElectronicForm(facts.iban) }),
    }),
  },
]

/** An id with the number of its list after a dot; the first list for a token has ids without one. */
const newIdsInEachList: NonNullable<Variation['rules']> = (lawful) => {
  const lists = new Map<string, number>()
  const issued = new Map<string, Account>()
  const keyOf = ({ variant, token }: CustomerFacts): string => `${variant} ${token.value}`
  return {
    accountsSeen: (facts) => {
      lists.set(keyOf(facts), (lists.get(keyOf(facts)) ?? -1) + 1)
      return lawful.accountsSeen(facts)
    },
    accountBody: (facts) => {
      const list = facts.endpoint === 'accounts' ? (lists.get(keyOf(facts)) ?? 0) : 0
      const accountId = list === 0 ? facts.accountId : `${facts.accountId}.${list}`
      issued.set(`${keyOf(facts)} ${accountId}`, facts.account)
      return lawful.accountBody({ ...facts, accountId })
    },
    accountOfUnknownId: (facts) => issued.get(`${keyOf(facts)} ${facts.accountId}`),
  }
}

const listVariations: readonly Variation[] = [
  {
    id: 'accounts-listed-in-changing-order',
    story: 'The list of accounts begins with another account each time.',
    rules: (lawful) => {
      let lists = 0
      return {
        accountsSeen: async (facts) => {
          const accounts = await lawful.accountsSeen(facts)
          lists += 1
          const start = accounts.length === 0 ? 0 : lists % accounts.length
          return [...accounts.slice(start), ...accounts.slice(0, start)]
        },
      }
    },
  },
  {
    id: 'accounts-of-few-members',
    story: 'An account of a list has its id and its IBAN, and nothing else.',
    rules: {
      accountBody: ({ variant, account: { iban }, accountId }) =>
        variant === 'first' ? { accountId, accountReference: { iban } } : { identification: accountId, iban },
    },
  },
  {
    id: 'ibans-in-print',
    story: 'An IBAN is written as it is printed, in groups of four.',
    rules: (lawful) => ({
      accountBody: ({ account, ...facts }) =>
        lawful.accountBody({ ...facts, account: { ...account, iban: inPrint(account.iban) } }),
      accountDetailBody: ({ account, ...facts }) =>
        lawful.accountDetailBody({ ...facts, account: { ...account, iban: inPrint(account.iban) } }),
    }),
  },
  {
    id: 'detail-without-id',
    story: 'The detail of an account does not repeat its id.',
    rules: (lawful) => ({
      accountDetailBody: (facts) =>
        lawful.accountDetailBody({ ...facts, item: without(facts.item, 'accountId') }),
    }),
  },
  {
    id: 'accounts-with-names-of-the-world',
    story: 'Accounts have names in every script, with quotes, emoji and marks of direction.',
    rules: (lawful) => ({
      accountBody: (facts) =>
        lawful.accountBody({
          ...facts,
          account: { ...facts.account, name: `"Účet" <ნინო> حساب\u200f 👩‍👧 \u2028${facts.account.name}` },
        }),
    }),
  },
  {
    id: 'own-accounts-only-in-the-second-variant',
    story: 'The second variant lists the accounts of its own bank only.',
    rules: (lawful) => ({
      accountsSeen: async (facts) => {
        const accounts = await lawful.accountsSeen(facts)
        return facts.variant === 'second' ? accounts.filter(isAtOwnBank) : accounts
      },
    }),
  },
  {
    id: 'new-ids-in-each-list',
    story: 'Each list after the first one for a token has new ids, and earlier ones stay valid.',
    rules: newIdsInEachList,
  },
  {
    id: 'accounts-are-ticked-by-the-customer',
    story: 'The decision page has ticked the account that the customer keeps private, and no other.',
    rules: { accountIsTicked: ({ account }) => !account.isTicked },
  },
  {
    id: 'usual-accounts-offered',
    story: 'The decision page offers only those accounts that it has ticked.',
    rules: { accountsOffered: ({ customer }) => customer.accounts.filter(({ isTicked }) => isTicked) },
  },
]

const balanceVariations: readonly Variation[] = [
  {
    id: 'booked-balance-alone',
    story: 'An account has one balance, and it is the booked one.',
    rules: (lawful) => ({ balancesShown: (facts) => lawful.balancesShown(facts).slice(0, 1) }),
  },
  {
    id: 'yesterdays-balance-first',
    story: 'The first balance is that of yesterday evening, which no booking of today changes.',
    rules: (lawful) => ({
      accountDetailBody: (facts) =>
        lawful.accountDetailBody({ ...facts, balances: withYesterday(facts, facts.balances) }),
    }),
  },
  {
    id: 'balances-in-three-currencies',
    story: 'Each balance is shown in three currencies.',
    rules: (lawful) => ({
      balancesShown: (facts) =>
        lawful
          .balancesShown(facts)
          .flatMap(({ kind, amount }) =>
            CURRENCIES.map(([currency, rate]) => ({ kind, amount: Math.round(amount * rate), currency })),
          ),
    }),
  },
  {
    id: 'balances-with-a-hold',
    story: 'The available balance is less than the booked one.',
    rules: { availableAmount: ({ booked }) => booked - HOLD },
  },
  {
    id: 'balances-as-text',
    story: 'The amount of a balance is a text with two decimals.',
    rules: {
      balanceBody: ({ variant, balance: { kind, amount, currency } }) => {
        const text = units(amount).toFixed(2)
        return variant === 'first'
          ? { balanceAmount: { currency, amount: text }, balanceType: kind }
          : { typeCodeOrProprietary: kind, amount: { value: text, currency } }
      },
    },
  },
  {
    id: 'balances-with-a-comma',
    story: 'The amount of a balance is a text with a decimal comma.',
    rules: {
      balanceBody: ({ variant, balance: { kind, amount, currency } }) => {
        const text = units(amount).toFixed(2).replace('.', ',')
        return variant === 'first'
          ? { balanceAmount: { currency, amount: text }, balanceType: kind }
          : { typeCodeOrProprietary: kind, amount: { value: text, currency } }
      },
    },
  },
  {
    id: 'balances-in-print',
    story: 'The amount of a balance is a text as it is printed: in groups of three, with a decimal comma.',
    rules: {
      balanceBody: ({ variant, balance: { kind, amount, currency } }) => {
        const text = units(amount).toLocaleString('sk', { style: 'currency', currency })
        return variant === 'first'
          ? { balanceAmount: { currency, amount: text }, balanceType: kind }
          : { typeCodeOrProprietary: kind, amount: { value: text, currency } }
      },
    },
  },
  {
    id: 'balances-by-name',
    story: 'Balances are an object that has each under its kind, and their date as well.',
    wire: rewriteJson(({ text }) =>
      JSON.stringify(
        changeObjects(JSON.parse(text), ({ balances, ...members }) =>
          Array.isArray(balances) ? { ...members, balances: byName(balances) } : { balances, ...members },
        ),
      ),
    ),
  },
  {
    id: 'balances-in-any-order',
    story: 'The available balance is less than the booked one, and comes before it in every second answer.',
    rules: { availableAmount: ({ booked }) => booked - HOLD },
    wire: (next) => {
      let answers = 0
      return rewriteJson(({ text }) => {
        answers += 1
        return answers % 2 === 0
          ? text
          : JSON.stringify(
              changeObjects(JSON.parse(text), ({ balances, ...members }) => ({
                ...members,
                ...(balances !== undefined && {
                  balances: Array.isArray(balances) ? [...(balances as unknown[])].reverse() : balances,
                }),
              })),
            )
      })(next)
    },
  },
  {
    id: 'balances-in-hundredths',
    story: 'The amount of a balance is an integer: hundredths of the currency.',
    rules: {
      balanceBody: ({ variant, balance: { kind, amount, currency } }) =>
        variant === 'first'
          ? { balanceAmount: { currency, amount }, balanceType: kind }
          : { typeCodeOrProprietary: kind, amount: { value: amount, currency } },
    },
  },
]

export const accountVariations: readonly Variation[] = [
  ...idVariations,
  ...listVariations,
  ...refusedAccountVariations,
  ...balanceVariations,
]
