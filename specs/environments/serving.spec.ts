import { check, isAccepted, NotReached } from '../../harness/check/index.ts'
import { documentedOf, scenario } from '../../harness/session/index.ts'
import type { Exchange, RecordOf } from '../../harness/check/index.ts'
import type { Accounts, Change, EnvironmentSession } from '../../harness/session/index.ts'
import { ENVIRONMENTS, NAMES, type Environment } from './crossings.ts'
import {
  acceptedAmong,
  accountWithTransactions,
  areServedAtTheirPaths,
  areServedBelow,
  isNothingThere,
  placeOf,
  requestAt,
  type PlaceAttempt,
} from './places.ts'
import { notifying } from '../shared/scenario-options.ts'
import { ENV } from './requirements.ts'

/** The base paths of the account API (Introduction; Endpoints). */
const BASE: Readonly<Record<Environment, string>> = {
  sandbox: '/premium/sandbox',
  production: '/premium/production',
}

const consentsOf = async (side: EnvironmentSession): Promise<readonly PlaceAttempt<Exchange>[]> => {
  if (!side.profile.applications.some(({ kind }) => kind === 'TPP')) return []
  const app = side.applicationOf('TPP')
  return [
    await requestAt(side, placeOf(side.profile, 'operations.createConsent'), (change) =>
      app.createConsent(change),
    ),
  ]
}

/** A grant and its code exchange; again at the places of the profile, if that brings no token. */
const grantOf = async (side: EnvironmentSession) => {
  const { app } = side
  const [authorize, token] = [
    placeOf(side.profile, 'operations.authorize'),
    placeOf(side.profile, 'operations.token'),
  ]
  const stated = await app.attemptGrant({ change: authorize.change }, token.change)
  const isWhole = stated.exchange !== undefined && isAccepted(stated.exchange)
  const named = isWhole ? undefined : await app.attemptGrant()
  const exchange = named?.exchange ?? stated.exchange
  return {
    redirectResults: [
      {
        place: authorize.place,
        changed: stated.redirectResult,
        ...(named && { valid: named.redirectResult }),
      },
    ],
    exchanges:
      stated.exchange === undefined
        ? []
        : [
            {
              place: token.place,
              changed: stated.exchange,
              ...(named?.exchange && { valid: named.exchange }),
            },
          ],
    accessToken: exchange && app.tokensIn(exchange).accessToken,
  }
}

const accountIn = async (accounts: Accounts, accessToken: string, list: PlaceAttempt<Exchange>) => {
  const accepted = acceptedAmong(list)
  return accepted && accountWithTransactions(accounts, accessToken, accounts.accountsIn(accepted))
}

/** The list, and the detail and transactions of an account. */
const accountsOf = async (side: EnvironmentSession, accessToken: string | undefined) => {
  if (accessToken === undefined) return []
  const isKnown = side.customer.accounts.some(({ consented }) => consented)
  const accounts = side.app.accounts('first')
  const list = await requestAt(side, placeOf(side.profile, 'operations.listAccounts'), (change) =>
    accounts.list(accessToken, change),
  )
  // A customer without known accounts may have none: a refusal says nothing about the path.
  if (!isKnown && acceptedAmong(list) === undefined) return []
  const account = await accountIn(accounts, accessToken, list)
  if (account === undefined) return [list]
  const { accountId: id } = account
  return [
    list,
    await requestAt(side, placeOf(side.profile, 'operations.readAccount', id), (change) =>
      accounts.read(accessToken, account, change),
    ),
    await requestAt(side, placeOf(side.profile, 'operations.listTransactions', id), (change) =>
      accounts.transactions(accessToken, account, {}, change),
    ),
  ]
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
      return { consents, accounts: await accountsOf(side, accessToken), ...granted }
    },
  )

type Served = RecordOf<ReturnType<typeof accountApiIn>>

const v1Of = ({ consents, accounts }: Served) => [...consents, ...accounts]
const oauthOf = ({ redirectResults, exchanges }: Served) => [...redirectResults, ...exchanges]

const SERVES = {
  sandbox: ENV.sandboxServesTheAccountApi,
  production: ENV.productionServesTheAccountApi,
} as const

for (const environment of ENVIRONMENTS) {
  const asked = accountApiIn(environment)
  check(SERVES[environment], asked, (record) =>
    areServedBelow(BASE[environment], [...v1Of(record), ...oauthOf(record)]),
  )
  check(ENV.operationsAreServedBelowV1, asked, (record) =>
    areServedAtTheirPaths(v1Of(record), oauthOf(record)),
  )
  check(ENV.oauthIsServedBelowV2, asked, (record) => areServedAtTheirPaths(oauthOf(record), v1Of(record)))
}

