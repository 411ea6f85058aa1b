import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import type { Variation } from '../../harness/bank/defect.ts'

const catalogue = await loadCatalogue()

const verdictsOn = async (rules: Variation['rules']): Promise<readonly string[]> => {
  const variation: Variation = {
    id: 'endless',
    title: 'Tokens for payments do not end.',
    ...(rules && { rules }),
  }
  const results = await runTrial(catalogue, () => ({ variation }), {
    only: ['PAY-68'],
    seed: 42,
    runsOf: () => 1,
  })
  return results.map(({ verdict }) => verdict)
}

test('a token without expires_in that does not expire is no violation', async () => {
  const verdicts = await verdictsOn((conforming) => ({
    paymentTokenIsFresh: () => true,
    paymentTokenBody: (facts) => ({ ...conforming.paymentTokenBody(facts), expires_in: undefined }),
  }))
  expect(new Set(verdicts)).toEqual(new Set(['not-reached']))
})

test('a token that is accepted after its expires_in is one', async () => {
  const verdicts = await verdictsOn({ paymentTokenIsFresh: () => true })
  expect(new Set(verdicts)).toEqual(new Set(['fail']))
})
