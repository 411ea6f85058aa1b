import { ORDER_VALUES } from './schema/payments.ts'
import { nearest } from './nearest.ts'
import { unknownPlaceholders } from './placeholders.ts'
import type { CrossChecks } from './configuration-error.ts'
import type { Profile } from './schema.ts'

/** What no single key of the payment API can tell. */
export const paymentChecks = (profile: Profile): CrossChecks => {
  const { payments } = profile
  if (payments === undefined) return { problems: [], warnings: [] }
  const methods = payments.initiations.map(({ name }) => name)
  const applications = profile.applications.map(({ name }) => name)
  return {
    problems: [
      ...payments.initiations.flatMap(({ body }, at) =>
        unknownPlaceholders(`payments.initiations.${at}.body`, body, ORDER_VALUES),
      ),
      ...changes(profile).flatMap(({ key, change, method }) => [
        ...unknownPlaceholders(`${key}.change`, change, ORDER_VALUES),
        ...reference(`${key}.method`, method, 'payments.initiations', methods),
      ]),
      ...reference('payments.application', payments.application, 'applications', applications),
      ...twice('payments.initiations', methods),
    ],
    warnings: timed(profile),
  }
}

interface Change {
  readonly key: string
  readonly change: unknown
  readonly method?: string | undefined
  readonly at?: string | undefined
}

const changes = ({ payments }: Profile): readonly Change[] => {
  if (payments === undefined) return []
  const { provocations, rejectedAtSubmission } = payments
  return Object.entries({ provocations, rejectedAtSubmission }).flatMap(([key, orders]) =>
    Object.entries(orders).flatMap(([code, order]) =>
      order === undefined ? [] : [{ key: `payments.${key}.${code}`, ...order }],
    ),
  )
}

const reference = (
  key: string,
  name: string | undefined,
  list: string,
  names: readonly string[],
): readonly string[] => {
  if (name === undefined || names.includes(name)) return []
  const near = nearest(name, names)
  const advice =
    near === undefined
      ? `expected one of ${names.map((each) => JSON.stringify(each)).join(', ')}`
      : `did you mean ${JSON.stringify(near)}?`
  return [`\`${key}\` names ${JSON.stringify(name)}, which \`${list}\` does not have; ${advice}`]
}

const twice = (key: string, names: readonly string[]): readonly string[] =>
  names.flatMap((name, at) =>
    names.indexOf(name) < at
      ? [`\`${key}.${at}.name\` is the same as \`${key}.${names.indexOf(name)}.name\`; each needs its own`]
      : [],
  )

/** Other chapters leave the clock where they have moved it. */
const timed = (profile: Profile): readonly string[] =>
  profile.payments?.hours === undefined && changes(profile).some(({ at }) => at !== undefined)
    ? [
        '`payments.hours` is left out while a provocation has an `at`: nothing moves the clock back into the hours in which payments are taken',
      ]
    : []
