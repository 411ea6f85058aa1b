import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import type { Variation } from '../../harness/bank/defect.ts'

const catalogue = await loadCatalogue()

const DAY = 24 * 60 * 60 * 1000

/** A bank that renews access tokens once they have expired, until so many days after their issue. */
const renewingUntil = (days: number): Variation => ({
  id: 'renews-expired-tokens-alone',
  title: 'A refresh is refused as long as the access token is good.',
  rules: {
    refreshIsFresh: ({ refreshToken, now }) => {
      const age = now.getTime() - refreshToken.issuedAt.getTime()
      return age >= 90 * DAY && age < days * DAY
    },
  },
})

const verdictsOn = async (variation: Variation): Promise<ReadonlySet<string>> => {
  const results = await runTrial(catalogue, () => ({ variation }), {
    only: ['TOK-83'],
    seed: 42,
    runsOf: () => 1,
  })
  return new Set(results.map(({ verdict }) => verdict))
}

test('a bank that renews expired tokens alone does not fail for those that it does not renew', async () => {
  const verdicts = await verdictsOn(renewingUntil(180))
  expect(verdicts).toContain('pass')
  expect(verdicts).not.toContain('fail')
})

test('one that waits until the refresh token has expired as well fails', async () => {
  expect(await verdictsOn(renewingUntil(90))).toContain('fail')
})
