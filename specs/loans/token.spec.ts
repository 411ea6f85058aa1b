import {
  asCalculation,
  attemptOf,
  check,
  everyAnswer,
  inWholeRun,
  isAccepted,
  isRefusedBetween,
  note,
  NotReached,
} from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { asFarAsReached, ORDINARY } from './applications.ts'
import { TOLERANCES } from '../shared/tolerances.ts'
import { wrongSecrets } from '../shared/values.ts'
import { LOA } from './requirements.ts'

const issued = scenario(
  'a token of the loan sandbox',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const loans = await session.loans()
    const { profile, token, precalculate } = loans
    const used = await asFarAsReached(async () => [
      await precalculate({ amount: ORDINARY }),
      await precalculate({ amount: 1850 }),
      await precalculate({ amount: ORDINARY, capacity: { income: 1050, expenses: 410, children: 2 } }),
    ])
    const renewed = await loans.renewToken()
    return { profile, token, renewed, used: used.flat() }
  },
)

check(LOA.sandboxIssuesAToken, issued, ({ token }) => {
  token.isAccepted('the application has the credentials of the profile')
})

const SCOPE = 'PAY_LATER'

const UNISSUED = 'the token endpoint gave no access_token'

/** Whether a token request asked for no other scope than that of loans. */
const asksForLoans = ({ request }: ObservedExchange): boolean => {
  const scope = new URLSearchParams(request.body?.text).get('scope')
  return scope === null || scope.split(' ').includes(SCOPE)
}

const answers = everyAnswer(issued, ['loanToken']).where(
  (answer) => answer.accepted && asksForLoans(answer),
  UNISSUED,
)

/** A success with an error is a refusal. */
const successes = everyAnswer(issued, ['loanToken']).where(
  ({ status, body }) =>
    Number(status.value) < 300 &&
    body.field('access_token').value !== undefined &&
    body.field('error').value === undefined,
  UNISSUED,
)

check(LOA.sandboxIssuesAToken, successes, ({ body }) => body.field('access_token').isText())

check(LOA.sandboxTokenHasTheScopePayLater, answers, ({ body }) => body.field('scope').equals(SCOPE))

check(LOA.sandboxTokenIsABearerToken, answers, ({ body }) =>
  body.field('token_type').matches(/^bearer$/i, '"Bearer"'),
)

const DAY_S = 86_400

const lifetimeIn = (answer: ObservedExchange): number =>
  Number(answer.body.field('expires_in').value ?? undefined)

/** A token, whose name in the records is that of its scenario: another scenario may name another token so. */
const tokenIn = (answer: ObservedExchange): string =>
  `${attemptOf(answer)} ${String(answer.body.field('access_token').value)}`

/** The rest of the lifetime of a token that is given again; it may as well be prolonged. */
const isRest = (first: ObservedExchange, second: ObservedExchange): boolean => {
  const passed = (second.sentAt.getTime() - first.sentAt.getTime()) / 1000
  const rest = lifetimeIn(first) - passed
  return Math.abs(lifetimeIn(second) - rest) <= TOLERANCES.statedLifetime / 1000
}

/** Each answer of the run, and the first with its token: where tokens are given again, an earlier run may have got it. */
const ofThisRun = inWholeRun(issued, ['loanToken']).each(({ exchanges }) => {
  const given = exchanges.filter((answer) => answer.accepted && asksForLoans(answer))
  const areNew = new Set(given.map(tokenIn)).size === given.length
  return given.flatMap((answer) => {
    const same = given.filter((one) => tokenIn(one) === tokenIn(answer))
    const [first = answer] = same
    const mayBeOld = !areNew && lifetimeIn(first) > 0 && lifetimeIn(first) < DAY_S
    return mayBeOld && same.every((one) => isRest(first, one)) ? [] : [{ first, answer }]
  })
}, 'the tokens are given again, and may have been issued some time before')

check(LOA.sandboxTokenExpiresInADay, ofThisRun, ({ first, answer }) =>
  answer.body
    .field('expires_in')
    .satisfies(
      lifetimeIn(answer) === DAY_S || (answer !== first && isRest(first, answer)),
      `${DAY_S}, or the rest of it for the same token`,
    ),
)

check(LOA.sandboxTokenExpiresInAnInteger, answers, ({ body }) => body.field('expires_in').isInteger())

check(LOA.sandboxHasItsOwnTokenEndpoint, issued, ({ profile, token, used }) => {
  token.isAccepted('it is the token endpoint of the loan sandbox, and asked for its scope')
  if (used.length === 0) throw new NotReached('the token cannot be sent in a request')
  const results = used.map((answer) => asCalculation(answer, profile))
  // A token that opens one operation is valid; other checks judge the results.
  if (results.every(({ accepted }) => !accepted))
    results[0]?.isAccepted('its token is that of the endpoint below the base path')
})

note(LOA.bodiesOfTheLoanOperations, issued, ({ token }) => `token: ${token.body.shape}`)

const ofAnotherScope = scenario(
  'a token of another scope in the loan sandbox',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const loans = await session.loans()
    const before = await loans.precalculate({ amount: ORDINARY })
    const other = await loans.renewToken(change.form('scope', session.profile.scopes.accounts))
    const used = isAccepted(other) ? [await loans.precalculate({ amount: ORDINARY })] : []
    await loans.renewToken()
    return {
      profile: loans.profile,
      before,
      other,
      used,
      after: await loans.precalculate({ amount: ORDINARY }),
    }
  },
)

check(LOA.tokenOfAnotherScopeIsRefused, ofAnotherScope, ({ profile, before, other, used, after }) => {
  const [first, last] = [asCalculation(before, profile), asCalculation(after, profile)]
  const isReported = other.accepted && String(other.body.field('scope').value).split(' ').includes(SCOPE)
  const attempts = other.accepted ? used.map((answer) => asCalculation(answer, profile)) : [other]
  isRefusedBetween(
    { before: first, changed: isReported ? [] : attempts, after: last },
    'the scope of its token is not PAY_LATER',
  )
})

note(LOA.statusCodesOfTheLoanOperations, ofAnotherScope, ({ other }) =>
  other.accepted ? undefined : `another scope at the token endpoint: ${String(other.status.value)}`,
)

const withWrongSecrets = scenario(
  'requests for a loan token with wrong secrets',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const loans = await session.loans()
    const { clientId, clientSecret } = loans.application
    const isBasic = loans.profile.token.credentials === 'basic'
    const withSecret = (secret: string) =>
      loans.renewToken(isBasic ? change.basic(clientId, secret) : change.form('client_secret', secret))
    const before = await loans.renewToken()
    const changed = []
    const between = []
    for (const { value } of wrongSecrets(clientSecret)) {
      changed.push(await withSecret(value))
      // Many banks lock a client after a few wrong secrets.
      between.push(await loans.renewToken())
    }
    return { before, changed, between, after: await loans.renewToken() }
  },
)

check(LOA.wrongSecretGetsNoLoanToken, withWrongSecrets, (record) =>
  isRefusedBetween(record, 'the secret is another one'),
)

note(LOA.statusCodesOfTheLoanOperations, withWrongSecrets, ({ changed: [first] }) =>
  first === undefined ? undefined : `a wrong secret at the token endpoint: ${String(first.status.value)}`,
)
