import { randomBytes, randomInt } from '../random.ts'
import { isAtOwnBank } from '../seed-data.ts'
import { MINUTE, SECOND } from '../rules/facts.ts'
import { shifted } from '../variations/words.ts'
import type { Variation } from '../defect.ts'

/** Freedoms of the interface with many values: formats of ids, times, statuses, sizes and orders. */

export interface Freedom {
  readonly id: string
  /** The values are the whole numbers from `from` to `to`. */
  readonly from: number
  readonly to: number
  /** The variation with one of the values. */
  readonly vary: (value: number) => Omit<Variation, 'id'>
}

/** The alphabets of ids: letters and digits, and characters that a path, a query or a scope must escape. */
const ALPHABETS = [
  '0123456789',
  'abcdefghjkmnpqrstuvwxyz',
  '0123456789abcdef',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_',
  'abcdefghijklmnopqrstuvwxyz0123456789.~-_',
  'abcdefghijklmnopqrstuvwxyz0123456789+/=',
] as const

const LENGTHS = [16, 20, 24, 31, 35] as const

const FORMATS = ALPHABETS.flatMap((alphabet) => LENGTHS.map((length) => ({ alphabet, length })))

interface Format {
  readonly alphabet: string
  readonly length: number
}

const formatOf = (value: number): Format => FORMATS[value] ?? { alphabet: ALPHABETS[0], length: LENGTHS[0] }

const FORMAT = { from: 0, to: FORMATS.length - 1 }

const drawn = ({ alphabet, length }: Format): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

const described = ({ alphabet, length }: Format): string => `${length} characters of ${alphabet}`

/** More than 128 random bits with every alphabet. `=` stands only at the end: RFC 6750, section 2.1, `b64token`. */
const secretOf = ({ alphabet, length }: Format): string =>
  alphabet.endsWith('=')
    ? `${drawn({ alphabet: alphabet.slice(0, -1), length: length + 23 })}=`
    : drawn({ alphabet, length: length + 24 })

const idFormats: readonly Freedom[] = [
  {
    id: 'consent-id-format',
    ...FORMAT,
    vary: (value) => ({
      title: `A consent id has ${described(formatOf(value))}.`,
      rules: { newConsentId: () => drawn(formatOf(value)) },
    }),
  },
  {
    id: 'order-id-format',
    ...FORMAT,
    vary: (value) => ({
      title: `An orderId has ${described(formatOf(value))}.`,
      rules: { newOrderId: () => drawn(formatOf(value)) },
    }),
  },
  {
    id: 'task-id-format',
    ...FORMAT,
    vary: (value) => ({
      title: `A taskId has ${described(formatOf(value))}.`,
      rules: { newTaskId: () => drawn(formatOf(value)) },
    }),
  },
  {
    id: 'application-id-format',
    ...FORMAT,
    vary: (value) => ({
      title: `The id of a loan application has ${described(formatOf(value))}.`,
      rules: { newApplicationId: () => drawn(formatOf(value)) },
    }),
  },
  {
    id: 'secret-format',
    ...FORMAT,
    vary: (value) => ({
      title: `Codes and tokens consist of ${formatOf(value).alphabet}.`,
      rules: {
        newCode: () => secretOf(formatOf(value)),
        newAccessToken: () => secretOf(formatOf(value)),
        newRefreshToken: () => secretOf(formatOf(value)),
      },
    }),
  },
  {
    id: 'account-id-prefix',
    from: 0,
    to: 99,
    vary: (value) => ({
      title: `An account id begins with the number ${value}.`,
      rules: { accountIdOf: ({ account }) => `${value}.${account.accountId}` },
    }),
  },
]

