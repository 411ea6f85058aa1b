/** Accounts with other ids, other fields and other balances. */
import { createHash } from 'node:crypto'
import { alter, type AnswerOf, type FactsOf } from '../changes/alter.ts'
import { answer, membersOf, without } from '../changes/answer.ts'
import { when } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'
import { accountWhere, day, units, type Body } from '../rules/account-rules.ts'
import { DAY } from '../rules/facts.ts'
import { isAtOwnBank } from '../seed-data.ts'
import type { Grant } from '../state.ts'
import { changeObjects, refusalStatuses, rewriteObjects, shifted } from './words.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** One consent's own view of the accounts; without a consent, that of the application. */
const viewOf = ({ consentId, clientId, username }: Grant): string => consentId ?? `${clientId} ${username}`

type ListFacts = FactsOf<'accountsSeen'>
const isOfSameList = (one: ListFacts, other: ListFacts): boolean =>
  one.variant === other.variant && one.token.value === other.token.value

/** An id with the number of its list after a dot; the first list for a token has ids without one. */
const newIdsInEachList = alter(
  {
    accountBody: (_, facts, { of, rules }) => {
      const lists = of('accountsSeen').filter((list) => isOfSameList(list.facts, facts)).length
      const isNew = facts.endpoint === 'accounts' && lists > 1
      return rules.accountBody(isNew ? { ...facts, accountId: `${facts.accountId}.${lists - 1}` } : facts)
    },
    accountOfUnknownId: (_, facts, past) =>
      past
        .of('accountBody')
        .find(
          ({ facts: listed, answer: { accountId, identification } }) =>
            isOfSameList(listed, facts) && [accountId, identification].includes(facts.accountId),
        )?.facts.account,
  },
  'accountsSeen',
)

const withPrintedIban = <Facts extends FactsOf<'accountBody' | 'accountDetailBody'>>(
  facts: Facts,
): Facts => ({
  ...facts,
  account: { ...facts.account, iban: facts.account.iban.replace(/(.{4})(?=.)/g, '$1 ') },
})

const isUnknown = ({ error }: FactsOf<'refusalStatus'>): boolean => error === 'account_unknown'

/** One that the profile of this variation does not know. */
export const CARD_IBAN = 'SK3498010000002600007344'

const withoutIban = (
  { account: { iban } }: Pick<FactsOf<'accountBody'>, 'account'>,
  body: unknown,
): AnswerOf<'accountBody'> => {
  const shown = iban === CARD_IBAN ? changeObjects(body, (members) => without(members, 'iban')) : body
  return membersOf(shown)
}

const masked = ({ iban, ...members }: Body): Body =>
  typeof iban === 'string' ? { iban: iban.replace(/(?<=^.{4}).*(?=.{4}$)/, '****'), ...members } : members

/** Two accounts of a list. */
const onPage = (members: Body, number: number) => {
  const accounts = Array.isArray(members['accounts']) ? (members['accounts'] as unknown[]) : []
  return {
    ...members,
    pageCount: Math.ceil(accounts.length / 2),
    accounts: accounts.slice(2 * number - 2, 2 * number),
  }
}