const refreshIn = (environment: Environment) =>
  scenario(
    `a refresh at its documented path in ${NAMES[environment]}`,
    { ...notifying(1, 'other-bank-account'), effectsIn: { [environment]: 'notify' } },
    async (session) => {
      const side = session.at(environment)
      const tokens = await side.app.tokens()
      const list = await side.app.listAccounts(tokens.accessToken)
      const refresh = await requestAt(side, placeOf(side.profile, 'operations.refresh'), (change) =>
        side.app.refreshAccounts(tokens, change),
      )
      return {
        refresh,
        list: { place: placeOf(side.profile, 'operations.listAccounts').place, changed: list },
      }
    },
  )

for (const asked of ENVIRONMENTS.map(refreshIn))
  check(ENV.refreshIsServedUnderItsPath, asked, ({ refresh, list }) =>
    areServedAtTheirPaths([refresh], [list]),
  )

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
      const side = session.at(environment)
      const app = side.app.for('second')
      const { accessToken } = await app.tokens()
      const accounts = app.accounts('second')
      const list = await requestAt(side, placeOf(side.profile, 'secondVariant.listAccounts'), (change) =>
        accounts.list(accessToken, change),
      )
      const account = await accountIn(accounts, accessToken, list)
      const ofAnAccount =
        account === undefined
          ? []
          : [
              await requestAt(side, placeOf(side.profile, 'secondVariant.readAccount'), (change) =>
                accounts.read(accessToken, account, change),
              ),
              await requestAt(side, placeOf(side.profile, 'secondVariant.listTransactions'), (change) =>
                accounts.transactions(accessToken, account, {}, change),
              ),
            ]
      const second = [list, ...ofAnAccount]
      // A grant that opens the second variant alone comes from a target that is in reach.
      if (!app.opens.includes('first')) return { second }
      const { place } = placeOf(side.profile, 'operations.listAccounts')
      return { second, elsewhere: [{ place, changed: await app.listAccounts(accessToken) }] }
    },
  )

for (const asked of ENVIRONMENTS.map(secondVariantIn))
  check(ENV.secondVariantIsServedBelowV1, asked, ({ second, elsewhere }) =>
    areServedAtTheirPaths(second, elsewhere),
  )

/**
 * The submission of a payment that no customer has authorized, at its documented path and at the one of the profile: it is
 * refused at both, but a server that has nothing at one of them refuses it there in another way.
 */
const submissionsOf = async (
  side: EnvironmentSession,
  submit: (change?: Change) => Promise<Exchange>,
): Promise<readonly PlaceAttempt<Exchange>[]> => {
  const { place, change } = placeOf(side.profile, 'payments.submission')
  if (place.isOwnPath) return []
  return [{ place, changed: await submit(change), valid: await submit() }]
}

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
      const side = session.at(environment)
      const payments = await side.payments()
      const { initiations } = payments.profile
      // The first one is the documented one, whatever the profile calls its path, unless another has that path.
      const { path } = documentedOf('payments.initiations.0')
      const [at, method] = [...initiations.entries()].find(([, one]) => one.path === path) ?? [
        0,
        initiations[0],
      ]
      if (method === undefined) throw new NotReached('the profile names no initiation method')
      const initiation = await requestAt(
        side,
        placeOf(side.profile, `payments.initiations.${at}`),
        (change) => payments.initiate({ method: method.name }, change),
      )
      const accepted = acceptedAmong(initiation)
      if (accepted === undefined) return { attempts: [initiation], submissions: [] }
      const orderId = payments.orderIdOf(accepted)
      const read = await requestAt(side, placeOf(side.profile, 'payments.status', orderId), (change) =>
        payments.status(orderId, change),
      )
      const submissions = await submissionsOf(side, (change) => payments.submit({ orderId }, change))
      return { attempts: [initiation, read], submissions }
    },
  )

/** Judges that a submission is refused at its documented path by the operation, as it is at the path of the profile. */
const isRefusedByTheOperation = ({ changed, valid }: PlaceAttempt): void => {
  // A bank may answer 404 to a payment that was not authorized: then a submission in its own environment shows more.
  const isComparable = valid !== undefined && !isNothingThere(valid)
  if (isComparable && isNothingThere(changed))
    changed.isAccepted('the interface gives the path POST /payments/submission')
}

for (const asked of ENVIRONMENTS.map(paymentsIn))
  check(ENV.paymentsAreServedUnderTheirPaths, asked, ({ attempts, submissions }) => {
    areServedAtTheirPaths(attempts)
    submissions.forEach(isRefusedByTheOperation)
  })