const times: readonly Freedom[] = [
  {
    id: 'loan-step-delay',
    from: 125,
    to: 235,
    vary: (value) => ({
      title: `The status of a loan application changes every ${value} s.`,
      rules: { loanStepDelay: () => value * SECOND },
    }),
  },
  {
    id: 'code-lifetime',
    from: 1,
    to: 10,
    vary: (value) => ({
      title: `A code lives for ${value} min.`,
      rules: { codeIsFresh: ({ code, now }) => now.getTime() < code.issuedAt.getTime() + value * MINUTE },
    }),
  },
  {
    id: 'transaction-event-delay',
    from: 0,
    to: 30,
    vary: (value) => ({
      title: `A transactionEvent is sent ${value} s after the booking.`,
      rules: { transactionEventDelay: () => value * SECOND },
    }),
  },
  {
    id: 'refresh-duration',
    from: 1,
    to: 240,
    vary: (value) => ({
      title: `A refresh is RUNNING for ${value} s.`,
      rules: {
        refreshStages: ({ place }) => [
          { delay: 0, status: 'RUNNING', updates: false },
          { delay: (value + place) * SECOND, status: 'FINISHED', updates: true },
        ],
      },
    }),
  },
  {
    id: 'payment-token-lifetime',
    from: 5,
    to: 60,
    vary: (value) => ({
      title: `The token that an application initiates with lives for ${value} min.`,
      rules: { paymentTokenLifetime: () => value * MINUTE },
    }),
  },
]

const statuses: readonly Freedom[] = [
  {
    id: 'consent-created-status',
    from: 200,
    to: 202,
    vary: (status) => ({
      title: `A consent is created with ${status}.`,
      rules: { consentCreatedStatus: () => status },
    }),
  },
  {
    id: 'refresh-status',
    from: 200,
    to: 202,
    vary: (status) => ({
      title: `A refresh is answered with ${status}.`,
      rules: { refreshStatus: () => status },
    }),
  },
  {
    id: 'unknown-account-status',
    from: 400,
    to: 428,
    vary: (value) => {
      // 401, 407, 408 and 425 have another meaning.
      const status = [401, 407, 408, 425].includes(value) ? 404 : value
      return {
        title: `An account that is not open is refused with ${status}.`,
        rules: (conforming) => ({
          refusalStatus: (facts) =>
            facts.error === 'account_unknown' ? status : conforming.refusalStatus(facts),
        }),
      }
    },
  },
]

const listing: readonly Freedom[] = [
  {
    id: 'default-page-size',
    from: 10,
    to: 100,
    vary: (size) => ({
      title: `A page has ${size} transactions where a request has no pageSize.`,
      rules: { defaultPageSize: () => size },
    }),
  },
  {
    id: 'account-order',
    from: 0,
    to: 10,
    vary: (by) => ({
      title: `The list of accounts begins with account ${by + 1}.`,
      rules: (conforming) => ({
        accountsSeen: async (facts) => shifted(await conforming.accountsSeen(facts), by),
      }),
    }),
  },
  {
    id: 'account-order-by-bank',
    from: 0,
    to: 1,
    vary: (isReversed) => ({
      title: `The list of accounts begins with ${isReversed === 1 ? 'other banks' : 'this bank'}.`,
      rules: (conforming) => ({
        accountsSeen: async (facts) => {
          const accounts = await conforming.accountsSeen(facts)
          const own = accounts.filter(isAtOwnBank)
          const others = accounts.filter((account) => !isAtOwnBank(account))
          return isReversed === 1 ? [...others, ...own] : [...own, ...others]
        },
      }),
    }),
  },
  {
    id: 'response-header',
    from: 1,
    to: 40,
    vary: (count) => ({
      title: `Every response has ${count} more headers.`,
      wire: (next) => async (request) => {
        const response = await next(request)
        for (let number = 1; number <= count; number += 1)
          response.headers.set(`x-bank-${number}`, randomBytes(8).toString('hex'))
        return response
      },
    }),
  },
]

export const freedoms: readonly Freedom[] = [...idFormats, ...times, ...statuses, ...listing]