const idsAndLists = variationsOf({
  'Account ids are strings of digits': alter({
    accountIdOf: (id) => BigInt(`0x${digest(id).slice(0, 12)}`).toString(),
  }),
  'Account ids have characters that a path must escape': alter({
    accountIdOf: (_, { account }) => `${account.bankCode}/účet +${account.iban.slice(-4)}?#%41&=;`,
  }),
  'Account ids are base64 and are compared after decoding': alter({
    accountIdOf: (_, { account }) => Buffer.from(account.iban.slice(-10)).toString('base64'),
    accountOfUnknownId: (_, { customers, accountId }) =>
      accountWhere(customers, ({ iban }) => iban.slice(-10) === Buffer.from(accountId, 'base64').toString()),
  }),
  'Each consent has its own account ids': alter({
    accountIdOf: (id, { grant }) => digest(`${viewOf(grant)} ${id}`).slice(0, 32),
  }),
  'The second variant identifies an account by its IBAN': alter({
    accountIdOf: (id, { account, variant }) => (variant === 'second' ? account.iban : id),
  }),
  'An IBAN may be sent with blanks and in small letters': alter({
    accountOfIban: (_, facts, { rules }) =>
      rules.accountOfIban({ ...facts, iban: facts.iban.replace(/\s/g, '').toUpperCase() }),
  }),
  'The list of accounts begins with another one each time': alter({
    accountsSeen: (accounts, _, { calls }) => shifted(accounts, calls),
  }),
  'An IBAN may be sent in small letters, and not with blanks': alter({
    accountOfIban: (_, facts, { rules }) => rules.accountOfIban({ ...facts, iban: facts.iban.toUpperCase() }),
  }),
  'An account in a list has only its id and its IBAN': alter({
    accountBody: (_, { variant, account: { iban }, accountId }) =>
      variant === 'first' ? { accountId, accountReference: { iban } } : { identification: accountId, iban },
  }),
  'IBANs are written in groups of four': alter({
    accountBody: (_, facts, { rules }) => rules.accountBody(withPrintedIban(facts)),
    accountDetailBody: (_, facts, { rules }) => rules.accountDetailBody(withPrintedIban(facts)),
  }),
  'A card account has no IBAN in a list or in its detail': alter({
    accountBody: (_, facts, { rules }) => withoutIban(facts, rules.accountBody(facts)),
    accountDetailBody: (_, facts, { rules }) => withoutIban(facts, rules.accountDetailBody(facts)),
  }),
  'IBANs are masked, except in details of the second variant': alter({
    accountBody: (body) => membersOf(changeObjects(body, masked)),
  }),
  'The detail of an account does not repeat its id': alter({
    accountDetailBody: (_, facts, { rules }) =>
      rules.accountDetailBody({ ...facts, item: without(facts.item, 'accountId') }),
  }),
  'Account names have quotes, emoji and letters of all scripts': alter({
    accountBody: (_, { account, ...facts }, { rules }) => {
      const name = `"Účet" <ნინო> حساب\u200f 👩‍👧 \u2028${account.name}`
      return rules.accountBody({ ...facts, account: { ...account, name } })
    },
  }),
  'The second variant lists accounts on numbered pages of two': answer(
    ({ url }) => /\/api\/v1\/accounts$/.test(new URL(url).pathname),
    ({ members }, { query }) => ({ json: onPage(members, Number(query.get('page') ?? 1)) }),
  ),
  'The first variant lists accounts on linked pages of two': answer(
    ({ url }) => /(?<!\/api)\/v1\/accounts$/.test(new URL(url).pathname),
    ({ members }, { query, url: { pathname } }) => {
      const number = Number(query.get('after') ?? 1)
      const { pageCount, ...page } = onPage(members, number)
      const next = { next: { href: `${pathname}?after=${number + 1}` } }
      return { json: { ...page, _links: number < pageCount ? next : {} } }
    },
  ),
  'The second variant lists accounts of its own bank only': alter({
    accountsSeen: (accounts, { variant }) => (variant === 'second' ? accounts.filter(isAtOwnBank) : accounts),
  }),
  'Each list for a token has new ids, and old ones stay valid': newIdsInEachList,
  'Only the account that the customer keeps private is ticked': alter({
    accountIsTicked: (_, { account }) => !account.isTicked,
  }),
  'The decision page offers only the ticked accounts': alter({
    accountsOffered: (_, { customer }) => customer.accounts.filter(({ isTicked }) => isTicked),
  }),
})

const refusals = [
  ...variationsOf({
    'An account that is not granted is refused with 403': when(
      ({ account }: FactsOf<'refusalStatus'>) => account !== undefined,
      refusalStatuses({ account_unknown: 403 }),
    ),
    'An account that is not granted is refused with 400': when(
      isUnknown,
      alter({
        refusalStatus: 400,
        refusalBody: () => ({ tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }] }),
      }),
    ),
  }),
  ...variationsOf(
    {
      'An account that is not granted is answered with nulls': when(
        isUnknown,
        alter({
          refusalStatus: 200,
          refusalBody: () => ({ account: null, balances: null, transactions: null }),
        }),
      ),
    },
    { neverOccurs: ['ACC-37', 'ACC-38'] },
  ),
]

