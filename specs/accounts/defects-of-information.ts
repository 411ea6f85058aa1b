import { ACC } from './requirements.ts'
import { detailing, isDetail, isOfATpp, opening } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Account, Change } from './defect-rules.ts'

/** What a bank can get wrong in the second variant when an account is picked, or its IBAN is typed. */

const isAtAnotherBank = ({ bankCode }: Account): boolean => bankCode !== '9801'

type IbanFacts = Parameters<Rules['accountOfIban']>[0]

/** Finds other accounts under an IBAN; nothing leaves it as it is, null stands for none. */
const understanding =
  (meant: (facts: IbanFacts) => Account | null | undefined): Change =>
  (lawful) => ({
    accountOfIban: (facts) => {
      const account = isDetail('second')(facts) ? meant(facts) : undefined
      return account === null ? undefined : (account ?? lawful.accountOfIban(facts))
    },
  })

const isOpen = ({ grant }: IbanFacts, { accountId }: Account): boolean => grant.accountIds.includes(accountId)

export const defectsOfInformation: readonly Defect[] = [
  {
    id: 'picked-account-is-refused-to-a-tpp',
    story: 'A TPP is answered the information by IBAN alone.',
    breaks: [ACC.listedAccountOpensTheInformation],
    rules: opening('second', (facts) => (isOfATpp(facts) && facts.naming === 'id' ? false : undefined)),
  },
  {
    id: 'picked-account-at-another-bank-is-refused',
    story: 'The second variant lists accounts at other banks, and refuses those that are picked.',
    breaks: [ACC.listedAccountOpensTheInformation],
    rules: opening('second', ({ account, naming }) =>
      isAtAnotherBank(account) && naming === 'id' ? false : undefined,
    ),
  },
  {
    id: 'typed-iban-is-refused',
    story: 'An IBAN is not looked up at all.',
    breaks: [ACC.typedIbanOpensTheInformation],
    rules: understanding(() => null),
  },
  {
    id: 'typed-iban-must-be-in-groups-of-four',
    story: 'An IBAN is found as it stands on paper, and not in its electronic form.',
    breaks: [ACC.typedIbanOpensTheInformation],
    rules: (lawful) => ({
      accountOfIban: (facts) =>
        facts.iban.includes(' ')
          ? lawful.accountOfIban({ ...facts, iban: facts.iban.replaceAll(' ', '') })
          : undefined,
    }),
  },
  {
    id: 'typed-iban-of-another-bank-is-refused',
    story: 'The IBAN of an account at another bank is not found.',
    breaks: [ACC.typedIbanOpensTheInformation],
    rules: opening('second', ({ account, naming }) =>
      isAtAnotherBank(account) && naming === 'iban' ? false : undefined,
    ),
  },
  {
    id: 'typed-iban-opens-the-first-account',
    story: 'Under the IBAN of any open account the information of the first one is answered.',
    breaks: [ACC.informationIsThatOfTheAccount],
    rules: (lawful) => {
      const change = understanding((facts) => {
        const account = lawful.accountOfIban(facts)
        return account && isOpen(facts, account) ? facts.customer.accounts[0] : undefined
      })
      return change(lawful)
    },
  },
  {
    id: 'information-without-balances',
    story: 'The information of an account has no balances.',
    breaks: [ACC.informationCarriesBalances],
    rules: detailing('second', (body) => ({ ...body, balances: undefined })),
  },
  {
    id: 'information-is-without-balances-when-it-is-repeated',
    story: 'The information has balances the first time that an account is asked for.',
    breaks: [ACC.informationCarriesBalances],
    rules: (lawful) => {
      const asked = new Set<string>()
      const change = detailing('second', (body, { token, account }) => {
        const key = `${token.value} ${account.accountId}`
        const isFirst = !asked.has(key)
        asked.add(key)
        return isFirst ? body : { ...body, balances: [] }
      })
      return change(lawful)
    },
  },
  {
    id: 'information-of-a-typed-iban-is-without-balances',
    story: 'An account that was picked is shown with its balances, and one whose IBAN was typed without.',
    breaks: [ACC.informationCarriesBalances],
    wire: (next) => async (request) => {
      const isTyped =
        request.url.endsWith('/information') && (await request.clone().text()).includes('"iban"')
      const response = await next(request)
      if (!isTyped || !response.ok) return response
      const { account } = (await response.json()) as { readonly account: unknown }
      return Response.json({ account })
    },
  },
  {
    id: 'information-has-an-amount-without-a-value',
    story: 'The amount of a balance has a currency, and no value.',
    breaks: [ACC.informationCarriesBalances],
    rules: (lawful) => ({
      balanceBody: (facts) =>
        isDetail('second')(facts) ? { amount: { currency: 'EUR' } } : lawful.balanceBody(facts),
    }),
  },
  {
    id: 'unknown-iban-opens-the-first-account',
    story: 'An IBAN of the bank that belongs to nobody is taken for the first account of the customer.',
    breaks: [ACC.unknownAccountIsRefusedInTheSecondVariant],
    rules: (lawful) => {
      const change = understanding((facts) =>
        /^SK\d{22}$/.test(facts.iban) && lawful.accountOfIban(facts) === undefined
          ? facts.customer.accounts[0]
          : undefined,
      )
      return change(lawful)
    },
  },
  {
    id: 'unknown-picked-id-opens-the-first-account',
    story: 'An id that is in no list is taken for the first account of the customer.',
    breaks: [ACC.unknownAccountIsRefusedInTheSecondVariant],
    rules: (lawful) => ({
      accountOfUnknownId: (facts) =>
        isDetail('second')(facts) ? facts.customer.accounts[0] : lawful.accountOfUnknownId(facts),
    }),
  },
]
