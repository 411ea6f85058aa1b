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

const drawn = ({ alphabet, length }: Format): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

const described = ({ alphabet, length }: Format): string => `${length} characters of ${alphabet}`

/** More than 128 random bits with every alphabet. `=` stands only at the end: RFC 6750, section 2.1, `b64token`. */
const secretOf = ({ alphabet, length }: Format): string =>
  alphabet.endsWith('=')
    ? `${drawn({ alphabet: alphabet.slice(0, -1), length: length + 23 })}=`
    : drawn({ alphabet, length: length + 24 })

type Vary = (value: number) => readonly [title: string, rules: NonNullable<Variation['rules']>]

const freedom = (id: string, [from, to]: readonly [number, number], vary: Vary): Freedom => ({
  id,
  from,
  to,
  vary: (value) => {
    const [title, rules] = vary(value)
    return { title, rules }
  },
})

const format = (id: string, vary: (format: Format) => ReturnType<Vary>): Freedom =>
  freedom(id, [0, FORMATS.length - 1], (value) => vary(formatOf(value)))

const idFormats: readonly Freedom[] = [
  format('consent-id-format', (id) => [
    `A consent id has ${described(id)}.`,
    { newConsentId: () => drawn(id) },
  ]),
  format('order-id-format', (id) => [`An orderId has ${described(id)}.`, { newOrderId: () => drawn(id) }]),
  format('task-id-format', (id) => [`A taskId has ${described(id)}.`, { newTaskId: () => drawn(id) }]),
  format('application-id-format', (id) => [
    `The id of a loan application has ${described(id)}.`,
    { newApplicationId: () => drawn(id) },
  ]),
  format('secret-format', (secret) => [
    `Codes and tokens consist of ${secret.alphabet}.`,
    {
      newCode: () => secretOf(secret),
      newAccessToken: () => secretOf(secret),
      newRefreshToken: () => secretOf(secret),
    },
  ]),
  freedom('account-id-prefix', [0, 99], (value) => [
    `An account id begins with the number ${value}.`,
    { accountIdOf: ({ account }) => `${value}.${account.accountId}` },
  ]),
]

const times: readonly Freedom[] = [
  freedom('loan-step-delay', [125, 235], (value) => [
    `The status of a loan application changes every ${value} s.`,
    { loanStepDelay: () => value * SECOND },
  ]),
  freedom('code-lifetime', [1, 10], (value) => [
    `A code lives for ${value} min.`,
    { codeIsFresh: ({ code, now }) => now.getTime() < code.issuedAt.getTime() + value * MINUTE },
  ]),
  freedom('transaction-event-delay', [0, 30], (value) => [
    `A transactionEvent is sent ${value} s after the booking.`,
    { transactionEventDelay: () => value * SECOND },
  ]),
  freedom('refresh-duration', [1, 240], (value) => [
    `A refresh is RUNNING for ${value} s.`,
    {
      refreshStages: ({ place }) => [
        { delay: 0, status: 'RUNNING', updates: false },
        { delay: (value + place) * SECOND, status: 'FINISHED', updates: true },
      ],
    },
  ]),
  freedom('payment-token-lifetime', [5, 60], (value) => [
    `The token that an application initiates with lives for ${value} min.`,
    { paymentTokenLifetime: () => value * MINUTE },
  ]),
]

const statuses: readonly Freedom[] = [
  freedom('consent-created-status', [200, 202], (status) => [
    `A consent is created with ${status}.`,
    { consentCreatedStatus: () => status },
  ]),
  freedom('refresh-status', [200, 202], (status) => [
    `A refresh is answered with ${status}.`,
    { refreshStatus: () => status },
  ]),
  freedom('unknown-account-status', [400, 428], (value) => {
    // 401, 407, 408 and 425 have another meaning.
    const status = [401, 407, 408, 425].includes(value) ? 404 : value
    return [
      `An account that is not open is refused with ${status}.`,
      (conforming) => ({
        refusalStatus: (facts) =>
          facts.error === 'account_unknown' ? status : conforming.refusalStatus(facts),
      }),
    ]
  }),
]

const listing: readonly Freedom[] = [
  freedom('default-page-size', [10, 100], (size) => [
    `A page has ${size} transactions where a request has no pageSize.`,
    { defaultPageSize: () => size },
  ]),
  freedom('account-order', [0, 10], (by) => [
    `The list of accounts begins with account ${by + 1}.`,
    (conforming) => ({ accountsSeen: async (facts) => shifted(await conforming.accountsSeen(facts), by) }),
  ]),
  freedom('account-order-by-bank', [0, 1], (isReversed) => [
    `The list of accounts begins with ${isReversed === 1 ? 'other banks' : 'this bank'}.`,
    (conforming) => ({
      accountsSeen: async (facts) => {
        const accounts = await conforming.accountsSeen(facts)
        const own = accounts.filter(isAtOwnBank)
        const others = accounts.filter((account) => !isAtOwnBank(account))
        return isReversed === 1 ? [...others, ...own] : [...own, ...others]
      },
    }),
  ]),
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
