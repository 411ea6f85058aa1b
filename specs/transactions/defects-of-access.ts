import { TRX } from './requirements.ts'
import { behindTheFirstPage, isForeign, isOf, isOfATpp, opening, refusing, together } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Account, Change, OpenFacts, Variant } from './defect-rules.ts'

/** What a bank can get wrong so that one sees the transactions of another, or sees some without a token. */

type IdFacts = Parameters<Rules['accountOfUnknownId']>[0]
type BearerFacts = Parameters<Rules['bearerToken']>[0]
type AccessFacts = Parameters<Rules['accessIsFresh']>[0]

/** Finds an account under an id that nobody has issued. */
const finding =
  (variant: Variant, find: (facts: IdFacts) => Account | undefined): Change =>
  (lawful) => ({
    accountOfUnknownId: (facts) => (isOf(variant)(facts) ? find(facts) : lawful.accountOfUnknownId(facts)),
  })

const ownOf = ({ customer }: Pick<OpenFacts, 'customer'>, iban: string): Account | undefined =>
  customer.accounts.find((account) => account.iban === iban)

/** Opens what is shut once something has been opened before, to whom `key` says. */
const openingAfter =
  (variant: Variant, key: (facts: OpenFacts) => string, applies: (facts: OpenFacts) => boolean): Change =>
  (lawful) => {
    const opened = new Set<string>()
    return {
      accountIsOpen: async (facts) => {
        const isOpen = await lawful.accountIsOpen(facts)
        if (!isOf(variant)(facts)) return isOpen
        if (isOpen) opened.add(key(facts))
        return isOpen || (applies(facts) && opened.has(key(facts)))
      },
    }
  }

/** Reads an IBAN as the customer may have meant it, and forgets to look whether the account is open. */
const understanding =
  (meant: (iban: string) => string): Change =>
  (lawful) => {
    let isMeant = false
    return {
      accountOfIban: (facts) => {
        const iban = meant(facts.iban)
        isMeant = iban !== facts.iban
        return lawful.accountOfIban({ ...facts, iban })
      },
      ...opening('second', (facts) => (isMeant && facts.naming === 'iban' ? true : undefined))(lawful),
    }
  }

/** Serves such a call as the last one that had a token that the bank has issued. */
const servingTheLastCaller =
  (applies: (facts: BearerFacts, isIssued: boolean) => boolean): Change =>
  (lawful) => {
    const issued = new Set<string | undefined>()
    let last: string | undefined
    return {
      newAccessToken: async (facts) => {
        const token = await lawful.newAccessToken(facts)
        issued.add(token)
        return token
      },
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        if (issued.has(value)) last = value
        return applies(facts, issued.has(value)) ? last : value
      },
    }
  }

const expiring =
  (isForgotten: (facts: AccessFacts) => boolean): Change =>
  (lawful) => ({ accessIsFresh: (facts) => isForgotten(facts) || lawful.accessIsFresh(facts) })

