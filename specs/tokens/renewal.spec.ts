import { NotReached, check, isRefusedBetween, note, refusalOf } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { RecordOf } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import { refreshStill } from './token-requests.ts'
import { wrongSecrets as secretsLike } from '../shared/values.ts'
import { UNKNOWN_TOKEN } from '../shared/account-steps.ts'
import { isRenewal } from '../shared/grants.ts'
import { checkRefused } from '../shared/refused.ts'
import { checkNewness } from './newness.ts'
import { granting } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'

/** The names of the parts of a refresh, from the profile. */
const namesOf = ({ profile }: Session) => {
  const { refreshForm, refreshToken, errorCode } = profile.operations.token
  const [parameter = ''] =
    Object.entries(refreshForm).find(([, value]) => value.includes('{refresh_token}')) ?? []
  return { parameter, field: refreshToken, error: errorCode }
}

const renewals = scenario('refreshes one after the other', granting(1), async (session) => {
  const { app } = session
  const names = namesOf(session)
  const issued = await app.tokens()
  const list = await app.listAccounts(issued.accessToken)
  const first = await app.renew(issued)
  const firstList = await app.listAccounts(first.tokens.accessToken)
  const second = await app.renew(first.tokens)
  const secondList = await app.listAccounts(second.tokens.accessToken)

  const { tokens } = second
  const { clientId, clientSecret } = app.profile
  const withoutSecret = change.noHeader('Authorization')
  const wrongSecrets = []
  // A bank may shut a client out that fails too often: the right secret comes in between.
  for (const { value, because } of secretsLike(clientSecret)) {
    wrongSecrets.push({ because, answer: await app.refresh(tokens, change.basic(clientId, value)) })
    await app.refresh({ refreshToken: UNKNOWN_TOKEN })
  }
  const refused = {
    withoutAuthentication: await app.refresh(tokens, withoutSecret),
    withAClientIdAlone: await app.refresh(tokens, (request) =>
      change.form('client_id', clientId)(withoutSecret(request)),
    ),
    unknown: await app.refresh({ refreshToken: UNKNOWN_TOKEN }),
    missing: await app.refresh(tokens, change.noForm(names.parameter)),
    empty: await app.refresh({ refreshToken: '' }),
    accessTokenInstead: await app.refresh({ refreshToken: tokens.accessToken }),
  }
  const after = await refreshStill(app, tokens)
  const valid = { before: second.exchange, after }
  return { names, issued, list, first, firstList, second, secondList, wrongSecrets, ...refused, ...valid }
})

/** A refresh that is refused at once is judged where tokens expire: its answer has no tokens to judge here. */
const succeeded = ({ first }: RecordOf<typeof renewals>): void => {
  if (!first.exchange.accepted) throw new NotReached('the refresh was not accepted')
}

checkNewness(TOK.refreshGivesANewAccessToken, renewals, 'access token', isRenewal)
checkNewness(TOK.refreshGivesANewRefreshToken, renewals, 'refresh token', isRenewal)

check(TOK.refreshedAccessTokenIsAccepted, renewals, (record) => {
  succeeded(record)
  const { list, firstList, second, secondList } = record
  if (!list.accepted) throw new NotReached('the access token before the refresh was not accepted')
  firstList.isAccepted('a refresh gave its access token a moment before')
  if (second.exchange.accepted) secondList.isAccepted('a refresh of a refresh gave its access token')
})

check(TOK.refreshedRefreshTokenIsAccepted, renewals, (record) => {
  succeeded(record)
  const { names, first, second } = record
  const { value } = first.exchange.body.field(names.field)
  if (typeof value !== 'string' || value === '') throw new NotReached('the refresh gave no refresh token')
  second.exchange.isAccepted('a refresh gave its refresh token a moment before')
})

checkRefused(TOK.refreshNeedsClientAuthentication, renewals, {
  withoutAuthentication: 'the client is not authenticated',
  withAClientIdAlone: 'the client is not authenticated',
})

check(TOK.refreshWithAWrongSecretIsRefused, renewals, ({ before, wrongSecrets, after }) => {
  for (const { because, answer } of wrongSecrets)
    isRefusedBetween({ before, changed: answer, after }, because)
})

checkRefused(TOK.unknownRefreshTokenIsRefused, renewals, {
  unknown: 'the bank never issued the refresh token',
})
checkRefused(TOK.missingRefreshTokenIsRefused, renewals, {
  missing: 'it has no refresh token',
  empty: 'its refresh token is empty',
})
checkRefused(TOK.accessTokenIsNoRefreshToken, renewals, {
  accessTokenInstead: 'the access token is no refresh token',
})

check(TOK.invalidRefreshTokenIsAnInvalidGrant, renewals, ({ names, unknown }) =>
  refusalOf(unknown).body.field(names.error).equals('invalid_grant'),
)

note(
  TOK.parametersOfTheRefreshRequest,
  renewals,
  ({ first, names }) =>
    `a refresh with the refresh token in "${names.parameter}" is ${first.exchange.accepted ? 'accepted' : 'refused'}`,
)

const theft = scenario(
  'a refresh by another client',
  granting(2, 'second-application'),
  async ({ app, other }) => {
    // A client that cannot refresh its own tokens would be refused for that reason.
    const own = await other.renew(await other.tokens())
    const before = await app.renew(await app.tokens())
    const { clientId } = app.profile
    const withTheirSecret = await app.refresh(
      before.tokens,
      change.basic(clientId, other.profile.clientSecret),
    )
    // Last: a bank may end a grant whose refresh token another client sends.
    const stolen = await other.refresh(before.tokens)
    const after = await refreshStill(app, before.tokens)
    return { own: own.exchange, before: before.exchange, stolen, withTheirSecret, after }
  },
)

check(TOK.anotherClientsRefreshTokenIsRefused, theft, ({ own, before, stolen, after }) => {
  if (!own.accepted) throw new NotReached('the other client cannot refresh its own tokens')
  isRefusedBetween({ before, changed: stolen, after }, 'the refresh token was issued to another client')
})

check(TOK.refreshWithAWrongSecretIsRefused, theft, ({ own, before, withTheirSecret, after }) => {
  if (!own.accepted) throw new NotReached('the other client cannot refresh its own tokens')
  isRefusedBetween({ before, changed: withTheirSecret, after }, 'the secret is that of another client')
})
