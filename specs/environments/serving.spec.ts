import { check, isAccepted } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { Exchange, Observed } from '../../harness/check/index.ts'
import type { EnvironmentSession, Payments } from '../../harness/session/index.ts'
import { areServed, moved, NAMES, type Environment } from './crossings.ts'
import { ENV } from './requirements.ts'

/** Where the interface puts the account API (Introduction; Endpoints). */
const BASE: Readonly<Record<Environment, string>> = {
  sandbox: '/premium/sandbox',
  production: '/premium/production',
}
const PATH = {
  createConsent: '/v1/consents',
  authorize: '/auth/oauth/v2/authorize',
  token: '/auth/oauth/v2/token',
  listAccounts: '/v1/accounts',
} as const

type Operation = keyof typeof PATH

/** From where the profile has an operation to where the interface has it. */
const asStated = ({ profile }: EnvironmentSession, operation: Operation) => {
  const { environment, basePaths, operations } = profile
  return moved(basePaths[environment] + operations[operation].path, BASE[environment] + PATH[operation])
}

/** Whether the profile names the places of the interface. */
const namedBy = ({ profile: { environment, basePaths, operations } }: EnvironmentSession) => {
  const isStated = (name: Operation): boolean => operations[name].path === PATH[name]
  return {
    base: basePaths[environment] === BASE[environment],
    v1: isStated('createConsent') && isStated('listAccounts'),
    v2: isStated('authorize') && isStated('token'),
  }
}

const consentsOf = async (side: EnvironmentSession) => {
  if (!side.profile.applications.some(({ kind }) => kind === 'TPP')) return []
  const app = side.applicationOf('TPP')
  const ask = () => app.createConsent(asStated(side, 'createConsent'))
  return [await side.alike(() => app.createConsent(), ask)]
}

/** A grant and its code exchange; once more at the places of the profile, where that brings no token. */
const grantOf = async (side: EnvironmentSession) => {
  const { app } = side
  const stated = await app.attemptGrant({ change: asStated(side, 'authorize') }, asStated(side, 'token'))
  const isWhole = stated.exchange !== undefined && isAccepted(stated.exchange)
  const named = isWhole ? undefined : await app.attemptGrant()
  const exchange = named?.exchange ?? stated.exchange
  return {
    landings: [{ changed: stated.landing, ...(named && { valid: named.landing }) }],
    exchanges:
      stated.exchange === undefined
        ? []
        : [{ changed: stated.exchange, ...(named?.exchange && { valid: named.exchange }) }],
    accessToken: exchange && app.tokensIn(exchange).accessToken,
  }
}

/** Of a customer of whom no account is known, an empty list is no surprise. */
const listsOf = async (side: EnvironmentSession, accessToken: string | undefined) => {
  const isKnown = side.customer.accounts.some(({ consented }) => consented)
  if (accessToken === undefined || !isKnown) return []
  const ask = () => side.app.listAccounts(accessToken, asStated(side, 'listAccounts'))
  return [await side.alike(() => side.app.listAccounts(accessToken), ask)]
}

const accountApiIn = (environment: Environment) =>
  scenario(
    `the account API in ${NAMES[environment]}`,
    {
      effect: 'consent',
      effectsIn: { [environment]: 'consent' },
      as: 'any',
      authorizations: 1,
      needs: ['customer'],
    },
    async (session) => {
      const side = session.at(environment)
      const consents = await consentsOf(side)
      const { accessToken, ...granted } = await grantOf(side)
      const lists = await listsOf(side, accessToken)
      return { consents, lists, ...granted, isNamed: namedBy(side) }
    },
  )

const [inTheSandbox, inProduction] = [accountApiIn('sandbox'), accountApiIn('production')]

type Served = Observed<Awaited<ReturnType<typeof inTheSandbox.act>>>

const v1Of = ({ consents, lists }: Served) => [...consents, ...lists]
const oauthOf = ({ landings, exchanges }: Served) => [...landings, ...exchanges]

const isBelow = (environment: Environment) => (record: Served) =>
  areServed(
    { attempts: [...v1Of(record), ...oauthOf(record)], isNamed: record.isNamed.base },
    `the account API stands below ${BASE[environment]}`,
  )

