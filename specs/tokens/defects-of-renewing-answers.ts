import type { RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** How a bank can word a refusal wrongly that it makes rightly. */

type RefusalFacts = Parameters<Rules['refusalStatus']>[0]
type RefusalWord = RefusalFacts['error']

export const withStatus =
  (error: RefusalWord, status: number): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) => (facts.error === error ? status : lawful.refusalStatus(facts)),
  })

/** Answers such a refusal with 200 and no accounts. Its headers stay. */
export const withAnEmptyList =
  (error: RefusalWord): RuleChange =>
  (lawful) => {
    // Loans have no list of accounts; there a success is a result.
    const isMeant = (facts: RefusalFacts): boolean =>
      facts.error === error && !facts.endpoint.startsWith('loan-')
    return {
      refusalStatus: (facts) => (isMeant(facts) ? 200 : lawful.refusalStatus(facts)),
      refusalBody: (facts) => (isMeant(facts) ? { accounts: [] } : lawful.refusalBody(facts)),
    }
  }

/** Puts this value, or nothing, in the place of the WWW-Authenticate header. */
export const withChallenge =
  (challenge: string | undefined, applies: (error: RefusalWord) => boolean): RuleChange =>
  (lawful) => ({
    refusalHeaders: (facts) => {
      if (!applies(facts.error)) return lawful.refusalHeaders(facts)
      return challenge === undefined ? {} : { 'www-authenticate': challenge }
    },
  })
