import { answering, jsonAnswer, on } from '../../shared/defect-wires.ts'
import { answeringFor } from './crossings.ts'
import { breaking } from '../../shared/defects.ts'
import type { Defect, Wire } from '../../../harness/bank/defect.ts'
import { ENV } from '../requirements.ts'

/** Operations that are missing at their address, or served under unknown versions. */

/** Nothing is served at these addresses. */
const losing = (path: RegExp): Wire =>
  answering(on(undefined, path), () => jsonAnswer(404, { errorCode: 'NOT_FOUND' }))

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
  }),
  ...breaking(ENV.paymentsAreServedUnderTheirPaths, {
    'payments-of-production-have-moved': {
      story: 'In production nothing is served below /payments.',
      wire: losing(/^\/api\/v1\/payments\//),
    },
  }),
]

/** Other versions are served like the right one. */
const versions: readonly Defect[] = [
  ...breaking(ENV.unknownVersionOfAccountsIsRefused, {
    'any-version-lists-accounts': {
      story: 'The list of accounts is served under any version.',
      wire: answeringFor(/^\/premium\/(sandbox|production)\/v\d+\/accounts$/, '/premium/$1/v1/accounts'),
    },
    'version-0-lists-accounts': {
      story: 'The list of accounts is served under v0, too.',
      wire: answeringFor(/^\/premium\/(sandbox|production)\/v0\/accounts$/, '/premium/$1/v1/accounts'),
    },
  }),
  ...breaking(ENV.unknownVersionOfTheSecondVariantIsRefused, {
    'any-version-lists-accounts-in-the-second-variant': {
      story: 'The list of the second variant is served under any version.',
      wire: answeringFor(/^(\/sandbox)?\/api\/v\d+\/accounts$/, '$1/api/v1/accounts'),
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

export const servingDefects: readonly Defect[] = [...places, ...versions]
