import { check, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { Exchange } from '../../harness/check/index.ts'
import type { EnvironmentSession } from '../../harness/session/index.ts'
import { NAMES, otherThan, sidesOf, staysAtHome } from './crossings.ts'
import type { Crossing, Environment } from './crossings.ts'
import { accountAsks, transactionAsks } from './crossings.ts'
import type { Ask } from './crossings.ts'
import { ENV } from './requirements.ts'

type Prepare = (side: EnvironmentSession, accessToken: string) => Promise<readonly Ask[]>

/** An access token that was granted in one environment asks for data of the other. */
const crossing = (from: Environment, what: string, prepare: Prepare) =>
  scenario(
    `${what} in ${NAMES[otherThan(from)]} with an access token of ${NAMES[from]}`,
    {
      effect: 'consent',
      effectsIn: { sandbox: 'consent', production: 'consent' },
      as: 'each',
      authorizations: 2,
      needs: ['customer'],
    },
    async (session): Promise<{ readonly crossings: readonly Crossing<Exchange>[] }> => {
      const { home, abroad } = sidesOf(session, from)
      const foreign = await home.app.tokens()
      const own = await abroad.app.tokens()
      const asks = await prepare(abroad, own.accessToken)
      if (asks.length === 0) throw new NotReached(`nothing was opened in ${NAMES[otherThan(from)]}`)
      const crossings: Crossing<Exchange>[] = []
      for (const ask of asks) {
        const before = await ask(own.accessToken)
        const changed = await ask(foreign.accessToken)
        const after = await ask(own.accessToken)
        const atHome = await home.app.listAccounts(foreign.accessToken)
        crossings.push({ before, changed, after, atHome })
      }
      return { crossings }
    },
  )

const OF_THE_SANDBOX = 'the access token is one of the sandbox'
const OF_PRODUCTION = 'the access token is one of production'

const accountsInProduction = crossing('sandbox', 'accounts', accountAsks)
const accountsInTheSandbox = crossing('production', 'accounts', accountAsks)
const transactionsInProduction = crossing('sandbox', 'transactions', transactionAsks)
const transactionsInTheSandbox = crossing('production', 'transactions', transactionAsks)

check(ENV.tokenOfTheSandboxIsRefusedInProduction, accountsInProduction, ({ crossings }) => {
  for (const each of crossings) staysAtHome(each, OF_THE_SANDBOX)
})

check(ENV.tokenOfProductionIsRefusedInTheSandbox, accountsInTheSandbox, ({ crossings }) => {
  for (const each of crossings) staysAtHome(each, OF_PRODUCTION)
})

check(ENV.transactionsOfProductionStayShutToTheSandbox, transactionsInProduction, ({ crossings }) => {
  for (const each of crossings) staysAtHome(each, OF_THE_SANDBOX)
})

check(ENV.transactionsOfTheSandboxStayShutToProduction, transactionsInTheSandbox, ({ crossings }) => {
  for (const each of crossings) staysAtHome(each, OF_PRODUCTION)
})
