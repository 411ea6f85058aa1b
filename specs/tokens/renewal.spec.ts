import {
  change,
  check,
  isRefusedBetween,
  NotReached,
  note,
  refusalOf,
  scenario,
  tampered,
} from '../../harness/check/index.ts'
import type { Observed, Session } from '../../harness/check/index.ts'
import { refreshStill } from './controls.ts'
import { TOK } from './requirements.ts'
import { WRONG_SECRETS } from './wrong-secrets.ts'

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
const MADE_UP = 'No-bank-has-ever-issued-this-token-to-anyone'

/** What the owner of the target calls the parts of a refresh. */
const namesOf = ({ profile }: Session) => {
  const { refreshForm, refreshToken, errorCode } = profile.operations.token
  const [parameter = ''] =
    Object.entries(refreshForm).find(([, value]) => value.includes('{refresh_token}')) ?? []
  return { parameter, field: refreshToken, error: errorCode }
}

const renewals = scenario(
  'refreshes one after the other',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer'] },
  async (session) => {
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
    const withSecret = (secret: string) => app.refresh(tokens, change.basic(clientId, secret))
    const refused = {
      withoutAuthentication: await app.refresh(tokens, withoutSecret),
      withAClientIdAlone: await app.refresh(tokens, (request) =>
        change.form('client_id', clientId)(withoutSecret(request)),
      ),
      withALongerSecret: await withSecret(`${clientSecret}x`),
      withAnEmptySecret: await withSecret(WRONG_SECRETS.empty()),
      // A client that fails too often may be shut out: between the wrong secrets the right one.
      unknown: await app.refresh({ refreshToken: MADE_UP }),
      withAShorterSecret: await withSecret(WRONG_SECRETS.cut(clientSecret)),
      withARecasedSecret: await withSecret(WRONG_SECRETS.recased(clientSecret)),
      withAnAlteredSecret: await withSecret(tampered(clientSecret, 'changed', 0.5)),
      missing: await app.refresh(tokens, change.noForm(names.parameter)),
      empty: await app.refresh({ refreshToken: '' }),
      accessTokenInstead: await app.refresh({ refreshToken: tokens.accessToken }),
    }
    const after = await refreshStill(app, tokens)
    return { names, issued, list, first, firstList, second, secondList, refused, after }
  },
)

type Record = Observed<Awaited<ReturnType<typeof renewals.act>>>

/** A refresh that fails at once is judged where tokens expire: its answer carries nothing to be judged here. */
const succeeded = ({ first }: Record): void => {
  if (!first.exchange.accepted) throw new NotReached('the refresh was not accepted')
}

check(TOK.refreshGivesANewAccessToken, renewals, (record) => {
  succeeded(record)
  const { issued, first, second } = record
  first.exchange.body.field('access_token').differsFrom(issued.accessToken, 'the access token before')
  if (!second.exchange.accepted) return
  const newest = second.exchange.body.field('access_token')
  newest.differsFrom(first.tokens.accessToken, 'the access token before')
  newest.differsFrom(issued.accessToken, 'the first access token')
})

check(TOK.refreshGivesANewRefreshToken, renewals, (record) => {
  succeeded(record)
  const { names, issued, first, second } = record
  first.exchange.body.field(names.field).isText()
  first.exchange.body.field(names.field).differsFrom(issued.refreshToken, 'the refresh token before')
  if (!second.exchange.accepted) return
  const newest = second.exchange.body.field(names.field)
  newest.isText()
  newest.differsFrom(first.tokens.refreshToken, 'the refresh token before')
  newest.differsFrom(issued.refreshToken, 'the first refresh token')
})

check(TOK.refreshedAccessTokenIsAccepted, renewals, (record) => {
  succeeded(record)
  const { list, firstList, second, secondList } = record
  if (!list.accepted) throw new NotReached('the access token before the refresh was not accepted')
  firstList.isAccepted('its access token came of a refresh a moment before')
  if (second.exchange.accepted) secondList.isAccepted('its access token came of a refresh of a refresh')
})

check(TOK.refreshedRefreshTokenIsAccepted, renewals, (record) => {
  succeeded(record)
  const { names, first, second } = record
  const { value } = first.exchange.body.field(names.field)
  if (typeof value !== 'string' || value === '') throw new NotReached('the refresh gave no refresh token')
  second.exchange.isAccepted('its refresh token came of a refresh a moment before')
})

/** Judges a refresh with one change, between two without. */
const isRefused = (
  { second, refused, after }: Record,
  name: keyof Record['refused'],
  because: string,
): void => isRefusedBetween({ before: second.exchange, changed: refused[name], after }, because)

check(TOK.refreshNeedsClientAuthentication, renewals, ({ second, refused, after }) => {
  const changed = [refused.withoutAuthentication, refused.withAClientIdAlone]
  isRefusedBetween({ before: second.exchange, changed, after }, 'the client does not prove who it is')
})

check(TOK.refreshWithAWrongSecretIsRefused, renewals, ({ second, refused, after }) => {
  const { withALongerSecret, withAnEmptySecret, withAShorterSecret, ...others } = refused
  const { withARecasedSecret, withAnAlteredSecret } = others
  const changed = [
    withALongerSecret,
    withAnEmptySecret,
    withAShorterSecret,
    withARecasedSecret,
    withAnAlteredSecret,
  ]
  isRefusedBetween(
    { before: second.exchange, changed, after },
    'the secret is empty, longer or shorter by a character, of another case, or has one character changed',
  )
})

check(TOK.unknownRefreshTokenIsRefused, renewals, (record) =>
  isRefused(record, 'unknown', 'the bank never issued the refresh token'),
)

check(TOK.missingRefreshTokenIsRefused, renewals, (record) => {
  const { second, refused, after } = record
  const changed = [refused.missing, refused.empty]
  isRefusedBetween({ before: second.exchange, changed, after }, 'it has no refresh token, or an empty one')
})

check(TOK.accessTokenIsNoRefreshToken, renewals, (record) =>
  isRefused(record, 'accessTokenInstead', 'the access token is no refresh token'),
)

check(TOK.invalidRefreshTokenIsAnInvalidGrant, renewals, ({ names, refused }) =>
  refusalOf(refused.unknown).body.field(names.error).equals('invalid_grant'),
)

note(
  TOK.parametersOfTheRefreshRequest,
  renewals,
  ({ first, names }) =>
    `a refresh with the refresh token in "${names.parameter}" is ${first.exchange.accepted ? 'accepted' : 'refused'}`,
)
