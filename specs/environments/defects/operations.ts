import {
  answeringFor,
  searching,
  takingFor,
  TOKEN_OF_ACCOUNTS,
  TOKEN_OF_LOANS,
  TOKEN_OF_PAYMENTS,
  TOKEN_OF_PAYMENTS_IN_PRODUCTION,
} from './crossings.ts'
import { ENV } from '../requirements.ts'
import {
  answering,
  breaking,
  jsonAnswer,
  on,
  pathOf,
  rewordingAnswers,
  where,
  wired,
  type FactsOf,
} from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'

/** Operations that accept tokens of another environment or interface, and a loan sandbox that is not separated. */

type Endpoint = FactsOf<'grantOfLoanToken'>['endpoint']
type Variant = FactsOf<'grantOfLoanToken'>['variant']

/** The loan operations, or one of them, accept tokens of another interface. */
const takingOf = (kind: FactsOf<'foreignTokenOpensLoans'>['kind'], endpoint?: Endpoint): RuleChange =>
  where<'foreignTokenOpensLoans'>(
    (facts) => facts.kind === kind && (endpoint === undefined || facts.endpoint === endpoint),
    { foreignTokenOpensLoans: () => true },
  )

/** One account operation accepts a loan token, as one of the latest grant to its application. */
const opening = (variant: Variant, endpoint: Endpoint): RuleChange =>
  where<'grantOfLoanToken'>((facts) => facts.variant === variant && facts.endpoint === endpoint, {
    // A separate application for loans has no grant: then the latest one of all applications.
    grantOfLoanToken: ({ grants, token }) => {
      const all = [...grants.values()]
      return all.findLast(({ clientId }) => clientId === token.clientId) ?? all.at(-1)
    },
  })

const INITIATION = /^\/sandbox\/api\/v1\/payments\/\w+\/sba$/

const initiations: readonly Defect[] = [
  ...breaking(ENV.loanTokenOpensNoPayment, {
    'loan-token-initiates-payments': {
      story: 'An initiation accepts loan tokens.',
      wire: takingFor({ issuedAt: TOKEN_OF_LOANS, takenFor: TOKEN_OF_PAYMENTS, asked: INITIATION }),
    },
  }),
  ...breaking(ENV.accountTokenOpensNoPayment, {
    'account-token-initiates-payments': {
      story: 'An initiation accepts account tokens.',
      wire: takingFor({ issuedAt: TOKEN_OF_ACCOUNTS, takenFor: TOKEN_OF_PAYMENTS, asked: INITIATION }),
    },
  }),
  ...breaking(ENV.paymentTokenOfTheSandboxIsRefusedInProduction, {
    'payment-token-of-the-sandbox-initiates-in-production': {
      story: 'An initiation in production accepts tokens of the sandbox; the other operations do not.',
      wire: takingFor({
        issuedAt: TOKEN_OF_PAYMENTS,
        takenFor: TOKEN_OF_PAYMENTS_IN_PRODUCTION,
        asked: /^\/api\/v1\/payments\/\w+\/sba$/,
      }),
    },
  }),
  ...breaking(ENV.paymentTokenOfProductionIsRefusedInTheSandbox, {
    'payment-token-of-production-initiates-in-the-sandbox': {
      story: 'An initiation in the sandbox accepts tokens of production; the other operations do not.',
      wire: takingFor({
        issuedAt: TOKEN_OF_PAYMENTS_IN_PRODUCTION,
        takenFor: TOKEN_OF_PAYMENTS,
        asked: INITIATION,
      }),
    },
  }),
]

const applications: readonly Defect[] = [
  ...breaking(ENV.paymentTokenIsRefusedInTheLoanSandbox, {
    'payment-token-applies-for-a-loan': {
      story: 'The submission of a loan application accepts payment tokens.',
      rules: takingOf('payments', 'loan-submission'),
    },
    'payment-token-reads-an-application': {
      story: 'The status of a loan application accepts payment tokens.',
      rules: takingOf('payments', 'loan-status'),
    },
  }),
  ...breaking(ENV.accountTokenIsRefusedInTheLoanSandbox, {
    'account-token-applies-for-a-loan': {
      story: 'The submission of a loan application accepts account tokens.',
      rules: takingOf('accounts', 'loan-submission'),
    },
    'account-token-cancels-an-application': {
      story: 'The cancellation of a loan application accepts account tokens.',
      rules: takingOf('accounts', 'loan-cancellation'),
    },
  }),
]

