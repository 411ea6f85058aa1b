import { ENVIRONMENTS } from './environment.ts'
import { actingProblems } from './applications.ts'
import { duplicates, problemIf, unknownReference } from './references.ts'
import { guessProblems } from './guesses.ts'
import { unknownPlaceholders } from './template.ts'
import { testHooksIn } from './test-hooks.ts'
import {
  EARLIER_VALUES,
  ORDER_VALUES,
  ordersIn,
  provocationsOf,
  REJECTIONS,
  rejectedAtSubmissionOf,
  type PaymentsProfile,
} from './schema/payments.ts'
import { factOrders } from './schema/payment-facts.ts'
import type { CrossChecks } from './configuration-error.ts'
import type { Profile } from './schema.ts'

/** Checks across several keys of the payment API, with the facts and orders of each environment. */
export const paymentChecks = (profile: Profile): CrossChecks => {
  const { payments } = profile
  if (payments === undefined) return { problems: [], warnings: [] }
  const each = [payments, ...ENVIRONMENTS.map((environment) => ordersIn(payments, environment))].map((own) =>
    checksOf({ ...profile, payments: own }, own),
  )
  return {
    problems: [...new Set(each.flatMap(({ problems }) => problems))],
    warnings: [...new Set(each.flatMap(({ warnings }) => warnings))],
  }
}

const checksOf = (profile: Profile, payments: PaymentsProfile): CrossChecks => {
  const { initiations } = payments
  return {
    problems: [
      ...initiations.flatMap(({ body }, at) =>
        unknownPlaceholders(`payments.initiations.${at}.body`, body, ORDER_VALUES),
      ),
      ...changes(payments).flatMap(({ key, change, method, known }) => [
        ...unknownPlaceholders(`${key}.change`, change, known),
        ...unknownReference(`${key}.method`, method, 'payments.initiations', initiations),
      ]),
      ...unknownReference('payments.customer', payments.customer, 'customers', profile.customers),
      ...actingProblems(profile, 'payments', profile.environment),
      ...duplicates('payments.initiations', initiations, ['name']),
      ...authentication(payments, profile),
      ...approval(payments, profile),
      ...guessProblems(profile),
      ...factProblems(payments),
    ],
    warnings: [
      ...timed(payments),
      ...(testHooksIn(profile).advanceClock === undefined ? unsent(payments) : []),
    ],
  }
}

/** The application must authenticate in one way, and be able to. */
const authentication = (
  { authentication: kind, headers, signature }: PaymentsProfile,
  { connection }: Profile,
): readonly string[] => {
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization')
  if (own !== undefined && kind !== 'other')
    return [
      `\`payments.headers.${own}\` conflicts with \`payments.authentication: ${kind}\`, which sends this header; write \`authentication: other\`, or take it away`,
    ]
  const hasOne =
    Object.keys(headers).length > 0 || signature !== undefined || connection.certificate !== undefined
  return problemIf(
    kind === 'other' && !hasOne,
    '`payments.authentication: other` needs what authenticates: `payments.headers`, `payments.signature`, or the certificate of `connection`',
  )
}

const approval = (
  { approval: bound }: PaymentsProfile,
  { authorization, customers }: Profile,
): readonly string[] => {
  if (bound === undefined) return []
  const own = new Set(customers.flatMap(({ fields = {} }) => Object.keys(fields)))
  return [
    ...(bound.pages ?? []).flatMap(({ fill }, at) =>
      unknownPlaceholders(`payments.approval.pages.${at}.fill`, fill, ['username', 'password', ...own]),
    ),
    ...problemIf(
      bound.pattern !== undefined && bound.shown === undefined,
      '`payments.approval.pattern` is given without `payments.approval.shown`, the element in which it is looked for',
    ),
    ...problemIf(
      bound.shown !== undefined && authorization.kind === 'person',
      '`payments.approval.shown` cannot be read where a person authorizes (`authorization.kind: person`)',
    ),
  ]
}

/** An order that follows from a fact must differ from a valid one, and be sent on a day of payments. */
const factProblems = (payments: PaymentsProfile): readonly string[] => {
  const { debtor, creditor, environments, facts, hours } = payments
  const own = [environments?.sandbox, environments?.production, { debtor, creditor }]
  const used = own.flatMap((one) => [one?.debtor?.iban, one?.creditor?.iban])
  const isSame = (amount: unknown): boolean => amount === undefined || amount === payments.amount
  return [
    ...factOrders(payments).flatMap(({ key, order: { method, values } }) => [
      ...problemIf(
        method === undefined,
        `\`${key}\` needs ${Object.keys(values)
          .map((name) => `\`{${name}}\``)
          .join(' and ')} in a body of \`payments.initiations\``,
      ),
      ...Object.values(values)
        .filter((value) => isSame(values.amount) && used.some((iban) => iban === value))
        .map(
          (iban) => `\`${key}\` has ${String(iban)}, which is the debtor or the creditor of valid payments`,
        ),
    ]),
    ...problemIf(
      facts.cutOff !== undefined && hours === undefined,
      '`payments.facts.cutOff` needs `payments.hours`: on other days there may be no cut-off time',
    ),
  ]
}

interface Change {
  readonly key: string
  readonly change: unknown
  readonly method?: string | undefined
  readonly at?: string | undefined
  readonly known: readonly string[]
}

const changes = (payments: PaymentsProfile): readonly Change[] => {
  const provoked = REJECTIONS.flatMap((rejection) => provocationsOf(payments, rejection))
  return [
    ...provoked.map(({ key, order }) => ({ key, ...order, known: [...ORDER_VALUES, ...EARLIER_VALUES] })),
    ...rejectedAtSubmissionOf(payments).map(({ key, order }) => ({ key, ...order, known: ORDER_VALUES })),
  ]
}

/** Other chapters do not move the clock back. */
const timed = (payments: PaymentsProfile): readonly string[] =>
  problemIf(
    payments.hours === undefined && changes(payments).some(({ at }) => at !== undefined),
    '`payments.hours` is left out while a provocation has an `at`: nothing moves the clock back into the hours in which payments are taken',
  )

/** Without a clock that can be moved, such an order is left out, also where another order of its code is judged. */
const unsent = (payments: PaymentsProfile): readonly string[] =>
  changes(payments)
    .filter(({ at }) => at !== undefined)
    .map(
      ({ key }) =>
        `\`${key}.at\` needs a clock that can be moved, and \`testHooks.advanceClock\` is left out: this order is not sent, and not judged`,
    )
