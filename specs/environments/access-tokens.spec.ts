import { check, isAccepted, NotReached, scenario } from '../../harness/check/index.ts'
import type { EnvironmentSession, Exchange } from '../../harness/check/index.ts'
import { NAMES, otherThan, sidesOf, staysAtHome } from './acting.ts'
import type { Crossing, Environment } from './acting.ts'
import { ENV } from './requirements.ts'

/** Asks with an access token; everything else of the request is the environment's own. */
type Ask = (accessToken: string) => Promise<Exchange>

const list =
  async ({ app }: EnvironmentSession): Promise<Ask> =>
  (accessToken) =>
    app.listAccounts(accessToken)

/** So many accounts are looked at for one that has transactions. */
const MOST_ACCOUNTS = 10

/** The transactions of the first account that the token lists and that has any. @throws NotReached where none has. */
const transactions = async ({ app }: EnvironmentSession, accessToken: string): Promise<Ask> => {
  const accounts = app.accounts('first')
  const listed = accounts.accountsIn(await accounts.list(accessToken))
  for (const account of listed.slice(0, MOST_ACCOUNTS))
    if (isAccepted(await accounts.transactions(accessToken, account)))
      return (token) => accounts.transactions(token, account)
  throw new NotReached('no account is listed that has transactions')
}

type Prepare = (side: EnvironmentSession, accessToken: string) => Promise<Ask>

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
    async (session): Promise<Crossing<Exchange>> => {
      const { home, abroad } = sidesOf(session, from)
      const foreign = await home.app.tokens()
      const own = await abroad.app.tokens()
      const ask = await prepare(abroad, own.accessToken)
      const before = await ask(own.accessToken)
      const changed = await ask(foreign.accessToken)
      const after = await ask(own.accessToken)
      return { before, changed, after, atHome: await home.app.listAccounts(foreign.accessToken) }
    },
  )

const OF_THE_SANDBOX = 'the access token is one of the sandbox'
const OF_PRODUCTION = 'the access token is one of production'

const listInProduction = crossing('sandbox', 'the list of accounts', list)
const listInTheSandbox = crossing('production', 'the list of accounts', list)
const transactionsInProduction = crossing('sandbox', 'transactions', transactions)
const transactionsInTheSandbox = crossing('production', 'transactions', transactions)

check(ENV.tokenOfTheSandboxIsRefusedInProduction, listInProduction, (record) =>
  staysAtHome(record, OF_THE_SANDBOX),
)

check(ENV.tokenOfProductionIsRefusedInTheSandbox, listInTheSandbox, (record) =>
  staysAtHome(record, OF_PRODUCTION),
)

check(ENV.transactionsOfProductionStayShutToTheSandbox, transactionsInProduction, (record) =>
  staysAtHome(record, OF_THE_SANDBOX),
)

check(ENV.transactionsOfTheSandboxStayShutToProduction, transactionsInTheSandbox, (record) =>
  staysAtHome(record, OF_PRODUCTION),
)
