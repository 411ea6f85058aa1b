import { array, constantFrom, noBias, oneof, record, type Arbitrary } from 'fast-check'

/** Acts of customers and applications: plain data, so that a sequence of them can be shrunk, printed and repeated. */

/**
 * `app` and `customer` count over and over; `grant` counts those that there are by then, from the last one; `account`
 * those at the service's own bank, from the shortest one.
 */
export type Act =
  /** `again`: with the consent that the application had last, whoever granted it. */
  | { readonly do: 'authorize'; readonly app: number; readonly customer: number; readonly again?: true }
  | { readonly do: 'renew' | 'revoke' | 'endConsent'; readonly grant: number }
  /** A refresh of an account at another bank, on which something was booked. */
  | { readonly do: 'refreshElsewhere' }
  | { readonly do: 'book'; readonly account: number; readonly amount: number }
  | { readonly do: 'pass'; readonly ms: number }
  /** Until that time of day at the bank. */
  | { readonly do: 'wait'; readonly until: string }
  /** Until the newest access token of a grant is that much older than 90 days, or younger. */
  | { readonly do: 'age'; readonly grant: number; readonly beyond: number }
  /** Webhooks of all applications. */
  | { readonly do: 'setWebhooks'; readonly enabled: boolean }
  /** Every token is used, one after the other or at the same moment. */
  | { readonly do: 'look'; readonly atOnce?: true }

export type Life = readonly Act[]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How often customers are asked in one life that is drawn. */
export const MOST_GRANTS = 4

const AMOUNTS = [0.01, 4.87, -0.02, -4.91, 17.31, -23.47, 1_000_003.13, 9_999_999.97] as const

const few = constantFrom(0, 0, 1, 2)

const drawn: Arbitrary<Act> = oneof(
  { weight: 4, arbitrary: record({ do: constantFrom('authorize' as const), app: few, customer: few }) },
  {
    weight: 5,
    arbitrary: record({
      do: constantFrom<('renew' | 'revoke' | 'endConsent')[]>('renew', 'renew', 'revoke', 'endConsent'),
      grant: few,
    }),
  },
  {
    weight: 3,
    arbitrary: record({
      do: constantFrom('book' as const),
      account: few,
      amount: constantFrom(...AMOUNTS),
    }),
  },
  {
    weight: 3,
    arbitrary: record({
      do: constantFrom('pass' as const),
      ms: constantFrom(1_000, HOUR, 13 * HOUR, DAY, 7 * DAY, 91 * DAY),
    }),
  },
)

const MOST_ACTS = 5

/** Lives that are drawn, from a first grant to its end. They shrink to a few acts. */
export const lives: Arbitrary<Life> = noBias(array(drawn, { maxLength: MOST_ACTS, size: 'max' })).map(
  (acts) => [{ do: 'authorize', app: 0, customer: 0 }, ...acts, { do: 'revoke', grant: 0 }],
)

/** A quarter: every act is done several times, by two customers and by each application. */
export const QUARTER: Life = [
  { do: 'authorize', app: 0, customer: 0 },
  { do: 'authorize', app: 1, customer: 1 },
  { do: 'authorize', app: 2, customer: 0 },
  { do: 'authorize', app: 1, customer: 0, again: true },
  { do: 'look', atOnce: true },
  { do: 'book', account: 0, amount: 9_999_999.97 },
  { do: 'book', account: 0, amount: 4.87 },
  { do: 'book', account: 0, amount: -0.02 },
  { do: 'book', account: 1, amount: -17.31 },
  { do: 'renew', grant: 3 },
  { do: 'renew', grant: 3 },
  { do: 'renew', grant: 3 },
  { do: 'renew', grant: 1 },
  { do: 'look', atOnce: true },
  { do: 'refreshElsewhere' },
  { do: 'wait', until: '23:20' },
  { do: 'setWebhooks', enabled: true },
  { do: 'pass', ms: HOUR + MINUTE },
  { do: 'book', account: 0, amount: 0.03 },
  { do: 'book', account: 1, amount: 1_204.11 },
  { do: 'pass', ms: 13 * HOUR },
  { do: 'authorize', app: 1, customer: 0 },
  { do: 'renew', grant: 0 },
  { do: 'book', account: 0, amount: -4.91 },
  { do: 'revoke', grant: 0 },
  { do: 'renew', grant: 0 },
  { do: 'renew', grant: 0 },
  { do: 'pass', ms: HOUR },
  { do: 'renew', grant: 0 },
  { do: 'authorize', app: 2, customer: 1 },
  { do: 'renew', grant: 0 },
  { do: 'book', account: 1, amount: 3.49 },
  { do: 'endConsent', grant: 0 },
  { do: 'renew', grant: 0 },
  { do: 'pass', ms: HOUR },
  { do: 'renew', grant: 0 },
  { do: 'book', account: 0, amount: 2.51 },
  { do: 'endConsent', grant: 3 },
  { do: 'book', account: 0, amount: -2.53 },
  { do: 'setWebhooks', enabled: false },
  { do: 'book', account: 0, amount: 6.07 },
  { do: 'pass', ms: 30 * DAY },
  { do: 'book', account: 0, amount: 0.99 },
  { do: 'age', grant: 5, beyond: -61 * MINUTE },
  { do: 'age', grant: 5, beyond: 62 * MINUTE },
  { do: 'renew', grant: 5 },
]

/** What needs no time of it. */
export const WITHOUT_TIME: Life = [
  ...QUARTER.slice(0, 12),
  ...QUARTER.slice(21, 24),
  ...QUARTER.slice(24, 37),
].filter(({ do: does }) => does !== 'pass')