const data: readonly Defect[] = [
  ...breaking(ENV.loanTokenIsRefusedByTheAccountApi, {
    'loan-token-reads-an-account': {
      story: 'The detail of an account accepts loan tokens; the list does not.',
      rules: opening('first', 'account'),
    },
    'loan-token-reads-transactions-in-the-second-variant': {
      story: 'In the second variant the transactions accept loan tokens; the accounts do not.',
      rules: opening('second', 'transactions'),
    },
  }),
  ...breaking(ENV.paymentTokenOpensNoAccount, {
    'payment-token-reads-transactions': {
      story: 'The transactions accept payment tokens; the accounts do not.',
      wire: takingFor({
        issuedAt: TOKEN_OF_PAYMENTS,
        takenFor: TOKEN_OF_ACCOUNTS,
        asked: /^\/premium\/sandbox\/v1\/accounts\/[^/]+\/transactions$/,
      }),
    },
  }),
  ...breaking(ENV.tokenOfProductionIsRefusedInTheSandbox, {
    'detail-in-the-sandbox-opens-to-production': {
      story: 'The detail of an account in the sandbox accepts tokens of production.',
      rules: searching('sandbox', 'accessTokens', { endpoint: 'account', variant: 'first' }),
    },
    'list-of-the-second-variant-in-the-sandbox-opens-to-production': {
      story: 'The list of the second variant in the sandbox accepts tokens of production.',
      rules: searching('sandbox', 'accessTokens', { endpoint: 'accounts', variant: 'second' }),
    },
  }),
  ...breaking(ENV.transactionsOfProductionStayShutToTheSandbox, {
    'transactions-of-the-second-variant-in-production-open-to-the-sandbox': {
      story: 'In the second variant the transactions in production accept tokens of the sandbox.',
      rules: searching('production', 'accessTokens', { endpoint: 'transactions', variant: 'second' }),
    },
  }),
]

/** Passes requests for applications below the base path of accounts on to the loan sandbox. */
const inTheLoanSandbox = answeringFor(/^\/premium\/sandbox(?=\/v1\/applications\/)/, '/paylater/sandbox')

