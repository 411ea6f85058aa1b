import type { RuleChange } from '../harness/bank/defect.ts'
import type { Rules } from '../harness/bank/rules.ts'

/** For banks that are wrong about access tokens that came of a refresh, and about no others. */

interface Bearing {
  readonly token: { readonly value: string }
}

/** Knows which access tokens came of a refresh. */
export const knowingRenewed =
  (change: (lawful: Rules, isRenewed: (facts: Bearing) => boolean) => Partial<Rules>): RuleChange =>
  (lawful) => {
    const renewed = new Set<string>()
    return {
      newAccessToken: async (facts) => {
        const token = await lawful.newAccessToken(facts)
        if (facts.grantType === 'refresh_token') renewed.add(token)
        return token
      },
      ...change(lawful, ({ token }) => renewed.has(token.value)),
    }
  }
