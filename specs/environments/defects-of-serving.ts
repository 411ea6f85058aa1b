import type { Defect } from '../../harness/bank/defect.ts'
import { answeringFor, losing } from './defect-wires.ts'
import { ENV } from './requirements.ts'

/** How a bank can serve something elsewhere than the interface has it, or under versions that nobody knows. */

const places: readonly Defect[] = [
  {
    id: 'sandbox-is-served-elsewhere',
    story: 'There is nothing below /premium/sandbox any more.',
    breaks: [ENV.sandboxServesTheAccountApi],
    triedIn: 'production',
    wire: losing((path) => path.startsWith('/premium/sandbox/')),
  },
  {
    id: 'production-is-served-elsewhere',
    story: 'There is nothing below /premium/production any more.',
    breaks: [ENV.productionServesTheAccountApi],
    wire: losing((path) => path.startsWith('/premium/production/')),
  },
  {
    id: 'production-has-left-v1',
    story: 'In production there are no operations below /v1 any more.',
    breaks: [ENV.operationsAreServedBelowV1],
    wire: losing((path) => path.startsWith('/premium/production/v1/')),
  },
  {
    id: 'oauth-of-production-has-left-v2',
    story: 'In production there are no OAuth endpoints below /auth/oauth/v2 any more.',
    breaks: [ENV.oauthIsServedBelowV2],
    wire: losing((path) => path.startsWith('/premium/production/auth/oauth/v2/')),
  },
  {
    id: 'second-variant-of-production-has-left-v1',
    story: 'In production the second variant has no operations below /api/v1 any more.',
    breaks: [ENV.secondVariantIsServedBelowV1],
    wire: losing((path) => path.startsWith('/api/v1/accounts')),
  },
  {
    id: 'payments-of-production-have-moved',
    story: 'In production there is nothing below /payments any more.',
    breaks: [ENV.paymentsAreServedUnderTheirPaths],
    wire: losing((path) => path.startsWith('/api/v1/payments/')),
  },
]

/** Whatever is not the one version is taken for it. */
const versions: readonly Defect[] = [
  {
    id: 'any-version-lists-accounts',
    story: 'The list of accounts does not look at the version in its path.',
    breaks: [ENV.unknownVersionOfAccountsIsRefused],
    wire: answeringFor(/^\/premium\/(sandbox|production)\/v\d+\/accounts$/, '/premium/$1/v1/accounts'),
  },
  {
    id: 'version-0-lists-accounts',
    story: 'The list of accounts is still served below v0.',
    breaks: [ENV.unknownVersionOfAccountsIsRefused],
    wire: answeringFor(/^\/premium\/(sandbox|production)\/v0\/accounts$/, '/premium/$1/v1/accounts'),
  },
  {
    id: 'any-version-lists-accounts-in-the-second-variant',
    story: 'The list of the second variant does not look at the version in its path.',
    breaks: [ENV.unknownVersionOfTheSecondVariantIsRefused],
    wire: answeringFor(/^(\/sandbox)?\/api\/v\d+\/accounts$/, '$1/api/v1/accounts'),
  },
  {
    id: 'any-version-of-oauth-redeems-codes',
    story: 'The token endpoint does not look at the version in its path.',
    breaks: [ENV.unknownVersionOfOauthIsRefused],
    wire: answeringFor(/\/auth\/oauth\/v(0|999)\/token$/, '/auth/oauth/v2/token'),
  },
  {
    id: 'later-versions-of-oauth-redeem-codes',
    story: 'The token endpoint takes every version from its own on.',
    breaks: [ENV.unknownVersionOfOauthIsRefused],
    wire: answeringFor(/\/auth\/oauth\/v\d{2,}\/token$/, '/auth/oauth/v2/token'),
  },
  {
    id: 'any-version-calculates-loans',
    story: 'The precalculation does not look at the version in its path.',
    breaks: [ENV.unknownVersionOfLoansIsRefused],
    wire: answeringFor(
      /^\/paylater\/sandbox\/v\d+\/applications\/precalculation$/,
      '/paylater/sandbox/v1/applications/precalculation',
    ),
  },
]

export const defectsOfServing: readonly Defect[] = [...places, ...versions]
