import { isOfATpp, type FactsOf } from './changes.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

export { aMoment } from './account-changes.ts'
export { isFor, isOfATpp, membersOf, on, without, type FactsOf, type Members } from './changes.ts'

/** The words of the defects of accounts: tables with ids, and replacements of rules. */

type RequirementId = { readonly id: string }

/** A defect in a table. Its id is the key of the entry. */
interface DefectEntry extends Omit<Defect, 'id' | 'breaks'> {
  /** What it breaks beside the requirement of its table; those of other chapters by their ids. */
  readonly alsoBreaks?: readonly (RequirementId | string)[]
  /** The id of a second defect: the same one in a bank that is wrong in production only. */
  readonly inProduction?: string
}

/**
 * A table of defects that break the same requirement.
 *
 * The ids are frozen: recorded proofs refer to them.
 */
export const breaking = (
  requirement: RequirementId,
  entries: Readonly<Record<string, DefectEntry>>,
): readonly Defect[] =>
  Object.entries(entries).flatMap(([id, { alsoBreaks = [], inProduction, ...rest }]) => {
    const others = alsoBreaks.map((other) => (typeof other === 'string' ? { id: other } : other))
    const defect: Defect = { id, breaks: [requirement, ...others], ...rest }
    if (inProduction === undefined) return [defect]
    const story = `Wrong in production only: ${defect.story}`
    return [defect, { ...defect, id: inProduction, story, environment: 'production' }]
  })

// ---- Changes of rules

/** Replacements of these rules, or a function that makes them for one bank. */
type ChangeOf<Name extends keyof Rules> = Pick<Rules, Name> | ((lawful: Rules) => Pick<Rules, Name>)

type AnyRule = (facts: unknown) => unknown

/** The replacements that a change makes for one bank. */
export const changedRules = (change: RuleChange, lawful: Rules): Partial<Rules> =>
  typeof change === 'function' ? change(lawful) : change

/**
 * A bank that is wrong in some cases only: where `applies`, the changed rules hold, and everywhere else the lawful ones.
 *
 * ```ts
 * where(isOfATpp, { accessIsFresh: () => true })
 * ```
 */
export const where =
  <Name extends keyof Rules>(
    applies: (facts: NoInfer<FactsOf<Name>>) => boolean,
    change: ChangeOf<Name>,
  ): RuleChange =>
  (lawful) => {
    const rules = Object.entries(changedRules(change, lawful)).map(([name, rule]) => [
      name,
      // The two rules have one name, and so one type; the type of a table of rules does not say so.
      (facts: FactsOf<Name>) =>
        (applies(facts) ? (rule as AnyRule) : (lawful[name as Name] as AnyRule))(facts),
    ])
    return Object.fromEntries(rules) as Pick<Rules, Name>
  }

// ---- Refusals

type RefusalFacts = FactsOf<'refusalBody'>

/** What is different in the answer to a refused request. */
interface RefusalChange {
  readonly status?: number
  readonly body?: (facts: RefusalFacts) => unknown
  /** Headers in the place of the lawful ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Refuses what should be refused, but with another answer. */
export const refusing =
  (
    applies: (facts: Omit<RefusalFacts, 'description'>) => boolean,
    { status, body, headers }: RefusalChange,
  ): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) => (status !== undefined && applies(facts) ? status : lawful.refusalStatus(facts)),
    refusalBody: (facts) => (body !== undefined && applies(facts) ? body(facts) : lawful.refusalBody(facts)),
    refusalHeaders: (facts) =>
      headers !== undefined && applies(facts) ? headers : lawful.refusalHeaders(facts),
  })

// ---- Tokens that the bank has issued

interface IssuedToken {
  readonly value: string
  readonly clientId: string
  readonly grantId: string
  readonly isOfATpp: boolean
  /** Whether a refresh brought it, and no code. */
  readonly isRenewed: boolean
}

/** The access tokens that a bank has issued, in their order, by their values. */
type IssuedTokens = ReadonlyMap<string | undefined, IssuedToken>

/** A change of rules that needs to know which access tokens the bank has issued. */
export const knowingTokens =
  (change: (issued: IssuedTokens) => RuleChange): RuleChange =>
  (lawful) => {
    const issued = new Map<string | undefined, IssuedToken>()
    const rules = changedRules(change(issued), lawful)
    const newAccessToken = rules.newAccessToken ?? lawful.newAccessToken
    return {
      ...rules,
      newAccessToken: async (facts) => {
        const value = await newAccessToken(facts)
        const { clientId, grantId } = facts.grant
        const isRenewed = facts.grantType === 'refresh_token'
        issued.set(value, { value, clientId, grantId, isOfATpp: isOfATpp(facts), isRenewed })
        return value
      },
    }
  }

/** A change of rules that is about access tokens that a refresh brought, and not about those of a code exchange. */
export const knowingRenewed = (
  change: (isRenewed: (facts: { readonly token: { readonly value: string } }) => boolean) => RuleChange,
): RuleChange => knowingTokens((issued) => change(({ token }) => issued.get(token.value)?.isRenewed === true))

/** Serves such a data call as the last caller who had a token that the bank has issued. */
export const servingTheLastCaller = (
  applies: (facts: FactsOf<'bearerToken'>, isIssued: (value: string | undefined) => boolean) => boolean,
): RuleChange =>
  knowingTokens((issued) => (lawful) => {
    let last: string | undefined
    return {
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        if (issued.has(value)) last = value
        return applies(facts, (token) => issued.has(token)) ? last : value
      },
    }
  })