const loans: readonly Defect[] = [
  ...breaking(ENV.loanSandboxServesTheLoanApi, {
    'loans-are-served-elsewhere': {
      story: 'Nothing is served below /paylater/sandbox.',
      triedIn: 'production',
      wire: answering(on(undefined, /^\/paylater\/sandbox\//), () =>
        jsonAnswer(404, { errorCode: 'NOT_FOUND' }),
      ),
    },
  }),
  ...breaking(ENV.accountTokenIsRefusedInTheLoanSandbox, {
    'account-token-opens-the-loan-sandbox': {
      story: 'The loan sandbox accepts account tokens.',
      rules: takingOf('accounts'),
    },
    'account-token-of-production-opens-the-loan-sandbox': {
      story: 'The loan sandbox accepts account tokens of production.',
      rules: where(({ token }) => token.environment === 'production', { foreignTokenOpensLoans: () => true }),
    },
  }),
  ...breaking(ENV.paymentTokenIsRefusedInTheLoanSandbox, {
    'payment-token-opens-the-loan-sandbox': {
      story: 'The loan sandbox accepts payment tokens.',
      rules: takingOf('payments'),
    },
  }),
  ...breaking(ENV.loanTokenIsRefusedByTheAccountApi, {
    'loan-token-lists-accounts': {
      story: 'The list of accounts accepts loan tokens.',
      rules: opening('first', 'accounts'),
    },
    'loan-token-lists-accounts-in-the-second-variant': {
      story: 'The list of the second variant accepts loan tokens.',
      rules: opening('second', 'accounts'),
    },
  }),
  ...breaking(ENV.loanApplicationIsUnknownElsewhere, {
    'loan-applications-are-known-in-the-sandbox': {
      story: 'The sandbox of the account API serves the loan applications.',
      wire: inTheLoanSandbox,
    },
    'loan-applications-are-known-in-production': {
      story: 'Production serves the loan applications of the sandbox.',
      wire: answeringFor(/^\/premium\/production(?=\/v1\/applications\/)/, '/paylater/sandbox'),
    },
    'loan-applications-are-canceled-in-the-sandbox-of-accounts': {
      story: 'The sandbox of the account API cancels loan applications; it does not answer their status.',
      wire: (next) => {
        const passOn = inTheLoanSandbox(next)
        return (request) => (request.method === 'DELETE' ? passOn(request) : next(request))
      },
    },
    'loan-applications-are-canceled-in-silence': {
      story: 'The sandbox of the account API answers a DELETE with 404, and cancels the loan application.',
      wire: (next) => {
        const passOn = inTheLoanSandbox(next)
        return async (request) => {
          const answer = await next(request.clone())
          if (request.method === 'DELETE' && answer.status === 404) await passOn(request)
          return answer
        }
      },
    },
    'loan-applications-are-canceled-elsewhere-a-moment-later': {
      story:
        'The sandbox of the account API answers a DELETE with 404, and cancels the loan application after its next status request.',
      wire: (next) => {
        const passOn = inTheLoanSandbox(next)
        let put: Request | undefined
        return async (request) => {
          const isCancellation = request.method === 'DELETE'
          const waiting = request.method === 'GET' ? put : undefined
          if (isCancellation) put = request.clone()
          const answer = await next(request)
          if (waiting !== undefined) {
            put = undefined
            await passOn(waiting)
          }
          return answer
        }
      },
    },
  }),
]

export const operationDefects: readonly Defect[] = [...initiations, ...applications, ...data, ...loans]

/** Operations that are missing at their address, served under unknown versions, or served without TLS. */

/** Nothing is served at these addresses. */
const losing = (path: RegExp, method?: string): Wire =>
  answering(on(method, path), () => jsonAnswer(404, { errorCode: 'NOT_FOUND' }))

const places: readonly Defect[] = [
  ...breaking(ENV.sandboxServesTheAccountApi, {
    'sandbox-is-served-elsewhere': {
      story: 'Nothing is served below /premium/sandbox.',
      triedIn: 'production',
      wire: losing(/^\/premium\/sandbox\//),
    },
  }),
  ...breaking(ENV.productionServesTheAccountApi, {
    'production-is-served-elsewhere': {
      story: 'Nothing is served below /premium/production.',
      wire: losing(/^\/premium\/production\//),
    },
  }),
  ...breaking(ENV.operationsAreServedBelowV1, {
    'production-has-left-v1': {
      story: 'In production no operations are served below /v1.',
      wire: losing(/^\/premium\/production\/v1\//),
    },
  }),
  ...breaking(ENV.operationsAreServedBelowV1, {
    'consents-of-production-have-moved': {
      story: 'In production nothing is served at POST /v1/consents.',
      wire: losing(/^\/premium\/production\/v1\/consents$/),
    },
    'account-detail-of-production-has-moved': {
      story: 'In production nothing is served at GET /v1/accounts/{account-id}.',
      wire: losing(/^\/premium\/production\/v1\/accounts\/[^/]+$/),
    },
    'transactions-of-production-have-moved': {
      story: 'In production nothing is served at GET /v1/accounts/{account-id}/transactions.',
      wire: losing(/^\/premium\/production\/v1\/accounts\/[^/]+\/transactions$/),
    },
  }),
  ...breaking(ENV.refreshIsServedUnderItsPath, {
    'refresh-of-production-has-moved': {
      story: 'In production nothing is served at PUT /refresh.',
      wire: losing(/^\/premium\/production\/refresh$/),
    },
  }),
  ...breaking(ENV.oauthIsServedBelowV2, {
    'oauth-of-production-has-left-v2': {
      story: 'In production no OAuth endpoints are served below /auth/oauth/v2.',
      wire: losing(/^\/premium\/production\/auth\/oauth\/v2\//),
    },
  }),
  ...breaking(ENV.secondVariantIsServedBelowV1, {
    'second-variant-of-production-has-left-v1': {
      story: 'In production the second variant is not served below /api/v1.',
      wire: losing(/^\/api\/v1\/accounts/),
    },
    'information-of-production-has-moved': {
      story: 'In production nothing is served at POST /api/v1/accounts/information.',
      wire: losing(/^\/api\/v1\/accounts\/information$/),
    },
    'transactions-of-the-second-variant-of-production-have-moved': {
      story: 'In production nothing is served at POST /api/v1/accounts/transactions.',
      wire: losing(/^\/api\/v1\/accounts\/transactions$/),
    },
  }),
  ...breaking(ENV.paymentsAreServedUnderTheirPaths, {
    'payments-of-production-have-moved': {
      story: 'In production nothing is served below /payments.',
      wire: losing(/^\/api\/v1\/payments\//),
    },
    'submission-of-production-has-moved': {
      story: 'In production nothing is served at POST /payments/submission.',
      wire: losing(/^\/api\/v1\/payments\/submission$/),
    },
  }),
  ...breaking(ENV.loanOperationsAreServedUnderTheirPaths, {
    'loan-applications-have-moved': {
      story: 'Nothing is served at POST /v1/applications.',
      triedIn: 'production',
      wire: losing(/^\/paylater\/sandbox\/v1\/applications$/),
    },
    'cancellation-of-loans-has-moved': {
      story: 'Nothing is served at DELETE /v1/applications/{application-id}.',
      triedIn: 'production',
      wire: losing(/^\/paylater\/sandbox\/v1\/applications\/[^/]+$/, 'DELETE'),
    },
    'status-of-loans-has-moved': {
      story: 'Nothing is served at GET /v1/applications/{application-id}/status.',
      triedIn: 'production',
      wire: losing(/^\/paylater\/sandbox\/v1\/applications\/[^/]+\/status$/),
    },
    'precalculation-of-loans-has-moved': {
      story: 'Nothing is served at PUT /v1/applications/precalculation.',
      triedIn: 'production',
      wire: losing(/^\/paylater\/sandbox\/v1\/applications\/precalculation$/),
    },
  }),
]

/** Other versions are served like the documented one. */
const versions: readonly Defect[] = [
  ...breaking(ENV.unknownVersionOfAccountsIsRefused, {
    'any-version-lists-accounts': {
      story: 'The list of accounts is served under any version.',
      wire: answeringFor(/^\/premium\/(sandbox|production)\/v\d+\/accounts$/, '/premium/$1/v1/accounts'),
    },
    'any-version-has-transactions': {
      story: 'The transactions of an account are served under any version.',
      wire: answeringFor(
        /^\/premium\/(sandbox|production)\/v\d+\/accounts\/([^/]+)\/transactions$/,
        '/premium/$1/v1/accounts/$2/transactions',
      ),
    },
    'any-version-creates-consents': {
      story: 'Consents are created under any version.',
      wire: answeringFor(/^\/premium\/(sandbox|production)\/v\d+\/consents$/, '/premium/$1/v1/consents'),
    },
    'version-0-lists-accounts': {
      story: 'The list of accounts is served under v0, too.',
      wire: answeringFor(/^\/premium\/(sandbox|production)\/v0\/accounts$/, '/premium/$1/v1/accounts'),
    },
    'version-999-is-redirected-with-the-accounts': {
      story: 'A list of accounts under v999 is answered with 302, and has the accounts in its body.',
      wire: wired(
        answeringFor(/^\/premium\/(sandbox|production)\/v999\/accounts$/, '/premium/$1/v1/accounts'),
        rewordingAnswers(on('GET', /\/v999\/accounts$/), () => ({
          status: 302,
          headers: { location: '/premium/sandbox/v1/accounts' },
        })),
      ),
    },
  }),
  ...breaking(ENV.unknownVersionOfTheSecondVariantIsRefused, {
    'any-version-lists-accounts-in-the-second-variant': {
      story: 'The list of the second variant is served under any version.',
      wire: answeringFor(/^(\/sandbox)?\/api\/v\d+\/accounts$/, '$1/api/v1/accounts'),
    },
  }),
  ...breaking(ENV.missingVersionIsRefused, {
    'accounts-are-listed-without-a-version': {
      story: 'The list of accounts is served without a version segment, too.',
      wire: answeringFor(/^\/premium\/(sandbox|production)\/accounts$/, '/premium/$1/v1/accounts'),
    },
    'account-detail-needs-no-version': {
      story: 'The detail of an account is served without a version segment, too.',
      wire: answeringFor(
        /^\/premium\/(sandbox|production)\/accounts\/([^/]+)$/,
        '/premium/$1/v1/accounts/$2',
      ),
    },
    'tokens-are-issued-without-a-version': {
      story: 'The token endpoint is served without a version segment, too.',
      wire: answeringFor(
        /^\/premium\/(sandbox|production)\/auth\/oauth\/token$/,
        '/premium/$1/auth/oauth/v2/token',
      ),
    },
    'loans-are-calculated-without-a-version': {
      story: 'The precalculation is served without a version segment, too.',
      wire: answeringFor(
        /^\/paylater\/sandbox\/applications\/precalculation$/,
        '/paylater/sandbox/v1/applications/precalculation',
      ),
    },
  }),
  ...breaking(ENV.unknownVersionOfOauthIsRefused, {
    'any-version-of-oauth-redeems-codes': {
      story: 'The token endpoint is served under any version.',
      wire: answeringFor(/\/auth\/oauth\/v(0|999)\/token$/, '/auth/oauth/v2/token'),
    },
    'later-versions-of-oauth-redeem-codes': {
      story: 'The token endpoint takes every version from its own on.',
      wire: answeringFor(/\/auth\/oauth\/v\d{2,}\/token$/, '/auth/oauth/v2/token'),
    },
  }),
  ...breaking(ENV.unknownVersionOfLoansIsRefused, {
    'any-version-calculates-loans': {
      story: 'The precalculation is served under any version.',
      wire: answeringFor(
        /^\/paylater\/sandbox\/v\d+\/applications\/precalculation$/,
        '/paylater/sandbox/v1/applications/precalculation',
      ),
    },
  }),
]

/** Serves requests over plain HTTP to these addresses as if they came over TLS. */
const withoutTls =
  (path: RegExp): Wire =>
  (next) =>
  async (request) =>
    next(path.test(pathOf(request)) ? new Request(request.url.replace(/^http:/, 'https:'), request) : request)

/** Changes the pages of the authorization. */
const leadingToPlainHttp =
  (change: (text: string, url: string) => string): Wire =>
  (next) =>
  async (request) => {
    const answer = await next(request)
    if (answer.headers.get('content-type')?.includes('html') !== true) return answer
    return new Response(change(await answer.text(), request.url), {
      status: answer.status,
      headers: answer.headers,
    })
  }

const encryption: readonly Defect[] = [
  ...breaking(ENV.authorizationEndpointUsesTls, {
    'authorization-endpoint-needs-no-tls': {
      story: 'The authorization endpoint answers over plain HTTP as it does over TLS.',
      wire: withoutTls(/\/auth\/oauth\/v2\/authorize$/),
    },
    'login-is-sent-without-tls': {
      story: 'The form of the first page sends what the customer types over plain HTTP.',
      wire: leadingToPlainHttp((text, url) =>
        text.replace(
          /(?<=<form[^>]* action=")[^"]*/g,
          (action) => `http://bank.example${new URL(action, url).pathname}`,
        ),
      ),
    },
    'base-of-the-login-is-plain-http': {
      story: 'The first page has a base address over plain HTTP, to which its form is relative.',
      wire: leadingToPlainHttp((text) =>
        text.replace('<head>', '<head><base href="http://bank.example/" />'),
      ),
    },
    'button-of-the-login-leads-to-plain-http': {
      story: 'The button of the first page sends what the customer types over plain HTTP.',
      wire: leadingToPlainHttp((text) =>
        text.replace(/<button /g, '<button formaction="http://bank.example/login" '),
      ),
    },
  }),
  ...breaking(ENV.tokenEndpointUsesTls, {
    'token-endpoint-needs-no-tls': {
      story: 'The token endpoint answers over plain HTTP as it does over TLS.',
      wire: withoutTls(/\/auth\/oauth\/v2\/token$/),
    },
  }),
]

export const servingDefects: readonly Defect[] = [...places, ...versions, ...encryption]
