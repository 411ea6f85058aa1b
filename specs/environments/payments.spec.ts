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
      payments: { initiated: 1 },
    },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const [ours, theirs] = [await home.payments(), await abroad.payments()]
      const orderId = theirs.orderIdOf(await theirs.initiate())
      const foreign = change.bearer(accessTokenIn(home, ours.token))
      const before = await theirs.status(orderId)
      const changed = await theirs.status(orderId, foreign)
      return { before, changed, after: await theirs.status(orderId), atHome: ours.token }
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

check(ENV.paymentTokenOfTheSandboxIsRefusedInProduction, tokenOfTheSandbox, (record) =>
  staysAtHome(record, 'the access token is one of the sandbox'),
)

check(ENV.paymentTokenOfProductionIsRefusedInTheSandbox, tokenOfProduction, (record) =>
  staysAtHome(record, 'the access token is one of production'),
)

const inPlaceOfTheOther = scenario(
  'tokens for accounts and for payments in the place of each other',
  {
    effect: 'pay',
    as: 'any',
    needs: ['access', 'payments'],
    payments: { initiated: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const { accessToken, scope } = await session.access()
    const ofPayments = accessTokenIn(session, payments.token)
    const orderId = payments.orderIdOf(await payments.initiate())
    const accounts = await session.between(
      () => session.app.listAccounts(accessToken),
      () => session.app.listAccounts(ofPayments),
    )
    const statuses = await session.between(
      () => payments.status(orderId),
      () => payments.status(orderId, change.bearer(accessToken)),
    )
    const { form } = payments.profile.token
    return {
      accounts,
      statuses,
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
  isRefusedBetween(accounts, 'no customer has granted the access token')
})

check(ENV.accountTokenOpensNoPayment, inPlaceOfTheOther, ({ statuses, scopes }) => {
  if (scopes.accounts === scopes.payments)
    throw new NotReached('accounts and payments have one scope (payments.token.form)')
  isRefusedBetween(statuses, 'the access token is one for accounts')
})
