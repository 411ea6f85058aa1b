import { check, isRefusedBetween, scenario } from '../../harness/check/index.ts'
import type { Session } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { refreshFresh } from './refreshing.ts'

/** An access token of one environment has nothing refreshed in the other. */

type Environment = Parameters<Session['at']>[0]

const NAMES: Readonly<Record<Environment, string>> = { sandbox: 'the sandbox', production: 'production' }

const crossing = (home: Environment, abroad: Environment) =>
  scenario(
    `refreshes in ${NAMES[abroad]} with an access token of ${NAMES[home]}`,
    {
      effect: 'notify',
      effectsIn:
        abroad === 'production'
          ? { sandbox: 'consent', production: 'notify' }
          : { sandbox: 'notify', production: 'consent' },
      as: 'TPP',
      authorizations: 3,
      needs: ['customer'],
    },
    async (session) => {
      const { app } = session.at(abroad)
      const foreign = await session.at(home).app.tokens()
      const own = await app.tokens()
      const { accessToken } = foreign
      return {
        before: await app.refreshAccounts(own),
        changed: [await app.refreshAccounts(foreign), await app.refreshAccounts({ ...own, accessToken })],
        // Of another consent: a target may take one refresh of each in half a minute alone.
        after: await refreshFresh(app),
      }
    },
  )

const ofTheSandbox = crossing('sandbox', 'production')
const ofProduction = crossing('production', 'sandbox')

check(REF.refreshWithoutTokenIsRefused, ofTheSandbox, (record) =>
  isRefusedBetween(record, 'the access token is one of the sandbox'),
)

check(REF.refreshWithoutTokenIsRefused, ofProduction, (record) =>
  isRefusedBetween(record, 'the access token is one of production'),
)
