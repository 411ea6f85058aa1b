import {
  asCalculation,
  check,
  couldBeCanceled,
  isNotCanceled,
  isRefusedBetween,
  loanCode,
  NotReached,
} from '../../harness/check/index.ts'
import { cancelInVain, change, scenario } from '../../harness/session/index.ts'
import type { LoanWords, ObservedExchange, ObservedRedirect } from '../../harness/check/index.ts'
import type { Change, Session } from '../../harness/session/index.ts'
import {
  accessTokenIn,
  areRefusedAs,
  asStatus,
  dataWithBoth,
  ENVIRONMENTS,
  NAMES,
  opensNoData,
  type Environment,
} from './crossings.ts'
import { acceptedAmong, areServedAtTheirPaths, areServedBelow, moved, placeOf, requestAt } from './places.ts'
import { applying } from '../shared/scenario-options.ts'
import { ENV } from './requirements.ts'

/** The base path of the loan API (Introduction; Endpoints). */
const BASE = '/paylater/sandbox'

/** Within the bounds and without income: an amount of the documented scenarios. */
const ORDINARY = { amount: 250 }

const places = scenario(
  'the loan API at its documented place',
  { effect: 'read', effectsIn: { sandbox: 'read' }, as: 'any', needs: ['loan-api'] },
  async (session) => {
    const side = session.at('sandbox')
    const loans = await side.loans()
    const tokens = await requestAt(side, placeOf(side.profile, 'loans.token'), (change) =>
      loans.renewToken(change),
    )
    if (acceptedAmong(tokens) === undefined) return { attempts: [tokens], words: loans.profile }
    const calculation = await requestAt(side, placeOf(side.profile, 'loans.precalculation'), (change) =>
      loans.precalculate(ORDINARY, change),
    )
    return { attempts: [tokens, calculation], words: loans.profile }
  },
)

const applications = scenario(
  'loan applications at their documented places',
  {
    effect: 'apply',
    effectsIn: { sandbox: 'apply' },
    as: 'any',
    needs: ['loan-api'],
    loans: { submitted: 1 },
  },
  async (session) => {
    const side = session.at('sandbox')
    const loans = await side.loans()
    const tokens = await requestAt(side, placeOf(side.profile, 'loans.token'), (change) =>
      loans.renewToken(change),
    )
    const submitted = await requestAt(side, placeOf(side.profile, 'loans.submission'), (change) =>
      loans.submit({}, change),
    )
    const accepted = acceptedAmong(submitted)
    if (accepted === undefined) return { attempts: [tokens, submitted], words: loans.profile }
    const id = loans.idOf(accepted)
    return {
      attempts: [
        tokens,
        submitted,
        await requestAt(side, placeOf(side.profile, 'loans.status', id), (change) =>
          loans.status(id, change),
        ),
        await requestAt(side, placeOf(side.profile, 'loans.cancellation', id), (change) =>
          loans.cancel(id, change),
        ),
      ],
      words: loans.profile,
    }
  },
)

check(ENV.loanSandboxServesTheLoanApi, places, ({ attempts }) => areServedBelow(BASE, attempts))
check(ENV.loanSandboxServesTheLoanApi, applications, ({ attempts, words }) =>
  areServedBelow(BASE, attempts, byCode(words)),
)
check(ENV.loanOperationsAreServedUnderTheirPaths, places, ({ attempts }) =>
  areServedAtTheirPaths(attempts, []),
)
check(ENV.loanOperationsAreServedUnderTheirPaths, applications, ({ attempts, words }) =>
  areServedAtTheirPaths(attempts, [], byCode(words)),
)

/** The result codes of the loan operations: no other server answers them. */
const CODES = ['OK', 'NOT_ALLOWED_OPER', 'APP_NOT_FOUND'] as const

/** A loan operation is served if it answers one of its codes, whatever the status. */
const byCode =
  (words: LoanWords) =>
  (end: ObservedExchange | ObservedRedirect): Pick<ObservedExchange, 'accepted' | 'isAccepted'> => {
    if ('exchange' in end || end.accepted || !CODES.some((code) => code === loanCode(end, words).value))
      return end
    return {
      accepted: true,
      isAccepted: () => loanCode(end, words).isOneOf(CODES),
    }
  }

/** A precalculation with another token between two with its own. */
const calculationsWith = async (session: Session, token: string) => {
  const loans = await session.loans()
  const attempts = await session.between(
    () => loans.precalculate(ORDINARY),
    () => loans.bearing(token).precalculate(ORDINARY),
  )
  return { attempts, words: loans.profile }
}

const FOR_LOANS = 'the access token is one for loans'

/** @throws NotReached if the token opens nothing in its own environment: then its refusal elsewhere shows nothing. */
const isGoodAtHome = (list: ObservedExchange): void => {
  if (!list.accepted) throw new NotReached('the access token was not accepted for accounts either')
}