const defectsOfIsolation: readonly Defect[] = [
  {
    id: 'cut-account-id-shows-transactions',
    story: 'An account-id that is cut off stands for the account that it is the beginning of.',
    breaks: [TRX.unknownAccountIsRefused],
    rules: finding('first', ({ customer, accountId }) =>
      customer.accounts.find((account) => accountId !== '' && account.accountId.startsWith(accountId)),
    ),
  },
  {
    id: 'longer-account-id-shows-transactions',
    story: 'Of an account-id no more is read than it should have.',
    breaks: [TRX.unknownAccountIsRefused],
    rules: finding('first', ({ customer, accountId }) =>
      customer.accounts.find((account) => accountId.startsWith(account.accountId)),
    ),
  },
  {
    id: 'unconsented-transactions-by-their-iban',
    story: 'An IBAN in the path opens the transactions of any account of the customer.',
    breaks: [TRX.accountWithoutConsentIsRefused],
    rules: together(
      finding('first', (facts) => ownOf(facts, facts.accountId)),
      opening('first', (facts) => (isForeign(facts) ? undefined : true)),
    ),
  },
  {
    id: 'foreign-transactions-by-their-id',
    story: 'Whoever knows an account-id is answered its transactions.',
    breaks: [TRX.accountWithoutConsentIsRefused],
    rules: opening('first', (facts) => (isForeign(facts) ? true : undefined)),
  },
  {
    id: 'foreign-transactions-in-production',
    story: 'Whose transactions they are is looked at in the sandbox alone.',
    environment: 'production',
    breaks: [TRX.accountWithoutConsentIsRefused],
    rules: opening('first', (facts) => (isForeign(facts) ? true : undefined)),
  },
  {
    id: 'foreign-transactions-for-a-tpp',
    story: 'A TPP is answered the transactions of any account that one of its consents is for.',
    breaks: [TRX.accountWithoutConsentIsRefused],
    rules: opening('first', (facts) => (isForeign(facts) && isOfATpp(facts) ? true : undefined)),
  },
  {
    id: 'foreign-transactions-after-an-allowed-page',
    story: 'A token that was shown one page is not looked at again for another.',
    breaks: [TRX.accountWithoutConsentIsRefused],
    rules: openingAfter('first', ({ token }) => token.value, isForeign),
  },
  {
    id: 'foreign-iban-shows-transactions',
    story: 'The second variant does not look whose account an IBAN names; of an id it does.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: opening('second', (facts) => (isForeign(facts) && facts.naming === 'iban' ? true : undefined)),
  },
  {
    id: 'foreign-id-shows-transactions',
    story: 'The second variant does not look whose account an id names; of an IBAN it does.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: opening('second', (facts) => (isForeign(facts) && facts.naming === 'id' ? true : undefined)),
  },
  {
    id: 'foreign-transactions-after-their-holder',
    story: 'A page of the second variant is kept by its account alone, once its holder has seen it.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: openingAfter('second', ({ account }) => account.accountId, isForeign),
  },
  {
    id: 'unconsented-iban-shows-transactions',
    story: 'An IBAN opens the transactions of every account of the customer, whatever was ticked.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: opening('second', (facts) => (isForeign(facts) ? undefined : true)),
  },
  {
    id: 'unconsented-iban-in-groups-shows-transactions',
    story: 'Blanks are taken out of an IBAN after it was looked up in the consent.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: understanding((iban) => iban.replaceAll(' ', '')),
  },
  {
    id: 'invented-iban-shows-transactions',
    story: 'An IBAN of the own bank that nobody has stands for the first account of the customer.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: (lawful) => ({
      accountOfIban: (facts) => {
        const found = lawful.accountOfIban(facts)
        if (found !== undefined || !isOf('second')(facts)) return found
        const isOfTheBank = /^SK\d\d9801\d{16}$/.test(facts.iban)
        return isOfTheBank ? facts.customer.accounts[0] : undefined
      },
    }),
  },
  {
    id: 'cut-id-shows-transactions-in-the-second-variant',
    story: 'An id that is cut off stands for the account that it is the beginning of.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: finding('second', ({ customer, accountId }) =>
      customer.accounts.find((account) => accountId !== '' && account.accountId.startsWith(accountId)),
    ),
  },
]

const defectsOfTokens: readonly Defect[] = [
  {
    id: 'transactions-without-a-token',
    story: 'Transactions that are asked for without a token are answered to whom the last ones were.',
    breaks: [TRX.transactionsWithoutTokenAreRefused],
    rules: servingTheLastCaller((facts) => isOf('first')(facts) && facts.header === undefined),
  },
  {
    id: 'transactions-with-any-token',
    story: 'A token that the bank does not know is taken for the last one that it knew.',
    breaks: [TRX.transactionsWithoutTokenAreRefused, { id: 'ENV-11' }, { id: 'ENV-24' }],
    rules: servingTheLastCaller(
      (facts, isIssued) =>
        isOf('first')(facts) && (facts.header ?? '').length > 'Bearer '.length && !isIssued,
    ),
  },
  {
    id: 'transactions-with-an-empty-token',
    story: 'The word Bearer alone opens the transactions of the second variant.',
    breaks: [TRX.secondVariantWithoutTokenIsRefused],
    rules: servingTheLastCaller((facts) => isOf('second')(facts) && facts.header === 'Bearer'),
  },
  {
    id: 'expired-token-shows-transactions',
    story: 'The age of a token is looked at by lists and details, and not by transactions.',
    breaks: [TRX.transactionsWithAnExpiredTokenHaveStatus401],
    rules: expiring(isOf('first')),
  },
  {
    id: 'expired-token-shows-later-pages',
    story: 'Behind the first page the age of a token is not looked at any more: the link is enough.',
    breaks: [TRX.transactionsWithAnExpiredTokenHaveStatus401],
    rules: behindTheFirstPage(expiring),
  },
  {
    id: 'expired-transactions-have-status-403',
    story: 'Transactions are forbidden to an expired token.',
    breaks: [TRX.transactionsWithAnExpiredTokenHaveStatus401],
    rules: refusing('first', 'token_expired', 403),
  },
  {
    id: 'expired-token-shows-transactions-in-the-second-variant',
    story: 'The age of a token is not looked at by the transactions of the second variant.',
    breaks: [TRX.secondVariantWithAnExpiredTokenHasStatus401],
    rules: expiring(isOf('second')),
  },
  {
    id: 'expired-transactions-have-status-400-in-the-second-variant',
    story: 'The second variant calls a request for transactions with an expired token a bad one.',
    breaks: [TRX.secondVariantWithAnExpiredTokenHasStatus401],
    rules: refusing('second', 'token_expired', 400),
  },
]

export const defectsOfAccess: readonly Defect[] = [...defectsOfIsolation, ...defectsOfTokens]
