import { serve } from './crossings.ts'
import { answer, both, defectsOf, on, read, reply, triedInProduction } from '../../shared/changes.ts'
import { ENV } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Operations that are missing at their address, served under unknown versions, or served without TLS. */

/** Nothing is served at these addresses: a server answers, and no operation in its form. */
const missing = (addresses: RegExp, method?: string) =>
  reply(on(method, addresses), () => new Response('Not found', { status: 404 }))

/** The same, judged in production. */
const absent = (addresses: RegExp, method?: string) => triedInProduction(missing(addresses, method))

/** Serves these addresses like the documented version; it belongs between the two groups. */
const serveV1 = (addresses: RegExp) => serve(addresses, '$1/v1$2')
const serveV2 = (addresses: RegExp) => serve(addresses, '$1/v2$2')

const REDIRECT = { status: 302, headers: { location: '/premium/sandbox/v1/accounts' } }

/** Serves plain HTTP like TLS. */
const plainHttp = (addresses: RegExp) =>
  read(on(undefined, addresses), ({ url }) => {
    url.protocol = 'https:'
  })

/** Other pages of the authorization. */
const page = (change: (text: string, url: URL) => string) =>
  answer(
    () => true,
    ({ headers, text }, { url }) =>
      headers.get('content-type')?.includes('html') === true ? { text: change(text, url) } : undefined,
  )

export const servingDefects: readonly Defect[] = [
  ...defectsOf([ENV.sandboxServesTheAccountApi], {
    'Nothing is served below /premium/sandbox': absent(/^\/premium\/sandbox\//),
  }),
  ...defectsOf([ENV.loanSandboxServesTheLoanApi], {
    'Nothing is served below /paylater/sandbox': absent(/^\/paylater\/sandbox\//),
  }),
  ...defectsOf([ENV.productionServesTheAccountApi], {
    'Nothing is served below /premium/production': missing(/^\/premium\/production\//),
  }),
  ...defectsOf([ENV.operationsAreServedBelowV1], {
    'Production serves nothing below /v1': missing(/^\/premium\/production\/v1\//),
    'Production has no POST /v1/consents': missing(/^\/premium\/production\/v1\/consents$/),
    'Production has no detail of an account': missing(/^\/premium\/production\/v1\/accounts\/[^/]+$/),
    'Production has no list of transactions': missing(/^\/premium\/production\/v1\/.+\/transactions$/),
  }),
  ...defectsOf([ENV.refreshIsServedUnderItsPath], {
    'Production has no PUT /refresh': missing(/^\/premium\/production\/refresh$/),
  }),
  ...defectsOf([ENV.oauthIsServedBelowV2], {
    'Production serves nothing below /auth/oauth/v2': missing(/^\/premium\/production\/auth\/oauth\/v2\//),
  }),
  ...defectsOf([ENV.secondVariantIsServedBelowV1], {
    'Production does not serve the second variant below /api/v1': missing(/^\/api\/v1\/accounts/),
    'Production has no POST /api/v1/accounts/information': missing(/^\/api\/v1\/accounts\/information$/),
    'Production has no POST /api/v1/accounts/transactions': missing(/^\/api\/v1\/accounts\/transactions$/),
  }),
  ...defectsOf([ENV.paymentsAreServedUnderTheirPaths], {
    'Production serves nothing below /payments': missing(/^\/api\/v1\/payments\//),
    'Production has no POST /payments/submission': missing(/^\/api\/v1\/payments\/submission$/),
  }),
  ...defectsOf([ENV.loanOperationsAreServedUnderTheirPaths], {
    'There is no POST /v1/applications': absent(/\/v1\/applications$/),
    'There is no DELETE /v1/applications/{application-id}': absent(/\/v1\/applications\/[^/]+$/, 'DELETE'),
    'There is no GET /v1/applications/{application-id}/status': absent(/\/v1\/applications\/.+\/status$/),
    'There is no PUT /v1/applications/precalculation': absent(/\/applications\/precalculation$/),
  }),
  ...defectsOf([ENV.unknownVersionOfAccountsIsRefused], {
    'Any version lists accounts': serveV1(/^(\/premium\/\w+)\/v\d+(\/accounts)$/),
    'Any version lists transactions': serveV1(/^(\/premium\/\w+)\/v\d+(\/accounts\/[^/]+\/transactions)$/),
    'Any version creates consents': serveV1(/^(\/premium\/\w+)\/v\d+(\/consents)$/),
    'The version v0 lists accounts': serveV1(/^(\/premium\/\w+)\/v0(\/accounts)$/),
    'The version v999 lists accounts in the body of a redirect': both(
      serveV1(/^(\/premium\/\w+)\/v999(\/accounts)$/),
      answer(on('GET', /\/v999\/accounts$/), REDIRECT),
    ),
  }),
  ...defectsOf([ENV.unknownVersionOfTheSecondVariantIsRefused], {
    'Any version of the second variant lists accounts': serveV1(/^((?:\/sandbox)?\/api)\/v\d+(\/accounts)$/),
  }),
  ...defectsOf([ENV.missingVersionIsRefused], {
    'Accounts are listed without a version': serveV1(/^(\/premium\/\w+)(\/accounts)$/),
    'The detail of an account needs no version': serveV1(/^(\/premium\/\w+)(\/accounts\/[^/]+)$/),
    'The token endpoint needs no version': serveV2(/^(\/premium\/\w+\/auth\/oauth)(\/token)$/),
    'A precalculation needs no version': serveV1(/^(\/paylater\/sandbox)(\/applications\/precalculation)$/),
  }),
  ...defectsOf([ENV.unknownVersionOfOauthIsRefused], {
    'The versions v0 and v999 exchange codes': serveV2(/(\/auth\/oauth)\/v(?:0|999)(\/token)$/),
    'Later versions of OAuth exchange codes': serveV2(/(\/auth\/oauth)\/v\d{2,}(\/token)$/),
  }),
  ...defectsOf([ENV.unknownVersionOfLoansIsRefused], {
    'Any version calculates loans': serveV1(/^(\/paylater\/sandbox)\/v\d+(\/applications\/precalculation)$/),
  }),
  ...defectsOf([ENV.authorizationEndpointUsesTls], {
    'The authorization endpoint serves plain HTTP': plainHttp(/\/auth\/oauth\/v2\/authorize$/),
    'The form of the first page is sent over plain HTTP': page((text, url) =>
      text.replace(
        /(?<=<form[^>]* action=")[^"]*/g,
        (action) => `http://bank.example${new URL(action, url).pathname}`,
      ),
    ),
    'The base address of the first page is over plain HTTP': page((text) =>
      text.replace('<head>', '<head><base href="http://bank.example/" />'),
    ),
    'The button of the first page sends the form over plain HTTP': page((text) =>
      text.replace(/<button /g, '<button formaction="http://bank.example/login" '),
    ),
  }),
  ...defectsOf([ENV.tokenEndpointUsesTls], {
    'The token endpoint serves plain HTTP': plainHttp(/\/auth\/oauth\/v2\/token$/),
  }),
]