check(ENV.sandboxServesTheAccountApi, inTheSandbox, isBelow('sandbox'))
check(ENV.productionServesTheAccountApi, inProduction, isBelow('production'))

for (const asked of [inTheSandbox, inProduction]) {
  check(ENV.operationsAreServedBelowV1, asked, (record) =>
    areServed(
      { attempts: v1Of(record), isNamed: record.isNamed.v1, elsewhere: oauthOf(record) },
      'consents and accounts stand below the version segment v1',
    ),
  )
  check(ENV.oauthIsServedBelowV2, asked, (record) =>
    areServed(
      { attempts: oauthOf(record), isNamed: record.isNamed.v2, elsewhere: v1Of(record) },
      'the authorization and token endpoints stand below /auth/oauth/v2',
    ),
  )
}

const LIST_OF_THE_SECOND = '/api/v1/accounts'

const secondVariantIn = (environment: Environment) =>
  scenario(
    `the second variant in ${NAMES[environment]}`,
    {
      effect: 'consent',
      effectsIn: { [environment]: 'consent' },
      as: 'any',
      authorizations: 1,
      needs: ['customer', 'second-variant'],
    },
    async (session) => {
      const { app, profile } = session.at(environment)
      const { accessToken } = await app.tokens()
      const accounts = app.accounts('second')
      const { path = '' } = profile.secondVariant?.listAccounts ?? {}
      const list = await session.alike(
        () => accounts.list(accessToken),
        () => accounts.list(accessToken, moved(path, LIST_OF_THE_SECOND)),
      )
      return { list, first: await app.listAccounts(accessToken), isNamed: path === LIST_OF_THE_SECOND }
    },
  )

for (const asked of [secondVariantIn('sandbox'), secondVariantIn('production')])
  check(ENV.secondVariantIsServedBelowV1, asked, ({ list, first, isNamed }) =>
    areServed(
      { attempts: [list], isNamed, elsewhere: [{ changed: first }] },
      'the second accounts variant stands below /api/v1',
    ),
  )

const INITIATION = '/payments/ecomm/sba'
const STATUS = '/payments/{orderId}/status'

const paymentsIn = (environment: Environment) =>
  scenario(
    `a payment at the documented paths in ${NAMES[environment]}`,
    {
      effect: 'pay',
      effectsIn: { [environment]: 'pay' },
      as: 'any',
      needs: ['payments'],
      payments: { initiated: 1 },
    },
    async (session) => {
      const payments = await session.at(environment).payments()
      const { initiations, status } = payments.profile
      const documented = initiations.find(({ path }) => path === INITIATION) ?? initiations[0]
      const path = documented?.path ?? ''
      const order = documented === undefined ? {} : { method: documented.name }
      const initiation = await session.alike(
        () => payments.initiate(order),
        () => payments.initiate(order, moved(path, INITIATION)),
      )
      const orderId = orderIdIn(payments, initiation)
      const put = (text: string): string => text.replaceAll('{orderId}', () => encodeURIComponent(orderId))
      const read = await session.alike(
        () => payments.status(orderId),
        () => payments.status(orderId, moved(put(status.path), put(STATUS))),
      )
      return { initiation, read, isNamed: path === INITIATION && status.path === STATUS }
    },
  )

/** Of a payment that exists, or of none: the status of that is missing too, wherever it is asked for. */
const orderIdIn = (
  payments: Payments,
  { changed, valid }: { readonly changed: Exchange; readonly valid?: Exchange },
): string => {
  const initiation = [changed, valid].find((answer) => answer !== undefined && isAccepted(answer))
  return initiation === undefined ? 'none' : payments.orderIdOf(initiation)
}

for (const asked of [paymentsIn('sandbox'), paymentsIn('production')])
  check(ENV.paymentsAreServedUnderTheirPaths, asked, ({ initiation, read, isNamed }) =>
    areServed(
      { attempts: [initiation, read], isNamed },
      'payments are initiated and read at the paths of the interface',
    ),
  )
