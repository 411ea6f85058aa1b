import { NotReached, check, disclosesNothingOf, held, isRefusedBetween } from '../../harness/check/index.ts'
import { change, ofTheSameFormat, scenario } from '../../harness/session/index.ts'
import type { Exchange, Observed, ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import {
  accessTokenIn,
  dataWithBoth,
  ENVIRONMENTS,
  isOfAnOlderOne,
  opensNoData,
  NAMES,
  otherThan,
  sidesOf,
  stateOf,
  staysAtHome,
  type Environment,
  type Sides,
} from './crossings.ts'
import { acceptedAmong, areServedAtTheirPaths, placeOf, requestAt, type PlaceAttempt } from './places.ts'
import { ENV } from './requirements.ts'
import type { PaymentAuthorization, Payments } from '../../harness/session/index.ts'

const payingIn = (environment: Environment) =>
  ({ sandbox: 'consent', production: 'consent', [environment]: 'pay' }) as const

const paymentFrom = (from: Environment) =>
  scenario(
    `the status in ${NAMES[otherThan(from)]} of a payment of ${NAMES[from]}`,
    {
      effect: 'pay',
      effectsIn: payingIn(from),
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
      // The parts that every refusal there has are not data of the payment.
      const unknown = await theirs.status(ofTheSameFormat(home.random, orderId))
      return { initiation, before, changed, unknown, after: await ours.status(orderId) }
    },
  )

const tokenFrom = (from: Environment) =>
  scenario(
    `the status of a payment of ${NAMES[otherThan(from)]} with an access token of ${NAMES[from]}`,
    {
      effect: 'pay',
      effectsIn: payingIn(otherThan(from)),
      as: 'any',
      needs: ['payments', 'payment-bearer'],
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
      // A bank may end a token that is sent to another environment.
      const unused = change.bearer(accessTokenIn(home, (await home.payments()).token))
      const initiations = await session.between(
        () => theirs.initiate(),
        () => theirs.initiate({}, unused),
      )
      return { statuses: { before, changed, after }, initiations, atHome: ours.token }
    },
  )

type Statuses = RecordOf<ReturnType<typeof paymentFrom>>

const isUnknownThere = ({ initiation, unknown, ...record }: Statuses, from: Environment): void => {
  const { before, changed, after } = record
  // Each environment may number its payments by itself: then another payment has the same orderId there.
  if (changed.accepted && stateOf(changed) !== stateOf(before)) {
    if (stateOf(before) === stateOf(after) && isOfAnOlderOne(changed, before)) return held()
    throw new NotReached('a payment of its own has that orderId there')
  }
  isRefusedBetween(record, `the payment was initiated in ${NAMES[from]}`)
  disclosesNothingOf(changed, {
    theirs: [initiation, before],
    ours: unknown.accepted ? [] : [unknown],
    name: `the payment of ${NAMES[from]}`,
  })
}

type Tokens = RecordOf<ReturnType<typeof tokenFrom>>

/** Judges that nothing is read or initiated with it. */
const opensNothing = ({ statuses, initiations, atHome }: Tokens, because: string): void => {
  staysAtHome({ ...statuses, atHome }, because)
  isRefusedBetween(initiations, because)
}

const paymentTokenForAccounts = scenario(
  'an access token for payments, used for accounts',
  {
    effect: 'consent',
    as: 'any',
    inBothVariants: true,
    needs: ['access', 'payments', 'payment-bearer'],
  },
  async (session) => {
    const payments = await session.payments()
    return {
      accounts: await dataWithBoth(session, accessTokenIn(session, payments.token)),
      grantType: payments.profile.token.form['grant_type'],
    }
  },
)

check(ENV.paymentTokenOpensNoAccount, paymentTokenForAccounts, ({ accounts, grantType }) => {
  if (grantType !== 'client_credentials')
    throw new NotReached('the application does not get its token by client_credentials (payments.token.form)')
  if (accounts.length === 0) throw new NotReached('no account could be read with its own token')
  for (const attempts of accounts) opensNoData(attempts, 'no customer has granted the access token')
})

const accountTokenForPayments = scenario(
  'an access token for accounts, used for payments',
  {
    effect: 'pay',
    as: 'any',
    needs: ['access', 'payments', 'payment-authorization'],
    payments: { initiated: 3 },
  },
  async (session) => {
    const payments = await session.payments()
    const { accessToken, scope } = await session.access()
    const orderId = payments.orderIdOf(await payments.initiate())
    const statuses = await session.between(
      () => payments.status(orderId),
      () => payments.status(orderId, change.bearer(accessToken)),
    )
    const initiations = await session.between(
      () => payments.initiate(),
      () => payments.initiate({}, change.bearer(accessToken)),
    )
    const { authentication, token } = payments.profile
    const scopes = {
      accounts: scope,
      payments: authentication === 'bearer' ? token.form['scope'] : undefined,
    }
    return { statuses, initiations, scopes }
  },
)

check(ENV.accountTokenOpensNoPayment, accountTokenForPayments, ({ statuses, initiations, scopes }) => {
  if (scopes.accounts === scopes.payments)
    throw new NotReached('accounts and payments have the same scope (payments.token.form)')
  for (const attempts of [statuses, initiations])
    isRefusedBetween(attempts, 'the access token is one for accounts')
})

/** A payment is authorized and submitted in the environment in which it was initiated, and in no other one. */

/** The statuses after a submission. */
const MOVED: readonly unknown[] = ['ACSP', 'ACSC', 'PDNG']

/**
 * Submits a payment in its own environment, at the documented path. A bank may end a token that is sent to another
 * environment: then the customer authorizes the payment again.
 */
const submitAtHome = async (
  { home }: Sides,
  payments: Payments,
  orderId: string,
  authorization: PaymentAuthorization,
): Promise<PlaceAttempt<Exchange>> => {
  const place = placeOf(home.profile, 'payments.submission')
  const submit = (granted: PaymentAuthorization) =>
    requestAt(home, place, (change) => payments.submit(granted, change))
  const first = await submit(authorization)
  return acceptedAmong(first) === undefined ? submit(await payments.authorize(orderId)) : first
}

/** A payment that is authorized and submitted in the other environment, and then in its own. */
const crossing = async (sides: Sides) => {
  const { home, abroad } = sides
  const [ours, theirs] = [await home.payments(), await abroad.payments()]
  const initiation = await ours.initiate()
  const orderId = ours.orderIdOf(initiation)
  const known = await theirs.status(orderId)
  const foreign = theirs.canAuthorize(orderId) ? await theirs.authorize(orderId) : undefined
  // A bank may show its customers any orderId: then it shows an invented one as well.
  const isShown = foreign?.redirectResult.code !== undefined
  const invented = isShown ? await theirs.authorize(ofTheSameFormat(home.random, orderId)) : undefined
  const inVain = foreign?.isComplete === true ? [await theirs.submit(foreign)] : []
  const unsubmitted = await ours.status(orderId)
  const authorization = await ours.authorize(orderId)
  const authorized = await ours.status(orderId)
  inVain.push(await theirs.submit(authorization))
  const after = await ours.status(orderId)
  const atItsPath = await submitAtHome(sides, ours, orderId, authorization)
  const submission = acceptedAmong(atItsPath) ?? atItsPath.changed
  const last = await ours.status(orderId)
  return {
    initiation,
    known,
    foreign,
    invented,
    inVain,
    unsubmitted,
    authorized,
    after,
    atItsPath,
    submission,
    last,
    isOnePlace: ours.profile.oauthBasePaths.sandbox === ours.profile.oauthBasePaths.production,
  }
}

/** The accounts of the profile may hold in one environment only: then no payment is initiated in the other one. */
const crossingIfInitiated = async (sides: Sides) => {
  try {
    return [await crossing(sides)]
  } catch (error) {
    if (error instanceof NotReached) return []
    throw error
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
    sandbox: await crossingIfInitiated(sidesOf(session, 'sandbox')),
    production: await crossingIfInitiated(sidesOf(session, 'production')),
  }),
)

