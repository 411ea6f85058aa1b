import { check, NotReached, type Exchange, type RecordOf } from '../../harness/check/index.ts'
import { grantedVariants, scenario, type Application } from '../../harness/session/index.ts'
import {
  accountAsks,
  ENVIRONMENTS,
  NAMES,
  otherThan,
  sidesOf,
  staysAtHome,
  transactionAsks,
  type Ask,
  type Crossing,
  type Environment,
} from './crossings.ts'
import { granting } from '../shared/scenario-options.ts'
import { ENV } from './requirements.ts'

const IN_BOTH = { sandbox: 'consent', production: 'consent' } as const

/** The number that an id ends with. */
const NUMBER = /\d{1,15}$/

/** The most consents that others may have created in the meantime. */
const MOST_OTHERS = 1000

/** Whether two ids that were given one after the other differ only in a number, which is counted. */
const areCounted = (first: string, second: string): boolean => {
  const hasSamePrefix = first.replace(NUMBER, '') === second.replace(NUMBER, '')
  const [one, next] = [first, second].map((id) => Number(NUMBER.exec(id)?.[0] ?? NaN))
  return hasSamePrefix && Math.abs(Number(next) - Number(one)) <= MOST_OTHERS
}

const consentFrom = (from: Environment) =>
  scenario(
    `the authorization in ${NAMES[otherThan(from)]} of a consent of ${NAMES[from]}`,
    { effect: 'consent', effectsIn: IN_BOTH, as: 'TPP', authorizations: 4, needs: ['customer'] },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const consentId = await home.app.consent()
      if (consentId === undefined) throw new NotReached('no consent was created')
      const [first, second] = [await abroad.app.consent(), await abroad.app.consent()]
      if (first === undefined || second === undefined) throw new NotReached('no consent was created')
      // Each environment may number its consents by itself: an id that both have given shows nothing.
      if ([first, second].includes(consentId)) throw new NotReached('both environments gave one consentId')
      const before = await abroad.app.authorize({ consentId: first })
      const changed = await abroad.app.authorize({ consentId })
      const after = await abroad.app.authorize({ consentId: second })
      const atHome = await home.app.authorize({ consentId })
      return { before, changed, after, atHome, isCounted: areCounted(first, second) }
    },
  )

const codeFrom = (from: Environment) =>
  scenario(
    `the exchange in ${NAMES[otherThan(from)]} of a code of ${NAMES[from]}`,
    { ...granting(4), effectsIn: IN_BOTH },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const grant = await home.app.grant()
      const before = await abroad.app.exchangeFreshCode()
      const changed = await abroad.app.exchangeCode(grant)
      const after = await abroad.app.exchangeFreshCode()
      // Another code: the attempt may have used up the first one.
      return { before, changed, after, atHome: await home.app.exchangeFreshCode() }
    },
  )

const refreshTokenFrom = (from: Environment) =>
  scenario(
    `the refresh in ${NAMES[otherThan(from)]} of a token of ${NAMES[from]}`,
    { ...granting(2), effectsIn: IN_BOTH },
    async (session) => {
      const { home, abroad } = sidesOf(session, from)
      const foreign = await home.app.tokens()
      const own = await abroad.app.tokens()
      const before = await abroad.app.renew(own)
      const changed = await abroad.app.refresh(foreign)
      const atHome = await home.app.refresh(foreign)
      return { before: before.exchange, changed, atHome, after: await abroad.app.refresh(before.tokens) }
    },
  )

type Consents = RecordOf<ReturnType<typeof consentFrom>>

const staysUnknown = ({ isCounted, ...record }: Consents, because: string): void => {
  if (isCounted && record.changed.accepted)
    throw new NotReached('consents are counted, so that both environments may have given this one')
  staysAtHome(record, because)
}

type Prepare = (app: Application, accessToken: string) => Promise<readonly Ask[]>

/** Requests for data of one environment with an access token of the other. */
const crossing = (from: Environment, what: string, prepare: Prepare) =>
  scenario(
    `${what} in ${NAMES[otherThan(from)]} with an access token of ${NAMES[from]}`,
    { ...granting(2), effectsIn: IN_BOTH, times: (profile) => grantedVariants(profile).length },
    async (session): Promise<{ readonly crossings: readonly Crossing<Exchange>[] }> => {
      const { home, abroad } = sidesOf(session, from)
      const crossings: Crossing<Exchange>[] = []
      for (const variant of grantedVariants(session.profile)) {
        const there = home.app.for(variant)
        const here = abroad.app.for(variant)
        const foreign = await there.tokens()
        const own = await here.tokens()
        for (const ask of await prepare(here, own.accessToken)) {
          const before = await ask(own.accessToken)
          const changed = await ask(foreign.accessToken)
          const after = await ask(own.accessToken)
          const atHome = await there.listAccounts(foreign.accessToken)
          crossings.push({ before, changed, after, atHome })
        }
      }
      if (crossings.length === 0) throw new NotReached(`nothing could be read in ${NAMES[otherThan(from)]}`)
      return { crossings }
    },
  )

/** What is issued in one environment, by the rows that say that it is not valid in the other. */
const ROWS = {
  sandbox: {
    consent: ENV.consentOfTheSandboxIsUnknownInProduction,
    code: ENV.codeOfTheSandboxIsRefusedInProduction,
    refreshToken: ENV.refreshTokenOfTheSandboxIsRefusedInProduction,
    tokenForAccounts: ENV.tokenOfTheSandboxIsRefusedInProduction,
    tokenForTransactions: ENV.transactionsOfProductionStayShutToTheSandbox,
  },
  production: {
    consent: ENV.consentOfProductionIsUnknownInTheSandbox,
    code: ENV.codeOfProductionIsRefusedInTheSandbox,
    refreshToken: ENV.refreshTokenOfProductionIsRefusedInTheSandbox,
    tokenForAccounts: ENV.tokenOfProductionIsRefusedInTheSandbox,
    tokenForTransactions: ENV.transactionsOfTheSandboxStayShutToProduction,
  },
} as const

for (const from of ENVIRONMENTS) {
  const rows = ROWS[from]
  check(rows.consent, consentFrom(from), (record) =>
    staysUnknown(record, `the consent was created in ${NAMES[from]}`),
  )
  check(rows.code, codeFrom(from), (record) => staysAtHome(record, `the code was issued in ${NAMES[from]}`))
  check(rows.refreshToken, refreshTokenFrom(from), (record) =>
    staysAtHome(record, `the refresh token was issued in ${NAMES[from]}`),
  )
  for (const [row, data] of [
    [rows.tokenForAccounts, crossing(from, 'accounts', accountAsks)],
    [rows.tokenForTransactions, crossing(from, 'transactions', transactionAsks)],
  ] as const)
    check(row, data, ({ crossings }) => {
      for (const each of crossings) staysAtHome(each, `the access token is one of ${NAMES[from]}`)
    })
}
