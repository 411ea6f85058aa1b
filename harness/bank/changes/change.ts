/**
 * What is different about a bank, written as data. A defect or variation is a sentence and a change:
 *
 * ```ts
 * 'Every second call lacks the security header': when(every(2), alter({ deliveryHeaders: withoutSecurityHeader }))
 * ```
 *
 * `alter`, `accept` and `refuse` change the decisions of the bank (`alter.ts`); `answer`, `refusal`, `field`, `read` and
 * `reply` change its HTTP messages (`answer.ts`). `when` makes any change happen only sometimes.
 */
import type { EnvironmentName } from '../base-paths.ts'
import type { Defect, Exchange, RuleChange, ServerHabits, Variation } from '../defect.ts'
import type { Rules } from '../rules.ts'

/** The parts of a defect or variation that a change makes. */
export type Part = Pick<Defect & Variation, 'rules' | 'wire' | 'environment' | 'triedIn' | 'server'>

/** A change of a bank that is wrong or different where all conditions hold. The first condition is the outermost. */
export type Change<Facts> = (conditions: readonly Condition<Facts>[]) => Part

/** A change, whatever the facts of its conditions. */
export type AnyChange = (conditions: readonly never[]) => Part

/** When a change applies: by the facts of a call, or by its number. */
export type Condition<Facts> = ((facts: Facts) => boolean) | Counted

/** A condition on the number of a call, from 1, among those that meet all conditions on facts. */
interface Counted {
  readonly counts: (call: number) => boolean
}

/** From the n-th time on. */
export const from = (n: number): Counted => ({ counts: (call) => call >= n })

/** Each n-th time. */
export const every = (n: number): Counted => ({ counts: (call) => call % n === 0 })

/** The n-th time, and no other. */
export const only = (n: number): Counted => ({ counts: (call) => call === n })

/** A condition on the environment. The proof judges the bank in it. */
interface Place {
  readonly environment: EnvironmentName
}

export const production: Place = { environment: 'production' }
export const sandbox: Place = { environment: 'sandbox' }

/** The facts that the conditions of a change are about. */
type FactsIn<Changed extends AnyChange> = Changed extends Change<infer Facts> ? Facts : never

/** A change that happens only under a condition. A condition that is written inline needs the type of its facts. */
export const when = <Changed extends AnyChange>(
  condition: Condition<FactsIn<Changed>> | Place,
  change: Changed,
): Changed =>
  ((conditions: readonly never[]) =>
    'environment' in condition
      ? { ...change(conditions), environment: condition.environment }
      : change([...conditions, condition as never])) as Changed

/** A change in both environments that the proof judges in production. */
export const triedInProduction =
  <Facts>(change: Change<Facts>): Change<Facts> =>
  (conditions) => ({ ...change(conditions), triedIn: 'production' })

const further: Counted[] = []

/** What `make` makes of changes, for one bank, with a further condition on all of them. */
export const withFurther = <Made>(condition: Counted, make: () => Made): Made => {
  further.push(condition)
  try {
    return make()
  } finally {
    further.pop()
  }
}

/**
 * Counts the calls that meet the conditions on facts: the number of a call, from 1, or undefined if the change does not
 * apply to it. Called once for each bank, and for each of its rules.
 */
export const counter = <Facts>(
  conditions: readonly Condition<Facts>[],
): ((facts: Facts) => number | undefined) => {
  const onFacts = conditions.filter((condition) => typeof condition === 'function')
  const onNumbers = [...conditions.filter((condition) => typeof condition !== 'function'), ...further]
  let calls = 0
  return (facts) => {
    if (!onFacts.every((holds) => holds(facts))) return undefined
    calls += 1
    return onNumbers.every(({ counts }) => counts(calls)) ? calls : undefined
  }
}

/** The rules that replace others in one bank. */
export const changedRules = (change: RuleChange | undefined, conforming: Rules): Partial<Rules> =>
  typeof change === 'function' ? change(conforming) : (change ?? {})

/** Only a few rules are replaced; the prototype has the others. */
export const withChange = (rules: Rules, change: RuleChange | undefined): Rules =>
  change === undefined ? rules : Object.assign(Object.create(rules) as Rules, changedRules(change, rules))

/** Several changes at once. A later one sees what the earlier ones have changed. */
export const both =
  <Facts extends readonly unknown[]>(
    ...changes: { readonly [At in keyof Facts]: Change<Facts[At]> }
  ): Change<Facts[number]> =>
  (conditions) => {
    const parts = changes.map((change) => change(conditions))
    const wires = parts.flatMap(({ wire }) => wire ?? [])
    return {
      ...parts.reduce<Part>((all, part) => ({ ...all, ...part }), {}),
      rules: (conforming) =>
        parts.reduce<Partial<Rules>>(
          (changed, { rules }) => ({ ...changed, ...changedRules(rules, withChange(conforming, changed)) }),
          {},
        ),
      ...(wires.length > 0 && {
        wire: (next: Exchange) => wires.reduce((exchange, wire) => wire(exchange), next),
      }),
    }
  }

/** Another behaviour of the HTTP server. */
export const server =
  (habits: ServerHabits): Change<unknown> =>
  () => ({ server: habits })
