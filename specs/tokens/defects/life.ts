import { ACC } from '../../accounts/requirements.ts'
import { mixCallersOfLists, moveAgainst } from '../../shared/account-changes.ts'
import { alter, defectsOf, when } from '../../shared/changes.ts'
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

const DAY = 24 * HOUR

const lateRefreshLivesOn = alter(
  {
    refreshIsRevoked: (usual, { refreshToken: { value } }, { of }) => {
      const { now, previous } = of('newRefreshToken').find(({ answer }) => answer === value)?.facts ?? {}
      const isLate = now !== undefined && previous && now.getTime() - previous.issuedAt.getTime() >= 7 * DAY
      return usual && isLate !== true
    },
  },
  'newRefreshToken',
)

const revivedByItsConsent = alter(
  {
    accessIsRevoked: (usual, { grant: { consentId }, revokedAt }, { of }) =>
      usual &&
      !of('newAccessToken').some(
        ({ facts: { now, grant, grantType } }) =>
          grantType === 'authorization_code' &&
          consentId !== undefined &&
          grant.consentId === consentId &&
          now > (revokedAt ?? now),
      ),
  },
  'newAccessToken',
)

const withoutThoseWithoutAccess = alter(
  {
    bookingsSeen: (usual, { purpose, customer: { username } }, { of }) => {
      const issued = of('newAccessToken').filter(({ facts: { grant } }) => grant.username === username)
      const isOpenAt = (time: number) =>
        issued.some(({ facts: { now } }) => now.getTime() <= time && time < now.getTime() + 90 * DAY)
      const hidden = of('bookingIsKnownAtOnce').filter(({ facts: { now } }) => !isOpenAt(now.getTime()))
      const ids = new Set(hidden.map(({ facts: { transaction } }) => transaction.transactionId))
      return purpose === 'balances' ? usual : usual.filter(({ transactionId }) => !ids.has(transactionId))
    },
  },
  'bookingIsKnownAtOnce',
  'newAccessToken',
)

const withoutLargeDebits = alter({
  bookedAmount: (usual, { bookings }) =>
    bookings.reduce((sum, { amount }) => (amount < -100_000 ? sum - amount : sum), usual),
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
    'After a new grant under the same consent the revoked tokens are accepted again': revivedByItsConsent,
  }),
  ...defectsOf([TOK.revocationEndsTheRefreshToken], {
    'A refresh token from a refresh after a week outlives the revocation': lateRefreshLivesOn,
  }),
  ...defectsOf([ACC.nothingElseIsListed], {
    'A consent that another customer has granted before opens the accounts of that customer':
      firstCustomerOfTheConsent,
    'Of two lists that are asked for at the same moment both are that of the last customer':
      mixCallersOfLists,
  }),
  ...defectsOf([ACC.balanceOfTheOwnBankIsCurrent], {
    'Credits lower the balances, and debits raise them': moveAgainst(() => true),
    'Debits of more than 1,000 EUR do not move the balances': withoutLargeDebits,
  }),
  ...defectsOf([TRX.pageIsThatOfTheAccount], {
    'The last page of a customer ends with the last large credit to another one': alter({
      pageItems: (usual, { customer, all, offset, size }, { of }) => {
        const others = of('pageItems').filter(({ facts }) => facts.customer.username !== customer.username)
        const credit = others.flatMap(({ answer }) => answer).find(({ amount }) => amount >= 100_000_000)
        const isLast = usual.length < size && offset + size >= all.length
        return isLast && credit !== undefined ? [...usual, credit] : usual
      },
    }),
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
    'Bookings that were made while no token was valid are missing later': withoutThoseWithoutAccess,
  }),
  ...defectsOf([TRX.pagesLeaveNothingOut], {
    'What a refresh has brought of another bank is gone after 12 hours': forgottenAfterHours,
    'A booking takes the place of one of the same day that is equal': withoutEqualOnes('findIndex'),
  }),
]
