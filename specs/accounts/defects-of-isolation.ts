import { ACC } from './requirements.ts'
import { isDetail, isForeign, isOfATpp, opening } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Account, Change, OpenFacts, Variant } from './defect-rules.ts'

/** What a bank can get wrong so that one sees what is another's. */

/** Opens what is shut once something has been opened before, to whom `key` says. */
const openingAfter =
  (variant: Variant, key: (facts: OpenFacts) => string, applies: (facts: OpenFacts) => boolean): Change =>
  (lawful) => {
    const opened = new Set<string>()
    return {
      accountIsOpen: async (facts) => {
        const isOpen = await lawful.accountIsOpen(facts)
        if (!isDetail(variant)(facts)) return isOpen
        if (isOpen) opened.add(key(facts))
        return isOpen || (applies(facts) && opened.has(key(facts)))
      },
    }
  }

/** Takes an IBAN for an id in the first variant, and forgets to look whether such an account is open. */
const takingIbans =
  (applies: (facts: OpenFacts) => boolean): Change =>
  (lawful) => {
    let named: Account | undefined
    return {
      accountOfUnknownId: (facts) => {
        named = isDetail('first')(facts)
          ? lawful.accountOfIban({ ...facts, iban: facts.accountId })
          : lawful.accountOfUnknownId(facts)
        return named
      },
      accountIsOpen: (facts) => {
        const isNamed = facts.account === named
        // The next call may name the account by its id.
        named = undefined
        return (isNamed && applies(facts)) || lawful.accountIsOpen(facts)
      },
    }
  }

/** Reads an IBAN as the customer may have meant it, and forgets to look whether the account is open. */
const understanding =
  (meant: (iban: string) => string, applies: (facts: OpenFacts) => boolean): Change =>
  (lawful) => {
    let isMeant = false
    return {
      accountOfIban: (facts) => {
        const iban = meant(facts.iban)
        isMeant = iban !== facts.iban
        return lawful.accountOfIban({ ...facts, iban })
      },
      ...opening('second', (facts) =>
        isMeant && facts.naming === 'iban' && applies(facts) ? true : undefined,
      )(lawful),
    }
  }

type RefusalFacts = Parameters<Rules['refusalBody']>[0]

/** What is said beside the error. */
interface Told {
  readonly body?: Readonly<Record<string, unknown>>
  readonly header?: string
}

/** Says more of a shut account than that it is shut, in this variant. */
const telling =
  (variant: Variant, tell: (account: Account, holder: string) => Told): Change =>
  (lawful) => {
    const holders = new Map<string, string>()
    const told = (facts: RefusalFacts): Told =>
      facts.account && isDetail(variant)(facts)
        ? tell(facts.account, holders.get(facts.account.accountId) ?? '')
        : {}
    return {
      accountIsOpen: (facts) => {
        const holder = facts.customers.find(({ accounts }) => accounts.includes(facts.account))
        holders.set(facts.account.accountId, holder?.name ?? '')
        return lawful.accountIsOpen(facts)
      },
      refusalBody: (facts) => Object.assign({}, lawful.refusalBody(facts), told(facts).body),
      refusalHeaders: (facts) => {
        const { header } = told(facts)
        return { ...lawful.refusalHeaders(facts), ...(header !== undefined && { 'x-account': header }) }
      },
    }
  }

/** The consent is looked for by the accountId of a body, and the account by its IBAN. */
const confused: Change = (lawful) => {
  let iban: string | undefined
  return {
    accountInBody: (facts) => {
      const { accountId, iban: typed } = facts.body
      const isBoth = typeof accountId === 'string' && typeof typed === 'string'
      iban = isBoth ? typed : undefined
      return isBoth ? { naming: 'id', name: accountId } : lawful.accountInBody(facts)
    },
    accountDetailBody: (facts) => {
      const meant =
        facts.variant === 'second' && iban !== undefined
          ? lawful.accountOfIban({ ...facts, iban })
          : undefined
      if (meant === undefined) return lawful.accountDetailBody(facts)
      return lawful.accountDetailBody({ ...facts, account: meant })
    },
  }
}

/** Both environments know the tokens of each other, in such a call. */
const sharingTokens =
  (variant: Variant): Change =>
  (lawful) => ({
    otherEnvironmentsSearched: (facts) =>
      facts.kind === 'accessTokens' && isDetail(variant)(facts)
        ? ['sandbox', 'production']
        : lawful.otherEnvironmentsSearched(facts),
  })