type Crossing = RecordOf<typeof crossing>
type Crossings = Awaited<ReturnType<typeof crossings.act>>

const isMoved = ({ body }: ObservedExchange): boolean =>
  body.everywhere('status').some((status) => MOVED.includes(status))

const isRejected = ({ initiation }: Crossing): boolean =>
  initiation.body.everywhere('status').includes('RJCT')

/** @throws NotReached if the payment was not submitted in its own environment, or was moved by something else. */
const isSubmittedAtHome = ({ initiation, inVain, unsubmitted, authorized, last }: Crossing): void => {
  if (!initiation.accepted || !last.accepted || !isMoved(last))
    throw new NotReached('the payment was not submitted in its own environment')
  // One submission was tried after `unsubmitted`, and one more before it if the authorization was complete.
  const isMovedWithoutSubmission = inVain.length === 1 && isMoved(unsubmitted)
  if (isMovedWithoutSubmission || (isMoved(authorized) && !isMoved(unsubmitted)))
    throw new NotReached('the payment was moved before its submission')
}

/** @throws NotReached if no payment was initiated there. */
const crossingIn = (
  record: Readonly<Record<Environment, readonly Crossing[]>>,
  environment: Environment,
): Crossing => {
  const [own] = record[environment]
  if (own === undefined)
    throw new NotReached(
      `no payment was initiated in ${NAMES[environment]}: the account of the profile may be unknown there (\`payments.debtor\`)`,
    )
  return own
}

