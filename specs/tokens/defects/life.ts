import { ACC } from '../../accounts/requirements.ts'
import { mixCallersOfLists, moveAgainst } from '../../shared/account-changes.ts'
import { alter, defectsOf, refuse, when } from '../../shared/changes.ts'
import { TRX } from '../../transactions/requirements.ts'
import { TOK } from '../requirements.ts'

/** Faults that show only later, only the second time, only for another customer or only for small amounts. */

const HOUR = 60 * 60 * 1000

/** Whether a token was issued for a grant after this one. */
const replacedLivesOn = alter(
  {
    accessIsRevoked: (usual, { token, grant }, { of }) => {
      const issues = of('newAccessToken').filter(({ facts }) => facts.grant.grantId === grant.grantId)
      return usual && issues.at(-1)?.answer === token.value
    },
  },
  'newAccessToken',
)

const secondAttempt = alter({
  refreshIsRevoked: (usual, { refreshToken }, { of }) =>
    usual && !of('refreshIsRevoked').some(({ facts }) => facts.refreshToken.value === refreshToken.value),
})

const firstCustomerOfTheConsent = alter({
  grantedAccounts: (usual, { consent }, { of }) =>
    of('grantedAccounts').find(
      ({ facts }) => consent !== undefined && facts.consent?.consentId === consent.consentId,
    )?.answer ?? usual,
  accountsSeen: (usual, { grant, customers }) => {
    const seen = customers
      .flatMap(({ accounts }) => accounts)
      .filter(({ accountId }) => grant.accountIds.includes(accountId))
    return seen.length > usual.length ? seen : usual
  },
})

const isInTheFirst = ({ variant }: { readonly variant: string }): boolean => variant === 'first'

const withoutSmallOnes = alter({
  bookingsSeen: (usual, { purpose }) =>
    purpose === 'transactions' ? usual.filter(({ amount }) => Math.abs(amount) >= 500) : usual,
})

/** Of those with the same amount on the same day, the first or the last is left. */
const withoutEqualOnes = (left: 'findIndex' | 'findLastIndex') =>
  alter({
    bookingsSeen: (usual, { purpose }) =>
      purpose === 'balances'
        ? usual
        : usual.filter(
            ({ amount, bookingDate }, at) =>
              usual[left]((one) => one.amount === amount && one.bookingDate === bookingDate) === at,
          ),
  })

const forgottenAfterHours = alter(
  {
    bookingsSeen: (usual, { account, now }, { of }) => {
      const updated = of('accountsUpdated').findLast(({ answer }) => answer.includes(account))
      const isOld = updated !== undefined && now.getTime() > updated.facts.now.getTime() + 12 * HOUR
      return isOld ? [] : usual
    },
  },
  'accountsUpdated',
)

export const lifeDefects = [
  ...defectsOf([TOK.revokedTokenIsRefused], {
    'An access token that was refreshed outlives the revocation of its grant': replacedLivesOn,
  }),
  ...defectsOf([TOK.revokedTokenIsRefused, TOK.revocationEndsTheRefreshToken], {
    'The tokens of a revoked consent are still accepted': refuse('endOfConsentRevokes'),
  }),
  ...defectsOf([TOK.revocationEndsTheRefreshToken], {
    'A revoked refresh token is refused the first time only': secondAttempt,
  }),
  ...defectsOf([ACC.nothingElseIsListed], {
    'A consent that another customer has granted before opens the accounts of that customer':
      firstCustomerOfTheConsent,
    'Of two lists that are asked for at the same moment both are that of the last customer':
      mixCallersOfLists,
  }),
  ...defectsOf([ACC.balanceOfTheOwnBankIsCurrent], {
    'Credits lower the balances, and debits raise them': moveAgainst(() => true),
  }),
  ...defectsOf([TRX.pagesRepeatNothing], {
    'A booking of an earlier day is shown twice': alter({
      transactionsOf: (all, { bookings, now }) => [
        ...bookings.filter(({ bookingDate }) => bookingDate < now.toISOString().slice(0, 10)),
        ...all,
      ],
    }),
  }),
  ...defectsOf([TRX.transactionsOfTheOwnBankAreCurrent], {
    'Bookings of less than 5 EUR are not among the transactions': when(isInTheFirst, withoutSmallOnes),
    'A booking that is equal to one of the same day is not listed': withoutEqualOnes('findLastIndex'),
  }),
  ...defectsOf([TRX.pagesLeaveNothingOut], {
    'What a refresh has brought of another bank is gone after 12 hours': forgottenAfterHours,
    'A booking takes the place of one of the same day that is equal': withoutEqualOnes('findIndex'),
  }),
]
