/** Payments whose status records are explained, dated and filled in another way. */
import type { Variation } from '../defect.ts'
import { localDateTime } from '../payments/calendar.ts'
import type { Payment, ReasonCode } from '../payments/payment.ts'
import { HOUR } from '../rules/facts.ts'

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