const withAccountToken = scenario(
  'a precalculation with an access token for accounts',
  { effect: 'read', as: 'each', needs: ['loans', 'access'] },
  async (session) => {
    const { accessToken } = await session.access()
    const calculations = await calculationsWith(session, accessToken)
    return { ...calculations, atHome: await session.app.listAccounts(accessToken) }
  },
)

const withAccountTokenOfProduction = scenario(
  'a precalculation with an access token for accounts of production',
  {
    effect: 'consent',
    effectsIn: { sandbox: 'read', production: 'consent' },
    as: 'any',
    authorizations: 1,
    needs: ['loans', 'customer'],
  },
  async (session) => {
    const { app } = session.at('production')
    const { accessToken } = await app.tokens()
    const calculations = await calculationsWith(session, accessToken)
    return { ...calculations, atHome: await app.listAccounts(accessToken) }
  },
)

for (const tried of [withAccountToken, withAccountTokenOfProduction])
  check(ENV.accountTokenIsRefusedInTheLoanSandbox, tried, ({ atHome, attempts, words }) => {
    areRefusedAs(asCalculation, attempts, words, 'the access token is one for accounts')
    isGoodAtHome(atHome)
  })

const withPaymentToken = scenario(
  'a precalculation with an access token for payments',
  { effect: 'consent', as: 'any', needs: ['loans', 'payments', 'payment-bearer'] },
  async (session) => {
    const { token } = await session.payments()
    return calculationsWith(session, accessTokenIn(session, token))
  },
)

check(ENV.paymentTokenIsRefusedInTheLoanSandbox, withPaymentToken, ({ attempts, words }) =>
  areRefusedAs(asCalculation, attempts, words, 'the access token is one for payments'),
)

const dataWithLoanToken = scenario(
  'accounts and transactions with an access token for loans',
  { effect: 'read', as: 'any', inBothVariants: true, needs: ['loans', 'access'] },
  async (session) => {
    const { token } = await session.loans()
    return { attempts: await dataWithBoth(session, accessTokenIn(session, token)) }
  },
)

check(ENV.loanTokenIsRefusedByTheAccountApi, dataWithLoanToken, ({ attempts }) => {
  if (attempts.length === 0) throw new NotReached('no account could be read with its own token')
  for (const each of attempts) opensNoData(each, FOR_LOANS)
})

const paymentWithLoanToken = scenario(
  'a payment with an access token for loans',
  {
    effect: 'pay',
    as: 'any',
    needs: ['loans', 'payments', 'payment-authorization'],
    payments: { initiated: 3 },
  },
  async (session) => {
    const { token } = await session.loans()
    const payments = await session.payments()
    const orderId = payments.orderIdOf(await payments.initiate())
    const ofLoans = change.bearer(accessTokenIn(session, token))
    const statuses = await session.between(
      () => payments.status(orderId),
      () => payments.status(orderId, ofLoans),
    )
    const initiations = await session.between(
      () => payments.initiate(),
      () => payments.initiate({}, ofLoans),
    )
    return { statuses, initiations }
  },
)

check(ENV.loanTokenOpensNoPayment, paymentWithLoanToken, ({ statuses, initiations }) => {
  for (const attempts of [statuses, initiations]) isRefusedBetween(attempts, FOR_LOANS)
})

const applicationBelow = (environment: Environment) =>
  scenario(
    `a loan application below the base path of ${NAMES[environment]}`,
    {
      ...applying(1),
      ...(environment === 'production' && { effectsIn: { sandbox: 'apply', production: 'read' } }),
    },
    async (session) => {
      const loans = await session.loans()
      const submission = await loans.submit()
      const id = loans.idOf(submission)
      const { basePath, status, cancellation } = loans.profile
      const below = session.profile.basePaths[environment]
      const elsewhere = (operation: { readonly path: string }): Change => {
        const path = operation.path.replaceAll('{application-id}', () => encodeURIComponent(id))
        const shifted = moved(basePath + path, below + path)
        const meant = change.environment(environment)
        return (request) => meant(shifted(request))
      }
      const attempts = await session.between(
        () => loans.status(id),
        () => loans.status(id, elsewhere(status)),
      )
      // In production, a profile may allow reading only.
      if (environment === 'production') return { attempts, words: loans.profile }
      const canceled = await cancelInVain({ clock: session.clock, loans }, submission, () =>
        loans.cancel(id, elsewhere(cancellation)),
      )
      return { attempts, words: loans.profile, canceled }
    },
  )

const OF_THE_LOAN_SANDBOX = 'the application was submitted in the loan sandbox'

for (const asked of ENVIRONMENTS.map(applicationBelow))
  check(ENV.loanApplicationIsUnknownElsewhere, asked, ({ attempts, words, canceled }) => {
    areRefusedAs(asStatus, attempts, words, OF_THE_LOAN_SANDBOX)
    if (canceled !== undefined && couldBeCanceled(canceled, words))
      isNotCanceled(canceled, words, OF_THE_LOAN_SANDBOX)
  })
