import { scenarioOf } from '../evidence/exchange.ts'
import { exchangesOf } from './evidence-file.ts'
import type { Plan } from '../plan/plan.ts'
import type { Profile } from '../profile/schema.ts'
import type { Report } from './schema.ts'

/** In which contexts a run has exercised each operation: for whom, as which application, and how codes came. */

type Contexts = NonNullable<Report['contexts']>
type Context = Omit<Contexts[number], 'operation' | 'answers'>

/** A customer is named by the place in the profile: the name may contain the user name, which may be secret. */
const numberOf = (at: number): string => String(at + 1)

const contextsIn = ({ applications, customers }: Profile): readonly Context[] => [
  ...applications.map(({ name }) => ({ dimension: 'application' as const, value: name })),
  ...customers.map((_, at) => ({ dimension: 'customer' as const, value: numberOf(at) })),
  ...[
    ...new Set(applications.flatMap(({ redirectUris }) => redirectUris.map(({ delivery }) => delivery))),
  ].map((value) => ({ dimension: 'delivery' as const, value })),
]

/** What the plan has drawn for a scenario: others that it uses beside these are not counted. */
const drawnFor = (
  { applications, customers }: Profile,
  { application, actingKind, rotation }: Plan['checks'][number],
): readonly Context[] => {
  const acting =
    applications.find(({ name }) => name === rotation?.application) ??
    applications.find(({ kind }) => kind === (application ?? actingKind))
  const uri = acting?.redirectUris.find((one) => one.uri === rotation?.redirectUri) ?? acting?.redirectUris[0]
  // Without a rotation, it is the first one.
  const customer = Math.max(
    0,
    customers.findIndex(({ name }) => name === rotation?.customer),
  )
  return [
    ...(acting === undefined ? [] : [{ dimension: 'application' as const, value: acting.name }]),
    ...(customers.length === 0 ? [] : [{ dimension: 'customer' as const, value: numberOf(customer) }]),
    ...(uri === undefined ? [] : [{ dimension: 'delivery' as const, value: uri.delivery }]),
  ]
}

const keyOf = ({ dimension, value }: Context): string => `${dimension} ${value}`

/** How many answers each operation had in each context; 0 where the profile offers it, and the run did not use it. */
export const readContexts = (evidence: string, plan: Plan, profile: Profile): Contexts => {
  const drawn = new Map(plan.checks.map((check) => [check.scenario, drawnFor(profile, check)]))
  const counts = new Map<string, Map<string, number>>()
  for (const { id, sender, operation, response } of exchangesOf(evidence)) {
    if (response === undefined || (sender !== 'scenario' && sender !== 'customer')) continue
    const contexts = drawn.get(scenarioOf({ id }))
    if (contexts === undefined) continue
    const own = counts.get(operation) ?? new Map<string, number>()
    counts.set(operation, own)
    for (const context of contexts) own.set(keyOf(context), (own.get(keyOf(context)) ?? 0) + 1)
  }
  const offered = contextsIn(profile)
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .flatMap(([operation, own]) =>
      offered.map((context) => ({ operation, ...context, answers: own.get(keyOf(context)) ?? 0 })),
    )
}
