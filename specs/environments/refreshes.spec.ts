import { check, isRefusedBetween, scenario } from '../../harness/check/index.ts'
import { NAMES, otherThan, sidesOf } from './acting.ts'
import type { Environment } from './acting.ts'
import { ENV } from './requirements.ts'

/** An access token of one environment has no accounts refreshed in the other. */
const crossing = (from: Environment) =>
  scenario(
    `refreshes in ${NAMES[otherThan(from)]} with an access token of ${NAMES[from]}`,
    {
      effect: 'notify',
      effectsIn:
        from === 'sandbox'
          ? { sandbox: 'consent', production: 'notify' }
          : { sandbox: 'notify', production: 'consent' },
      as: 'TPP',
      authorizations: 3,
      needs: ['customer'],
    },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const foreign = await home.app.tokens()
      const own = await abroad.app.tokens()
      const { accessToken } = foreign
      const before = await abroad.app.refreshAccounts(own)
      const changed = [
        await abroad.app.refreshAccounts(foreign),
        await abroad.app.refreshAccounts({ ...own, accessToken }),
      ]
      // Of another consent: a target may take one refresh of each in half a minute alone.
      const after = await abroad.app.refreshAccounts(await abroad.app.tokens())
      return { before, changed, after }
    },
  )

check(ENV.tokenOfTheSandboxIsRefusedInProduction, crossing('sandbox'), (record) =>
  isRefusedBetween(record, 'the access token is one of the sandbox'),
)

check(ENV.tokenOfProductionIsRefusedInTheSandbox, crossing('production'), (record) =>
  isRefusedBetween(record, 'the access token is one of production'),
)