const isMovedAtHomeOnly = (record: Observed<Crossings>, from: Environment): void => {
  const own = crossingIn(record, from)
  // The account of the profile may be unknown there: a rejected payment has to keep its status as well.
  if (!isRejected(own)) isSubmittedAtHome(own)
  const because = `the payment was initiated in ${NAMES[from]}`
  for (const answer of [own.unsubmitted, own.after])
    answer.body
      .anywhere('status')
      .satisfies(
        !isMoved(answer),
        `that of its initiation: ${because}, and submitted in the other environment`,
      )
  // Each environment may number its payments by itself: then a payment of the other one may have this orderId.
  if (own.known.accepted || isRejected(own)) return
  const [control] = record[otherThan(from)]
  if (control?.submission.accepted === true)
    isRefusedBetween({ before: control.submission, changed: own.inVain, after: own.submission }, because)
  if (own.isOnePlace || own.foreign === undefined) return
  if (own.invented === undefined || own.invented.redirectResult.accepted) return
  own.foreign.redirectResult.isRefused(because)
}

check(ENV.paymentsAreServedUnderTheirPaths, crossings, ({ sandbox, production }) => {
  const authorized = [...sandbox, ...production].filter((one) => one.initiation.accepted && !isRejected(one))
  areServedAtTheirPaths(authorized.map(({ atItsPath }) => atItsPath))
})

const ROWS = {
  sandbox: {
    payment: ENV.paymentOfTheSandboxIsUnknownInProduction,
    token: ENV.paymentTokenOfTheSandboxIsRefusedInProduction,
  },
  production: {
    payment: ENV.paymentOfProductionIsUnknownInTheSandbox,
    token: ENV.paymentTokenOfProductionIsRefusedInTheSandbox,
  },
} as const

for (const from of ENVIRONMENTS) {
  const { payment, token } = ROWS[from]
  check(payment, paymentFrom(from), (record) => isUnknownThere(record, from))
  check(payment, crossings, (record) => isMovedAtHomeOnly(record, from))
  check(token, tokenFrom(from), (record) => opensNothing(record, `the access token is one of ${NAMES[from]}`))
}
