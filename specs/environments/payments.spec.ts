import {
  NotReached,
  check,
  disclosesNothingOf,
  isAccepted,
  isRefusedBetween,
} from '../../harness/check/index.ts'
import { change, ofTheSameFormat, scenario } from '../../harness/session/index.ts'
import type { Exchange, Observed, ObservedExchange } from '../../harness/check/index.ts'
import {
  accessTokenIn,
  accountAsks,
  NAMES,
  otherThan,
  sidesOf,
  staysAtHome,
  transactionAsks,
  type Environment,
  type Sides,
} from './crossings.ts'
import { ENV } from './requirements.ts'
import type { PaymentAuthorization, Payments } from '../../harness/session/index.ts'

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
  disclosesNothingOf(changed, {
    theirs: [initiation, before],
    ours: [],
    name: `the payment of ${NAMES[from]}`,
  })
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

/** A payment is authorized and submitted in the environment in which it was initiated, and in no other one. */

/** What a submission leads to. */
const MOVED: readonly unknown[] = ['ACSP', 'ACSC', 'PDNG']

/** A bank may end a token that is shown where it does not belong: then the customer authorizes the payment anew. */
const submitAtHome = async (
  home: Payments,
  orderId: string,
  authorization: PaymentAuthorization,
): Promise<Exchange> => {
  const submission = await home.submit(authorization)
  return isAccepted(submission) ? submission : home.submit(await home.authorize(orderId))
}

/** Tried in the other environment before it is submitted in its own. */
const crossing = async ({ home, abroad }: Sides) => {
  const [ours, theirs] = [await home.payments(), await abroad.payments()]
  const initiation = await ours.initiate()
  const orderId = ours.orderIdOf(initiation)
  const known = await theirs.status(orderId)
  const foreign = await theirs.authorize(orderId)
  // A bank that puts every name before its customers has known none by that.
  const isShown = foreign.landing.code !== undefined
  const invented = isShown ? await theirs.authorize(ofTheSameFormat(home.random, orderId)) : undefined
  const inVain = foreign.isComplete ? [await theirs.submit(foreign)] : []
  const unsubmitted = await ours.status(orderId)
  const authorization = await ours.authorize(orderId)
  const authorized = await ours.status(orderId)
  inVain.push(await theirs.submit(authorization))
  const after = await ours.status(orderId)
  const submission = await submitAtHome(ours, orderId, authorization)
  const last = await ours.status(orderId)
  return {
    ...{ initiation, known, foreign, invented, inVain, unsubmitted, authorized, after, submission, last },
    isOnePlace: ours.profile.oauthBasePaths.sandbox === ours.profile.oauthBasePaths.production,
  }
}

const crossings = scenario(
  'payments that are authorized and submitted in the other environment',
  {
    effect: 'pay',
    effectsIn: { sandbox: 'pay', production: 'pay' },
    as: 'any',
    authorizations: 4,
    needs: ['payments', 'customer'],
    payments: { initiated: 2, submitted: 2 },
  },
  async (session) => ({
    sandbox: await crossing(sidesOf(session, 'sandbox')),
    production: await crossing(sidesOf(session, 'production')),
  }),
)

type Crossing = Observed<Awaited<ReturnType<typeof crossing>>>

const isMoved = ({ body }: ObservedExchange): boolean =>
  body.everywhere('status').some((status) => MOVED.includes(status))

/** @throws NotReached where the crossing shows nothing of any border. */
const isOfOneEnvironment = ({ initiation, inVain, unsubmitted, authorized, last }: Crossing): void => {
  if (!initiation.accepted || !last.accepted || !isMoved(last))
    throw new NotReached('the payment was not submitted in its own environment')
  // One submission was tried behind the look, and another one before it where the authorization came about.
  const isMovedByNobody = inVain.length === 1 && isMoved(unsubmitted)
  if (isMovedByNobody || (isMoved(authorized) && !isMoved(unsubmitted)))
    throw new NotReached('the payment was moved before its submission')
}

const isMovedAtHomeAlone = (own: Crossing, other: Crossing, from: Environment): void => {
  isOfOneEnvironment(own)
  const because = `the payment was initiated in ${NAMES[from]}`
  for (const answer of [own.unsubmitted, own.after])
    answer.body
      .anywhere('status')
      .satisfies(!isMoved(answer), `ACTC: ${because}, and submitted in the other environment`)
  // Each environment may count its payments by itself: what is done there by that name may be done to one of its own.
  if (own.known.accepted) return
  isRefusedBetween({ before: other.submission, changed: own.inVain, after: own.submission }, because)
  if (own.isOnePlace || own.invented === undefined || own.invented.landing.accepted) return
  own.foreign.landing.isRefused(because)
}

check(ENV.paymentOfTheSandboxIsUnknownInProduction, crossings, ({ sandbox, production }) =>
  isMovedAtHomeAlone(sandbox, production, 'sandbox'),
)

check(ENV.paymentOfProductionIsUnknownInTheSandbox, crossings, ({ sandbox, production }) =>
  isMovedAtHomeAlone(production, sandbox, 'production'),
)
