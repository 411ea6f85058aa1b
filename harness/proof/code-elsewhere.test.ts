import { expect, test } from 'vitest'
import { variations } from '../bank/variations/index.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { runTrial } from './trial.ts'

/** A bank that names the code of one operation at another place, which its profile does not say. */

test('a code at another place in one operation is a matter of the profile, although the others have it', async () => {
  const variation = variations.find(
    ({ id }) => id === 'a-refused-cancellation-of-a-loan-has-its-code-in-an-object',
  )
  if (variation === undefined) throw new Error('no variation names a code deeper')
  const results = await runTrial(await loadCatalogue(), () => ({ variation }), {
    socket: false,
    seed: 42,
    runsOf: () => 4,
    only: ['LOA-35', 'LOA-36', 'LOA-37', 'LOA-38', 'LOA-39', 'LOA-64'],
  })
  expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  const reported = results.filter(({ because }) => because?.includes('`loans.errorCode`'))
  expect(new Set(reported.map(({ requirement }) => requirement))).toEqual(
    new Set(['LOA-35', 'LOA-36', 'LOA-37', 'LOA-38', 'LOA-39', 'LOA-64']),
  )
})
