import {
  asCalculation,
  check,
  isAccepted,
  isNotCanceled,
  isRefusedBetween,
  NotReached,
} from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { Change, Session } from '../../harness/session/index.ts'
import {
  accessTokenIn,
  accountAsks,
  areServed,
  asStatus,
  cancelInVain,
  moved,
  NAMES,
  transactionAsks,
  type Environment,
} from './crossings.ts'
import { ENV } from './requirements.ts'

/** Where the interface puts the loan API (Introduction; Endpoints). */
const BASE = '/paylater/sandbox'

/** Within every bound, and without a word on the capacity: an amount of the documented scenarios. */
const ORDINARY = { amount: 250 }

const places = scenario(
  'the loan API at its documented place',
  { effect: 'read', effectsIn: { sandbox: 'read' }, as: 'any', needs: ['loan-api'] },
  async (session) => {
    const loans = await session.at('sandbox').loans()
    const { basePath, token, precalculation } = loans.profile
    const stated = ({ path }: { readonly path: string }) => moved(basePath + path, BASE + path)
    const tokens = await session.alike(
      () => loans.renewToken(),
      () => loans.renewToken(stated(token)),
    )
    const calculate = () =>
      session.alike(
        () => loans.precalculate(ORDINARY),
        () => loans.precalculate(ORDINARY, stated(precalculation)),
      )
    const hasToken = [tokens.changed, tokens.valid].some(
      (answer) => answer !== undefined && isAccepted(answer),
    )
    return { attempts: hasToken ? [tokens, await calculate()] : [tokens], isNamed: basePath === BASE }
  },
)

check(ENV.loanSandboxServesTheLoanApi, places, (record) =>
  areServed(record, `the loan API stands below ${BASE}`),
)

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

/** A token that opens nothing anywhere shows nothing of any border. */
const isGoodAtHome = (list: ObservedExchange): void => {
  if (!list.accepted) throw new NotReached('the access token was not accepted for accounts either')
}

type Calculations = Observed<Awaited<ReturnType<typeof calculationsWith>>>

const isRefusedThere = ({ attempts, words }: Calculations, because: string): void =>
  isRefusedBetween(
    {
      before: asCalculation(attempts.before, words),
      changed: asCalculation(attempts.changed, words),
      after: asCalculation(attempts.after, words),
    },
    because,
  )

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
  check(ENV.accountTokenIsRefusedInTheLoanSandbox, tried, ({ atHome, ...calculations }) => {
    isRefusedThere(calculations, 'the access token is one for accounts')
    isGoodAtHome(atHome)
  })

const withPaymentToken = scenario(
  'a precalculation with an access token for payments',
  { effect: 'consent', as: 'any', needs: ['loans', 'payments'] },
  async (session) => {
    const { token } = await session.payments()
    return calculationsWith(session, accessTokenIn(session, token))
  },
)

check(ENV.paymentTokenIsRefusedInTheLoanSandbox, withPaymentToken, (calculations) =>
  isRefusedThere(calculations, 'the access token is one for payments'),
)

const dataWithLoanToken = scenario(
  'accounts and transactions with an access token for loans',
  { effect: 'read', as: 'any', needs: ['loans', 'access'] },
  async (session) => {
    const { token } = await session.loans()
    const { accessToken } = await session.access()
    const ofLoans = accessTokenIn(session, token)
    const asks = [
      ...(await accountAsks(session, accessToken)),
      ...(await transactionAsks(session, accessToken)),
    ]
    const attempts = []
    for (const ask of asks)
      attempts.push(
        await session.between(
          () => ask(accessToken),
          () => ask(ofLoans),
        ),
      )
    return { attempts }
  },
)

check(ENV.loanTokenIsRefusedByTheAccountApi, dataWithLoanToken, ({ attempts }) => {
  if (attempts.length === 0) throw new NotReached('no account was opened to its own token')
  for (const each of attempts) isRefusedBetween(each, FOR_LOANS)
})

const paymentWithLoanToken = scenario(
  'a payment with an access token for loans',
  { effect: 'pay', as: 'any', needs: ['loans', 'payments'], payments: { initiated: 3 } },
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
      effect: 'apply',
      ...(environment === 'production' && { effectsIn: { sandbox: 'apply', production: 'read' } }),
      as: 'any',
      needs: ['loans'],
      loans: { submitted: 1 },
    },
    async (session) => {
      const loans = await session.loans()
      const id = loans.idOf(await loans.submit())
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
      // In production nothing but reading may be allowed.
      if (environment === 'production') return { attempts, words: loans.profile }
      const canceled = await cancelInVain(session, loans, id, () => loans.cancel(id, elsewhere(cancellation)))
      return { attempts, words: loans.profile, canceled }
    },
  )

const OF_THE_LOAN_SANDBOX = 'the application was submitted in the loan sandbox'

for (const asked of [applicationBelow('sandbox'), applicationBelow('production')])
  check(ENV.loanApplicationIsUnknownElsewhere, asked, ({ attempts, words, canceled }) => {
    isRefusedBetween(
      {
        before: asStatus(attempts.before, words),
        changed: asStatus(attempts.changed, words),
        after: asStatus(attempts.after, words),
      },
      OF_THE_LOAN_SANDBOX,
    )
    if (canceled !== undefined) isNotCanceled(canceled, words, OF_THE_LOAN_SANDBOX)
  })
