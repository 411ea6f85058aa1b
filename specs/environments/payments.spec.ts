import {
  change,
  check,
  isRefusedBetween,
  NotReached,
  scenario,
  tellsNothingOf,
} from '../../harness/check/index.ts'
import type { Observed, ObservedExchange } from '../../harness/check/index.ts'
import { accessTokenIn, NAMES, otherThan, sidesOf, staysAtHome } from './acting.ts'
import type { Environment } from './acting.ts'
import { accountAsks, transactionAsks } from './data-asks.ts'
import { ENV } from './requirements.ts'

const paymentFrom = (from: Environment) =>
  scenario(
    `the status in ${NAMES[otherThan(from)]} of a payment of ${NAMES[from]}`,
    {
      effect: 'pay',
      effectsIn:
        from === 'sandbox'
          ? { sandbox: 'pay', production: 'consent' }
          : { sandbox: 'consent', production: 'pay' },
      as: 'any',
      needs: ['payments'],
      payments: { initiated: 1 },
    },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const [ours, theirs] = [await home.payments(), await abroad.payments()]
      const initiation = await ours.initiate()
      const orderId = ours.orderIdOf(initiation)
      const before = await ours.status(orderId)
      const changed = await theirs.status(orderId)
      return { initiation, before, changed, after: await ours.status(orderId) }
    },
  )

const tokenFrom = (from: Environment) =>
  scenario(
    `the status of a payment of ${NAMES[otherThan(from)]} with an access token of ${NAMES[from]}`,
    {
      effect: 'pay',
      effectsIn:
        from === 'sandbox'
          ? { sandbox: 'consent', production: 'pay' }
          : { sandbox: 'pay', production: 'consent' },
      as: 'any',
      needs: ['payments'],
      payments: { initiated: 3 },
    },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const [ours, theirs] = [await home.payments(), await abroad.payments()]
      const orderId = theirs.orderIdOf(await theirs.initiate())
      const foreign = change.bearer(accessTokenIn(home, ours.token))
      const before = await theirs.status(orderId)
      const changed = await theirs.status(orderId, foreign)
      const after = await theirs.status(orderId)
      const initiations = await session.between(
        () => theirs.initiate(),
        () => theirs.initiate({}, foreign),
      )
      return { statuses: { before, changed, after }, initiations, atHome: ours.token }
    },
  )

const paymentOfTheSandbox = paymentFrom('sandbox')
const paymentOfProduction = paymentFrom('production')

type Statuses = Observed<Awaited<ReturnType<typeof paymentOfTheSandbox.act>>>

const stateOf = (answer: ObservedExchange): unknown => answer.body.anywhere('statusDateTime').value

const isUnknownThere = ({ initiation, ...record }: Statuses, from: Environment): void => {
  const { before, changed } = record
  // Each environment may count its payments by itself: then another one has the same name there.
  if (changed.accepted && stateOf(changed) !== stateOf(before))
    throw new NotReached('a payment of its own has that orderId there')
  isRefusedBetween(record, `the payment was initiated in ${NAMES[from]}`)
  tellsNothingOf(changed, { theirs: [initiation, before], ours: [], name: `the payment of ${NAMES[from]}` })
}

check(ENV.paymentOfTheSandboxIsUnknownInProduction, paymentOfTheSandbox, (record) =>
  isUnknownThere(record, 'sandbox'),
)

check(ENV.paymentOfProductionIsUnknownInTheSandbox, paymentOfProduction, (record) =>
  isUnknownThere(record, 'production'),
)

const tokenOfTheSandbox = tokenFrom('sandbox')
const tokenOfProduction = tokenFrom('production')

type Tokens = Observed<Awaited<ReturnType<typeof tokenOfTheSandbox.act>>>

/** Nothing is read with it, and nothing initiated. */
const opensNothing = ({ statuses, initiations, atHome }: Tokens, because: string): void => {
  staysAtHome({ ...statuses, atHome }, because)
  isRefusedBetween(initiations, because)
}

check(ENV.paymentTokenOfTheSandboxIsRefusedInProduction, tokenOfTheSandbox, (record) =>
  opensNothing(record, 'the access token is one of the sandbox'),
)

check(ENV.paymentTokenOfProductionIsRefusedInTheSandbox, tokenOfProduction, (record) =>
  opensNothing(record, 'the access token is one of production'),
)

const inPlaceOfTheOther = scenario(
  'tokens for accounts and for payments in the place of each other',
  {
    effect: 'pay',
    as: 'any',
    needs: ['access', 'payments'],
    payments: { initiated: 3 },
  },
  async (session) => {
    const payments = await session.payments()
    const { accessToken, scope } = await session.access()
    const ofPayments = accessTokenIn(session, payments.token)
    const orderId = payments.orderIdOf(await payments.initiate())
    const asks = [
      ...(await accountAsks(session, accessToken)),
      ...(await transactionAsks(session, accessToken)),
    ]
    const accounts = []
    for (const ask of asks)
      accounts.push(
        await session.between(
          () => ask(accessToken),
          () => ask(ofPayments),
        ),
      )
    const statuses = await session.between(
      () => payments.status(orderId),
      () => payments.status(orderId, change.bearer(accessToken)),
    )
    const initiations = await session.between(
      () => payments.initiate(),
      () => payments.initiate({}, change.bearer(accessToken)),
    )
    const { form } = payments.profile.token
    return {
      accounts,
      statuses,
      initiations,
      scopes: { accounts: scope, payments: form['scope'] },
      grantType: form['grant_type'],
    }
  },
)

check(ENV.paymentTokenOpensNoAccount, inPlaceOfTheOther, ({ accounts, grantType }) => {
  if (grantType !== 'client_credentials')
    throw new NotReached(
      'the application does not come to its token without a customer (payments.token.form)',
    )
  if (accounts.length === 0) throw new NotReached('no account was opened to its own token')
  for (const attempts of accounts) isRefusedBetween(attempts, 'no customer has granted the access token')
})

check(ENV.accountTokenOpensNoPayment, inPlaceOfTheOther, ({ statuses, initiations, scopes }) => {
  if (scopes.accounts === scopes.payments)
    throw new NotReached('accounts and payments have one scope (payments.token.form)')
  for (const attempts of [statuses, initiations])
    isRefusedBetween(attempts, 'the access token is one for accounts')
})
