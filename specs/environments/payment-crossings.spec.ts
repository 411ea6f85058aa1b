import {
  check,
  isAccepted,
  isRefusedBetween,
  NotReached,
  ofTheSameLook,
  scenario,
} from '../../harness/check/index.ts'
import type {
  Exchange,
  Observed,
  ObservedExchange,
  PaymentAuthorization,
  Payments,
} from '../../harness/check/index.ts'
import { NAMES, sidesOf } from './acting.ts'
import type { Environment, Sides } from './acting.ts'
import { ENV } from './requirements.ts'

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
  const invented = isShown ? await theirs.authorize(ofTheSameLook(home.random, orderId)) : undefined
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
