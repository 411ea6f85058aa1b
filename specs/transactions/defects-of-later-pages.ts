import type { Defect } from '../../harness/bank/defect.ts'
import { behindTheFirstPage, continuing, isNew, isOf, isOfATpp } from './defect-rules.ts'
import type { OpenFacts } from './defect-rules.ts'
import { TRX } from './requirements.ts'

/** What goes wrong behind the first page, at the same moment as somebody else, or for one kind of application alone. */

const isOfEither = (facts: Pick<OpenFacts, 'variant' | 'endpoint'>): boolean =>
  isOf('first')(facts) || isOf('second')(facts)

/** Whether a transaction is money that has left the account since the bank opened. */
const isNewDebit = (transaction: Parameters<typeof isNew>[0]): boolean =>
  isNew(transaction) && transaction.amount < 0

/** Lets what else is under way at the same moment come first. */
const aMoment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

const BOTH_CURRENT = [TRX.transactionsOfTheOwnBankAreCurrent, TRX.transactionsAreCurrentInTheSecondVariant]

const shut: readonly Defect[] = [
  {
    id: 'foreign-account-behind-the-first-page',
    story: 'Whose account it is is looked at for the first page: a link to another one is enough.',
    breaks: [TRX.accountWithoutConsentIsRefused],
    rules: behindTheFirstPage((isForgotten) => (lawful) => ({
      accountIsOpen: (facts) => isForgotten(facts) || lawful.accountIsOpen(facts),
    })),
  },
  {
    id: 'foreign-account-behind-the-first-numbered-page',
    story: 'Whose account it is is looked at for the page with the number 1.',
    breaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: (lawful) => {
      let isLater = false
      return {
        accountInBody: (facts) => {
          isLater = Number(facts.body['page'] ?? 1) > 1
          return lawful.accountInBody(facts)
        },
        accountIsOpen: (facts) => (isOf('second')(facts) && isLater) || lawful.accountIsOpen(facts),
      }
    },
  },
  {
    id: 'later-pages-need-no-token',
    story: 'Behind the first page no token is needed: the link is enough.',
    breaks: [TRX.transactionsWithoutTokenAreRefused],
    rules: (lawful) => {
      let last: string | undefined
      return {
        bearerToken: (facts) => {
          const token = lawful.bearerToken(facts)
          last = token ?? last
          return token ?? (facts.query.has('entryReferenceFrom') ? last : undefined)
        },
      }
    },
  },
  {
    id: 'transactions-are-opened-by-the-grant-of-the-last-caller',
    story: 'Whoever asks for transactions at the same moment as their holder is taken for the holder.',
    breaks: [TRX.accountWithoutConsentIsRefused, TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
    rules: (lawful) => {
      let last: OpenFacts['grant'] | undefined
      return {
        accountIsOpen: async (facts) => {
          if (!isOfEither(facts)) return lawful.accountIsOpen(facts)
          last = facts.grant
          await aMoment()
          return lawful.accountIsOpen({ ...facts, grant: last })
        },
      }
    },
  },
  {
    id: 'expired-token-of-a-tpp-shows-transactions',
    story: 'The age of the token of a TPP is not looked at by transactions.',
    breaks: [TRX.transactionsWithAnExpiredTokenHaveStatus401],
    rules: (lawful) => ({
      accessIsFresh: (facts) => (isOf('first')(facts) && isOfATpp(facts)) || lawful.accessIsFresh(facts),
    }),
  },
]

const shown: readonly Defect[] = [
  {
    id: 'debits-are-not-listed',
    story: 'What is booked is among the transactions where money has come, and not where it has left.',
    breaks: BOTH_CURRENT,
    rules: (lawful) => ({
      bookingsSeen: (facts) => {
        const bookings = lawful.bookingsSeen(facts)
        const isMeant = facts.purpose === 'transactions' && facts.account.bankCode === '9801'
        return isMeant ? bookings.filter((booking) => !isNewDebit(booking)) : bookings
      },
    }),
  },
  {
    id: 'large-page-size-of-a-tpp-is-answered',
    story: 'A TPP is answered pages of up to 500 transactions.',
    breaks: [TRX.noPageExceedsOneHundred],
    rules: (lawful) => ({
      pageSizeCeiling: (facts) =>
        isOf('second')(facts) && isOfATpp(facts) ? 500 : lawful.pageSizeCeiling(facts),
    }),
  },
  {
    id: 'pages-of-an-odd-size-begin-at-tens',
    story: 'Where pageSize is no multiple of ten, a later page begins where one of the tens would.',
    breaks: [TRX.pagesRepeatNothingInTheSecondVariant, TRX.lastPageMayBeShort],
    rules: (lawful) => ({
      offsetOfPage: (facts) =>
        facts.variant === 'second'
          ? (facts.number - 1) * (facts.size - (facts.size % 10))
          : lawful.offsetOfPage(facts),
    }),
  },
]

const ofOneKind: readonly Defect[] = [
  {
    id: 'small-pages-of-a-tpp-skip-one',
    story: 'For a TPP, behind a page of fewer than 50 transactions one is skipped.',
    breaks: [TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
    rules: continuing((facts, offset) => (isOfATpp(facts) && facts.size < 50 ? offset + 1 : offset)),
  },
  {
    id: 'second-and-third-page-of-a-fac-overlap',
    story: 'For a FAC the third page begins with the last transaction of the second one.',
    breaks: [TRX.pagesRepeatNothing],
    rules: continuing((facts, next) => (!isOfATpp(facts) && facts.offset === facts.size ? next - 1 : next)),
  },
  {
    id: 'second-and-third-page-of-a-tpp-overlap',
    story: 'For a TPP the third page begins with the last transaction of the second one.',
    breaks: [TRX.pagesRepeatNothing],
    rules: continuing((facts, next) => (isOfATpp(facts) && facts.offset === facts.size ? next - 1 : next)),
  },
  {
    id: 'third-page-of-a-tpp-overlaps-in-the-second-variant',
    story:
      'In the second variant, and for a TPP, the third page begins with the last transaction of the second one.',
    breaks: [
      TRX.pagesRepeatNothingInTheSecondVariant,
      TRX.pagesLeaveNothingOutInTheSecondVariant,
      TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
    ],
    rules: (lawful) => ({
      offsetOfPage: (facts) => {
        const offset = lawful.offsetOfPage(facts)
        return isOf('second')(facts) && isOfATpp(facts) && facts.number === 3 ? offset - 1 : offset
      },
    }),
  },
]

export const defectsOfLaterPages: readonly Defect[] = [...shut, ...shown, ...ofOneKind]
