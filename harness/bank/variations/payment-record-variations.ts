/** Payments whose status records and refusals are named, dated, explained and filled in other ways. */
import { randomInt } from 'node:crypto'
import type { Variation } from '../defect.ts'
import { localDateTime } from '../payments/calendar.ts'
import type { Payment, ReasonCode } from '../payments/payment.ts'
import { DAY, HOUR } from '../rules/facts.ts'
import { rewriteJson } from './wires.ts'

const IN_SLOVAK: Readonly<Record<ReasonCode, string>> = {
  AC01: 'Číslo účtu nie je správne.',
  AC04: 'Účet bol zrušený.',
  AG01: 'Z tohto typu účtu sa platiť nedá.',
  AM03: 'Mena sa nedá spracovať.',
  AM04: 'Na účte nie je dosť prostriedkov.',
  AM05: 'Takýto príkaz sme už dostali.',
  AM09: 'Suma nie je dohodnutá suma.',
  AM10: 'Súčet súm sa nerovná kontrolnému súčtu.',
  DT01: 'Dátum nie je platný.',
  MS03: 'Platbu sme zamietli. Obráťte sa, prosím, na banku.',
  RC01: 'Kód banky nemá správny tvar.',
  RR03: 'Chýba meno alebo adresa príjemcu.',
  TM01: 'Príkaz prišiel po uzávierke.',
}

const EASTERN = -5 * HOUR

const linksOf = ({ orderId }: Payment): unknown => ({
  self: { href: `/payments/${encodeURIComponent(orderId)}` },
  status: { href: `/payments/${encodeURIComponent(orderId)}/status`, method: 'GET' },
})

export const paymentRecordVariations: readonly Variation[] = [
  {
    id: 'explanations-in-slovak',
    story: 'The additionalInformation is in Slovak.',
    rules: { additionalInformation: ({ reason }) => IN_SLOVAK[reason] },
  },
  {
    id: 'explanations-with-the-time',
    story: 'The additionalInformation says when and of what it speaks, otherwise in each answer.',
    rules: (lawful) => ({
      additionalInformation: (facts) =>
        `[${facts.telling} of ${facts.payment.orderId}, ${facts.now.toISOString()}]\n${String(lawful.additionalInformation(facts))}`,
    }),
  },
  {
    id: 'date-times-in-utc',
    story: 'A statusDateTime ends with a Z.',
    rules: { statusDateTime: ({ payment }) => payment.statusAt.toISOString() },
  },
  {
    id: 'date-times-of-another-zone',
    story: 'A statusDateTime has an offset of minus five hours: the machine stands in another country.',
    rules: { statusDateTime: ({ payment }) => localDateTime(payment.statusAt, EASTERN) },
  },
  {
    id: 'no-reason-is-null',
    story: 'A payment that is not rejected has null for its reasonCode and its additionalInformation.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({
        reasonCode: null,
        ...lawful.paymentBody(facts),
        ...(facts.payment.reason === undefined && { reasonCode: null, additionalInformation: null }),
      }),
    }),
  },
  {
    id: 'payments-with-links',
    story: 'A status record has links, one of which is called status.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({ _links: linksOf(facts.payment), ...lawful.paymentBody(facts) }),
    }),
  },
  {
    id: 'submission-is-created',
    story: 'A submission is answered with 201.',
    rules: { submissionStatus: () => 201 },
  },
]

/** Neither digits nor vowels, so that no word comes about; nor what hexadecimal numbers have. */
const CONSONANTS = 'GHJKLMNPQRSTVWXYZ'

const consonants = (length: number): string =>
  Array.from({ length }, () => CONSONANTS.charAt(randomInt(CONSONANTS.length))).join('')

/** ISO 8601 has both a basic form and dates by week, which begin with the Monday of the week of 4 January. */
const byWeek = (extended: string): string => {
  const day = Date.parse(extended.slice(0, 10))
  const weekday = new Date(day).getUTCDay() || 7
  const thursday = new Date(day + (4 - weekday) * DAY)
  const week = Math.ceil((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 0)) / DAY / 7)
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${weekday}${extended.slice(10)}`
}

const basic = (extended: string): string => extended.replaceAll(/-(?=.*T)|:/g, '')

/** How each framework puts it that a member of a request is at fault. */
const refusing =
  (body: (error: string, description: string) => unknown): NonNullable<Variation['rules']> =>
  (lawful) => ({
    refusalBody: (facts) =>
      facts.endpoint === 'payments' ? body(facts.error, facts.description) : lawful.refusalBody(facts),
  })

const orderAskedFor = ({ url }: Request): string | undefined => {
  const orderId = /\/payments\/([^/]+)\/status$/.exec(new URL(url).pathname)?.[1]
  return orderId === undefined ? undefined : decodeURIComponent(orderId)
}

export const paymentWordVariations: readonly Variation[] = [
  {
    id: 'order-ids-of-consonants',
    story: 'An orderId has 24 capital letters, and none that a hexadecimal number has.',
    rules: { newOrderId: () => consonants(24) },
  },
  {
    id: 'date-times-in-the-basic-form',
    story: 'A statusDateTime is in the basic form of ISO 8601, without hyphens and colons.',
    rules: { statusDateTime: ({ payment }) => basic(localDateTime(payment.statusAt)) },
  },
  {
    id: 'date-times-by-week',
    story: 'A statusDateTime names its day by year, week and weekday.',
    rules: { statusDateTime: ({ payment }) => byWeek(localDateTime(payment.statusAt)) },
  },
  {
    id: 'payment-refusals-name-a-member',
    story: 'A refusal of payments has a list of errors, each with the name of the member at fault: orderId.',
    rules: refusing((error, message) => ({
      status: 400,
      error,
      errors: [{ field: 'orderId', message }],
    })),
  },
  {
    id: 'payment-refusals-under-a-member',
    story: 'A refusal of payments has what is wrong under the name of the member at fault: orderId.',
    rules: refusing((title, detail) => ({ title, status: 400, errors: { orderId: [detail] } })),
  },
  {
    id: 'payment-refusals-repeat-the-order',
    story:
      'A refused status repeats the orderId that was asked for, and has a list of additionalInformation.',
    wire: rewriteJson(
      ({ text, request }) =>
        JSON.stringify({
          ...(JSON.parse(text) as object),
          orderId: orderAskedFor(request),
          additionalInformation: ['See the documentation.'],
        }),
      ({ status, request }) => status >= 400 && orderAskedFor(request) !== undefined,
    ),
  },
  {
    id: 'payments-in-an-envelope',
    story: 'A status record stands beside what the request was about, which has an orderId as well.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({
        about: { orderId: facts.payment.orderId, told: facts.telling },
        payment: lawful.paymentBody(facts),
      }),
    }),
  },
]
