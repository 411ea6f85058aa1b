import { array, constantFrom, noBias, oneof, record, type Arbitrary } from 'fast-check'

/** Acts of customers and applications: plain data, so that a sequence of them can be shrunk, printed and repeated. */

/**
 * `app` and `customer` count over and over; `grant` counts those that there are by then, from the last one; `account`
 * those at the service's own bank, from the shortest one.
 */
export type Act =
  /** `again`: with the consent that the application had last, also where another customer has granted it. */
  | { readonly do: 'authorize'; readonly app: number; readonly customer: number; readonly again?: true }
  | { readonly do: 'renew' | 'revoke' | 'endConsent'; readonly grant: number }
  /** A refresh of an account at another bank, on which something was booked. */
  | { readonly do: 'refreshElsewhere' }
  /** By default on an account of the first customer. */
  | { readonly do: 'book'; readonly account: number; readonly amount: number; readonly customer?: number }
  | { readonly do: 'pass'; readonly ms: number }
  /** Until that time of day at the bank, on the last day of a month: of the current one, or so many days ahead of it. */
  | { readonly do: 'wait'; readonly until: string; readonly ahead?: number }
  /** Until the newest access token of a grant is that much older than 90 days, or younger. */
  | { readonly do: 'age'; readonly grant: number; readonly beyond: number }
  /** Webhooks of all applications, or of one. */
  | { readonly do: 'setWebhooks'; readonly enabled: boolean; readonly app?: number }
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

const FIRST_DAY: Life = [
  { do: 'authorize', app: 0, customer: 0 },
  { do: 'authorize', app: 1, customer: 1 },
  { do: 'authorize', app: 2, customer: 0 },
  { do: 'authorize', app: 1, customer: 0, again: true },
  { do: 'look', atOnce: true },
  { do: 'book', account: 0, amount: 9_999_999.97 },
  { do: 'book', account: 0, amount: 4.87 },
  { do: 'book', account: 0, amount: 4.87 },
  { do: 'book', account: 1, amount: -17.31 },
  { do: 'renew', grant: 3 },
  { do: 'renew', grant: 3 },
  { do: 'renew', grant: 3 },
  { do: 'renew', grant: 1 },
]

/** Around midnight, on the last day of a month: hour by hour, since the bank may be in another time zone. */
const MIDNIGHT: Life = [
  { do: 'wait', until: '21:20' },
  { do: 'setWebhooks', enabled: true },
  { do: 'authorize', app: 0, customer: 1 },
  { do: 'authorize', app: 2, customer: 1 },
  { do: 'pass', ms: HOUR + MINUTE },
  { do: 'book', account: 0, amount: 0.03 },
  { do: 'book', account: 1, amount: -1_204.11 },
  { do: 'pass', ms: HOUR + MINUTE },
  { do: 'book', account: 0, amount: -0.05 },
  { do: 'book', account: 0, amount: 1.17, customer: 1 },
  { do: 'setWebhooks', enabled: false },
  { do: 'setWebhooks', enabled: true },
  { do: 'pass', ms: HOUR + MINUTE },
  { do: 'book', account: 0, amount: -0.07, customer: 1 },
  { do: 'pass', ms: 13 * HOUR },
]

const ENDINGS: Life = [
  { do: 'authorize', app: 1, customer: 0 },
  { do: 'renew', grant: 0 },
  { do: 'book', account: 0, amount: -4.91 },
  { do: 'revoke', grant: 0 },
  { do: 'renew', grant: 0 },
  { do: 'renew', grant: 0 },
  { do: 'pass', ms: HOUR },
  { do: 'renew', grant: 0 },
  { do: 'renew', grant: 1 },
  { do: 'book', account: 0, amount: -8.13, customer: 1 },
  { do: 'authorize', app: 1, customer: 1 },
  { do: 'renew', grant: 0 },
  { do: 'book', account: 1, amount: 3.49 },
  { do: 'endConsent', grant: 0 },
  { do: 'renew', grant: 0 },
  { do: 'pass', ms: DAY + HOUR },
  { do: 'renew', grant: 0 },
  { do: 'book', account: 0, amount: 2.51 },
  { do: 'endConsent', grant: 5 },
  { do: 'book', account: 0, amount: -2.53 },
]

/** Each application of each customer. */
const EVERYBODY = [0, 1, 2].flatMap((app) =>
  [0, 1].map((customer) => ({ do: 'authorize', app, customer }) as const),
)

/** Bookings for each customer while one application after the other has no webhooks. */
const SETTINGS: Life = [0, 1, 0, 1].flatMap((app): Life => [
  { do: 'setWebhooks', enabled: false, app },
  { do: 'pass', ms: HOUR + MINUTE },
  { do: 'book', account: 0, amount: 1.93 },
  { do: 'book', account: 0, amount: -1.93, customer: 1 },
  { do: 'setWebhooks', enabled: true, app },
])

const RENEW_ALL = EVERYBODY.map((_, grant) => ({ do: 'renew', grant }) as const)

/** When the first tokens have ended, and those from their refresh have not. */
const LATE_BOOKING: Life = [
  { do: 'setWebhooks', enabled: true },
  { do: 'pass', ms: 3 * HOUR },
  { do: 'book', account: 0, amount: 8.39 },
]

/** The 90 days of all tokens of everybody end on the last day of a month, in each time zone of Europe. */
const ninetyDays = (settings: Life): Life => [
  { do: 'wait', until: '02:00', ahead: 90 },
  ...EVERYBODY,
  ...RENEW_ALL,
  // Late in the evening.
  { do: 'pass', ms: 21.25 * HOUR },
  ...RENEW_ALL,
  ...settings,
  { do: 'setWebhooks', enabled: false },
  { do: 'book', account: 0, amount: 6.07 },
  { do: 'pass', ms: 30 * DAY },
  { do: 'book', account: 0, amount: 0.99 },
  // Also less than 90 days after the authorization.
  { do: 'age', grant: EVERYBODY.length - 1, beyond: -23 * HOUR },
  ...(settings.length > 0 ? LATE_BOOKING : []),
  { do: 'age', grant: 0, beyond: 65 * MINUTE },
  { do: 'renew', grant: 0 },
]

const yearWith = (settings: Life): Life => [
  ...FIRST_DAY,
  { do: 'look', atOnce: true },
  { do: 'refreshElsewhere' },
  ...MIDNIGHT,
  ...ENDINGS,
  { do: 'age', grant: 2, beyond: 65 * MINUTE },
  ...ninetyDays(settings),
]

/** Most of a year: every act is done several times, by two customers and by each application. */
export const YEAR = yearWith([])
export const YEAR_WITH_SETTINGS = yearWith(SETTINGS)

/** What needs no time of it. */
export const WITHOUT_TIME: Life = [...FIRST_DAY, ...MIDNIGHT, ...ENDINGS].filter(
  ({ do: does }) => does !== 'pass' && does !== 'wait',
)

/** How often customers are asked in one life. */
export const grantsIn = (life: Life): number => life.filter(({ do: does }) => does === 'authorize').length