export const defectsOfIsolation: readonly Defect[] = [
  {
    id: 'unconsented-account-is-read-by-its-iban',
    story: 'An IBAN in the path opens any account of the customer, though none but the consented are listed.',
    breaks: [ACC.accountWithoutConsentIsRefused],
    rules: takingIbans((facts) => !isForeign(facts)),
  },
  {
    id: 'foreign-account-is-read-by-its-id',
    story: 'Whoever knows an account-id is answered the detail in the first variant.',
    breaks: [ACC.accountOfAnotherCustomerIsRefused],
    rules: opening('first', (facts) => (isForeign(facts) ? true : undefined)),
  },
  {
    id: 'foreign-account-is-read-by-its-iban',
    story: 'An IBAN in the path opens the account of anybody but the customer who asks.',
    breaks: [ACC.accountOfAnotherCustomerIsRefused, { id: 'ACC-10' }],
    rules: takingIbans(isForeign),
  },
  {
    id: 'foreign-account-is-read-in-production',
    story: 'Whose account it is is looked at in the sandbox alone.',
    environment: 'production',
    breaks: [ACC.accountOfAnotherCustomerIsRefused],
    rules: opening('first', (facts) => (isForeign(facts) ? true : undefined)),
  },
  {
    id: 'foreign-account-is-read-by-a-tpp',
    story: 'A TPP is answered the detail of any account that one of its consents is for.',
    breaks: [ACC.accountOfAnotherCustomerIsRefused],
    rules: opening('first', (facts) => (isForeign(facts) && isOfATpp(facts) ? true : undefined)),
  },
  {
    id: 'foreign-account-is-read-after-its-holder',
    story: 'The detail is kept by the account-id alone, once its holder has read it.',
    breaks: [ACC.accountOfAnotherCustomerIsRefused],
    rules: openingAfter('first', ({ account }) => account.accountId, isForeign),
  },
  {
    id: 'foreign-account-is-read-after-an-allowed-call',
    story: 'A token that has read one account is not looked at again when it reads another.',
    breaks: [ACC.accountOfAnotherCustomerIsRefused],
    rules: openingAfter('first', ({ token }) => token.value, isForeign),
  },
  {
    id: 'refusal-names-the-holder',
    story: 'The refusal of a detail says whose account it is.',
    breaks: [ACC.refusedDetailTellsNothing],
    rules: telling('first', (_, holder) => ({
      body: { errorDescription: `This account belongs to ${holder}.` },
    })),
  },
  {
    id: 'refusal-names-the-account',
    story: 'The refusal of a detail has what the holder calls the account.',
    breaks: [ACC.refusedDetailTellsNothing],
    rules: telling('first', ({ name }) => ({ body: { account: { label: name } } })),
  },
  {
    id: 'refusal-has-the-iban-in-a-header',
    story: 'A header that was meant for the log has the IBAN of the account that was refused.',
    breaks: [ACC.refusedDetailTellsNothing],
    rules: telling('first', ({ iban }) => ({ header: iban })),
  },
  {
    id: 'refusal-has-the-balance',
    story: 'The refusal of a detail has the balance beside the error.',
    breaks: [ACC.refusedDetailTellsNothing],
    rules: telling('first', ({ openingBalance }) => ({ body: { balance: openingBalance / 100 } })),
  },
  {
    id: 'foreign-iban-is-accepted',
    story: 'Whose account an IBAN names is not looked at; an id is.',
    breaks: [ACC.informationOfAnotherCustomerIsRefused, { id: 'ACC-20' }],
    rules: opening('second', (facts) => (isForeign(facts) && facts.naming === 'iban' ? true : undefined)),
  },
  {
    id: 'foreign-id-is-accepted-in-the-second-variant',
    story: 'Whose account an id names is not looked at; of an IBAN it is.',
    breaks: [ACC.informationOfAnotherCustomerIsRefused],
    rules: opening('second', (facts) => (isForeign(facts) && facts.naming === 'id' ? true : undefined)),
  },
  {
    id: 'foreign-iban-is-accepted-after-its-holder',
    story: 'The information is kept by IBAN alone, once its holder has read it.',
    breaks: [ACC.informationOfAnotherCustomerIsRefused],
    rules: openingAfter('second', ({ account }) => account.accountId, isForeign),
  },
  {
    id: 'foreign-iban-in-groups-of-four-is-accepted',
    story: 'Blanks are taken out of an IBAN after it was looked up in the consent.',
    breaks: [ACC.informationOfAnotherCustomerIsRefused],
    rules: understanding((iban) => iban.replaceAll(' ', ''), isForeign),
  },
  {
    id: 'unconsented-iban-is-accepted',
    story: 'An IBAN opens every account of the customer, whatever was ticked.',
    breaks: [ACC.informationWithoutConsentIsRefused],
    rules: opening('second', (facts) => (isForeign(facts) ? undefined : true)),
  },
  {
    id: 'unconsented-iban-is-accepted-in-small-letters',
    story: 'An IBAN is written in capitals after it was looked up in the consent.',
    breaks: [ACC.informationWithoutConsentIsRefused],
    rules: understanding(
      (iban) => iban.toUpperCase(),
      (facts) => !isForeign(facts),
    ),
  },
  {
    id: 'consent-is-looked-up-by-id-and-account-by-iban',
    story:
      'Of a body with an accountId and an IBAN, the one is looked up in the consent, and the other answered.',
    breaks: [ACC.secondVariantTellsNothingOfAnother],
    rules: confused,
  },
  {
    id: 'refusal-names-the-holder-in-the-second-variant',
    story: 'The refusal of an information says whose account it is.',
    breaks: [ACC.secondVariantTellsNothingOfAnother],
    rules: telling('second', (_, holder) => ({
      body: { errorDescription: `The IBAN is one of ${holder}.` },
    })),
  },
  {
    id: 'refusal-shows-the-id-behind-an-iban',
    story: 'The refusal of an IBAN has the id of the account that it names.',
    breaks: [ACC.secondVariantTellsNothingOfAnother],
    rules: telling('second', ({ accountId }) => ({ body: { account: accountId } })),
  },
  {
    id: 'token-of-the-other-environment-opens-a-detail',
    story: 'The detail of an account looks for a token in both environments.',
    breaks: [ACC.detailIsRefusedInTheOtherEnvironment, { id: 'ENV-06' }, { id: 'ENV-07' }],
    rules: sharingTokens('first'),
  },
  {
    id: 'token-of-the-other-environment-opens-the-information',
    story: 'The second variant looks for a token in both environments when it is asked for an account.',
    breaks: [ACC.secondVariantIsRefusedInTheOtherEnvironment, { id: 'ENV-06' }, { id: 'ENV-07' }],
    rules: sharingTokens('second'),
  },
]
