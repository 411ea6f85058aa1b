import {
  NotReached,
  check,
  isAccepted,
  isRefusedBetween,
  note,
  refusalOf,
} from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Exchange, RecordOf } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import { refreshStill } from './token-requests.ts'
import { wrongSecrets as secretsLike } from '../shared/values.ts'
import { accountsOfTheSecondOnly, hasOneOf } from '../shared/account-steps.ts'
import { isRenewal } from '../shared/grants.ts'
import { checkNewness } from './newness.ts'
import { TOK } from './requirements.ts'

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
const MADE_UP = 'No-bank-has-ever-issued-this-token-to-anyone'

/** The names of the parts of a refresh, from the profile. */
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
    const wrongSecrets = []
    // A bank may shut a client out that fails too often: the right secret comes in between.
    for (const { value, because } of secretsLike(clientSecret)) {
      wrongSecrets.push({ because, answer: await app.refresh(tokens, change.basic(clientId, value)) })
      await app.refresh({ refreshToken: MADE_UP })
    }
    const refused = {
      withoutAuthentication: await app.refresh(tokens, withoutSecret),
      withAClientIdAlone: await app.refresh(tokens, (request) =>
        change.form('client_id', clientId)(withoutSecret(request)),
      ),
      unknown: await app.refresh({ refreshToken: MADE_UP }),
      missing: await app.refresh(tokens, change.noForm(names.parameter)),
      empty: await app.refresh({ refreshToken: '' }),
      accessTokenInstead: await app.refresh({ refreshToken: tokens.accessToken }),
    }
    const after = await refreshStill(app, tokens)
    return { names, issued, list, first, firstList, second, secondList, wrongSecrets, refused, after }
  },
)

type Record = RecordOf<typeof renewals>

/** A refresh that is refused at once is judged where tokens expire: its answer has no tokens to judge here. */
const succeeded = ({ first }: Record): void => {
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

/** Judges a refresh with one change, between two without. */
const isRefused = (
  { second, refused, after }: Record,
  name: keyof Record['refused'],
  because: string,
): void => isRefusedBetween({ before: second.exchange, changed: refused[name], after }, because)

check(TOK.refreshNeedsClientAuthentication, renewals, ({ second, refused, after }) => {
  const changed = [refused.withoutAuthentication, refused.withAClientIdAlone]
  isRefusedBetween({ before: second.exchange, changed, after }, 'the client is not authenticated')
})

check(TOK.refreshWithAWrongSecretIsRefused, renewals, ({ second, wrongSecrets, after }) => {
  for (const { because, answer } of wrongSecrets)
    isRefusedBetween({ before: second.exchange, changed: answer, after }, because)
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

const theft = scenario(
  'a refresh by another client',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'second-application'] },
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

const widening = scenario(
  'a refresh with the scope of another consent',
  { effect: 'consent', as: 'TPP', authorizations: 2, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => {
    const theirs = await app.tokens({ customer: otherCustomer })
    const theirList = await app.listAccounts(theirs.accessToken)
    const mine = await app.tokens()
    const before = await app.renew(mine, change.form('scope', mine.scope))
    const myList = await app.listAccounts(before.tokens.accessToken)
    const widened = await app.renew(before.tokens, change.form('scope', theirs.scope))
    const widenedList = await app.listAccounts(widened.tokens.accessToken)
    const after = await refreshStill(app, { ...widened.tokens, scope: mine.scope })
    const consents = { mine: mine.consentId ?? '', theirs: theirs.consentId ?? '' }
    const accountsIn = (list: Exchange) => (isAccepted(list) ? app.accounts('first').accountsIn(list) : [])
    const accounts = {
      mine: accountsIn(myList),
      theirs: accountsIn(theirList),
      widened: accountsIn(widenedList),
    }
    return { consents, theirList, before, myList, widened, widenedList, accounts, after }
  },
)

check(TOK.refreshDoesNotWidenTheScope, widening, (record) => {
  const { consents, theirList, before, myList, widened, widenedList, accounts, after } = record
  if (consents.mine === consents.theirs) throw new NotReached('both consents have the same consentId')
  if (!before.exchange.accepted || !myList.accepted || !theirList.accepted)
    throw new NotReached('a refresh within the granted scope, or a list of accounts, was not answered')
  const foreign = accountsOfTheSecondOnly(accounts.mine, accounts.theirs)

  if (widened.exchange.accepted) {
    const scope = widened.exchange.body.field('scope')
    const isTheirs = typeof scope.value === 'string' && scope.value.includes(consents.theirs)
    scope.satisfies(!isTheirs, 'no scope but the one that the user granted')
    widenedList.body.text.satisfies(!hasOneOf(accounts.widened, foreign), 'no account of another consent')
  } else widened.exchange.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the refresh within the granted scope was not accepted again')
})