const CURRENCIES = [
  ['EUR', 1],
  ['CZK', 24.5],
  ['USD', 1.09],
] as const

/** Less by an amount that is held back for a card payment that is not yet booked, in hundredths. */
const withHold = (_: number, { booked }: FactsOf<'availableAmount'>): number => booked - 1250

/** A balance that no booking of today moves. */
const yesterdaysBalance = ({ variant, account, now }: FactsOf<'accountDetailBody'>): Body => {
  const { currency, openingBalance } = account
  const amount = units(openingBalance)
  const referenceDate = day(new Date(now.getTime() - DAY))
  return variant === 'first'
    ? { balanceAmount: { currency, amount }, balanceType: 'closingBooked', referenceDate }
    : { typeCodeOrProprietary: 'PRCD', amount: { value: amount, currency }, creditDebitIndicator: 'CRDT' }
}

const amounts = (form: (hundredths: number, currency: string) => unknown) =>
  alter({
    balanceBody: (_, { variant, balance: { kind, amount, currency } }) =>
      variant === 'first'
        ? { balanceAmount: { currency, amount: form(amount, currency) }, balanceType: kind }
        : { typeCodeOrProprietary: kind, amount: { value: form(amount, currency), currency } },
  })

const decimals = (hundredths: number): string => units(hundredths).toFixed(2)

const byName = (balances: readonly unknown[]): Body => ({
  asOf: '2026-01-05',
  ...Object.fromEntries(balances.map((balance, at) => [`balance${at + 1}`, balance])),
})

const balances = variationsOf({
  'Balances are the booked one only': alter({ balancesShown: (shown) => shown.slice(0, 1) }),
  'Balances begin with that of yesterday evening': alter({
    accountDetailBody: (_, facts, { rules }) =>
      rules.accountDetailBody({ ...facts, balances: [yesterdaysBalance(facts), ...facts.balances] }),
  }),
  'Balances are shown in three currencies': alter({
    balancesShown: (shown) =>
      shown.flatMap(({ kind, amount }) =>
        CURRENCIES.map(([currency, rate]) => ({ kind, amount: Math.round(amount * rate), currency })),
      ),
  }),
  'Balances differ by the amount of a card payment': alter({ availableAmount: withHold }),
  'The last balance is a credit line without an amount': alter({
    accountDetailBody: (_, facts, { rules }) =>
      rules.accountDetailBody({
        ...facts,
        balances: [...facts.balances, { balanceType: 'creditLine', limit: { currency: 'EUR', value: 500 } }],
      }),
  }),
  'Balances are texts with two decimals': amounts(decimals),
  'Balances are texts with a decimal comma': amounts((hundredths) => decimals(hundredths).replace('.', ',')),
  'Balances are texts with a currency and grouped digits': amounts((hundredths, currency) =>
    units(hundredths).toLocaleString('sk', { style: 'currency', currency }),
  ),
  'Balances are an object that has each under a name': rewriteObjects(({ balances: listed, ...members }) =>
    Array.isArray(listed) ? { ...members, balances: byName(listed) } : { balances: listed, ...members },
  ),
  'Balances change their order in every second answer': alter({
    availableAmount: withHold,
    balancesShown: (shown, _, { calls }) => (calls % 2 === 0 ? shown : shown.toReversed()),
  }),
  'Balances are integers in hundredths of the currency': amounts((hundredths) => hundredths),
  'Accounts are in debt, and balances have no sign': alter({
    // At other banks by ten, so that a credit ends the debt.
    bookedAmount: (booked, { account }) =>
      booked - account.openingBalance - (isAtOwnBank(account) ? account.openingBalance : 1_000),
    balanceBody: (_, { balance, ...facts }, { rules }) =>
      rules.balanceBody({ ...facts, balance: { ...balance, amount: Math.abs(balance.amount) } }),
  }),
})

export const accountVariations: readonly Variation[] = [...idsAndLists, ...refusals, ...balances]
