/** Changes of the bank's decisions: of the rules that its routes ask. */
import { changedRules, counter, type Change, type Condition } from './change.ts'
import type { RuleChange } from '../defect.ts'
import type { Rules } from '../rules.ts'

export type RuleName = keyof Rules

/** What a rule is asked about. */
export type FactsOf<Name extends RuleName> = Parameters<Rules[Name]>[0]

export type AnswerOf<Name extends RuleName> = Awaited<ReturnType<Rules[Name]>>

/** An earlier call of a rule in this bank, and what the bank took for its answer. */
export interface Call<Name extends RuleName> {
  readonly facts: FactsOf<Name>
  readonly answer: AnswerOf<Name>
}

/** What has happened before in this bank. */
export interface Past<Known extends RuleName> {
  /** The number of this call of the rule, from 1, among those that meet the conditions of the change. */
  readonly calls: number
  /** The earlier calls of a rule that the change alters or remembers, in their order. */
  readonly of: <Name extends Known>(rule: Name) => readonly Call<Name>[]
  /** The rules of the conforming bank, to be asked with other facts. */
  readonly rules: Rules
}

/**
 * What the bank answers instead: a value, or a function of the conforming answer, the facts of the call and the past.
 * A rule whose answer may be anything takes functions only.
 */
type Alteration<Name extends RuleName, Known extends RuleName> =
  | ((usual: AnswerOf<Name>, facts: FactsOf<Name>, past: Past<Known>) => ReturnType<Rules[Name]>)
  | (unknown extends AnswerOf<Name> ? never : AnswerOf<Name>)

type AnyRule = (facts: unknown) => unknown
type AnyAlteration = (usual: unknown, facts: unknown, past: Past<RuleName>) => unknown

const then = (value: unknown, next: (value: unknown) => unknown): unknown =>
  value instanceof Promise ? value.then(next) : next(value)

const alteredAnswer = (alteration: unknown, usual: unknown, facts: unknown, past: Past<RuleName>): unknown =>
  typeof alteration === 'function' ? (alteration as AnyAlteration)(usual, facts, past) : alteration

const onlyRemembered = new WeakSet<object>()

/** Whether a replaced rule answers as usual: it is replaced only so that its calls are in the past of others. */
export const isOnlyRemembered = (rule: object): boolean => onlyRemembered.has(rule)

/** The changed rules of one bank, and the past that they share. */
const alteredRules = (
  alterations: Readonly<Record<string, unknown>>,
  remembered: readonly RuleName[],
  conditions: readonly Condition<unknown>[],
  rules: Rules,
): Partial<Rules> => {
  const known = new Map<RuleName, Call<RuleName>[]>()
  const altered = (name: RuleName): AnyRule => {
    const earlier: Call<RuleName>[] = []
    known.set(name, earlier)
    const numberOf = counter(conditions)
    const of = (rule: RuleName) => (known.get(rule) ?? []) as never
    const rule: AnyRule = (facts) => {
      const usual: unknown = rules[name](facts as never)
      const calls = name in alterations ? numberOf(facts) : undefined
      const changed =
        calls === undefined
          ? usual
          : then(usual, (answer) => alteredAnswer(alterations[name], answer, facts, { calls, of, rules }))
      return then(changed, (answer) => {
        earlier.push({ facts, answer } as Call<RuleName>)
        return answer
      })
    }
    if (!(name in alterations)) onlyRemembered.add(rule)
    return rule
  }
  const names = new Set([...(Object.keys(alterations) as RuleName[]), ...remembered])
  return Object.fromEntries([...names].map((name) => [name, altered(name)]))
}

/**
 * Other answers of these rules.
 * @param remembered further rules whose calls are in the past.
 */
export const alter =
  <Name extends RuleName, Other extends RuleName = never>(
    alterations: { readonly [Each in Name]: Alteration<Each, Name | Other> },
    ...remembered: readonly Other[]
  ): Change<FactsOf<Name>> =>
  (conditions) => ({
    rules: (rules) =>
      alteredRules(alterations, remembered, conditions as readonly Condition<unknown>[], rules),
  })

/** The rules that answer yes or no. */
type Decision = { [Name in RuleName]: AnswerOf<Name> extends boolean ? Name : never }[RuleName]

type Where<Name extends RuleName> = (facts: FactsOf<Name>, past: Past<Name>) => boolean

const decide = <Name extends Decision>(
  rule: Name,
  change: (usual: boolean, facts: FactsOf<Name>, past: Past<Name>) => boolean,
): Change<FactsOf<Name>> => alter({ [rule]: change } as unknown as Parameters<typeof alter<Name>>[0])

/** A decision that is yes in these cases, or always. */
export const accept = <Name extends Decision>(
  rule: Name,
  where: Where<NoInfer<Name>> = () => true,
): Change<FactsOf<Name>> => decide(rule, (usual, facts, past) => usual || where(facts, past))

/** A decision that is no in these cases, or always. */
export const refuse = <Name extends Decision>(
  rule: Name,
  where: Where<NoInfer<Name>> = () => true,
): Change<FactsOf<Name>> => decide(rule, (usual, facts, past) => usual && !where(facts, past))

/** Rules with a state of their own, for the few that no other word expresses. */
export const replaceRules =
  (replacement: RuleChange): Change<unknown> =>
  (conditions) => ({
    rules: (rules) => {
      const replaced = Object.entries(changedRules(replacement, rules)).map(([name, rule]) => {
        const numberOf = counter(conditions)
        const usual = rules[name as RuleName] as AnyRule
        return [
          name,
          (facts: unknown) => (numberOf(facts) === undefined ? usual(facts) : (rule as AnyRule)(facts)),
        ]
      })
      return Object.fromEntries(replaced) as Partial<Rules>
    },
  })
