import {
  check,
  isRefusedBetween,
  NotReached,
  type Exchange,
  type Observed,
} from '../../harness/check/index.ts'
import { change, scenario, tampered, type Change, type Session } from '../../harness/session/index.ts'
import { TOK } from './requirements.ts'
import {
  describeRefusals,
  hidesItsSecrets,
  namesAnError,
  refusedAfter,
  saysWhatIsWrong,
} from './token-requests.ts'

/** As long as 256 bits in base64, and of the same characters. */
const MADE_UP = 'No-bank-has-ever-given-this-code-to-anybody'

const misdirected = scenario(
  'code exchanges with a code or a redirect_uri that is wrong or missing',
  { effect: 'consent', as: 'each', authorizations: 6, needs: ['customer'] },
  async ({ app, profile }) => {
    const [first, second] = app.profile.redirectUris
    const before = await app.exchangeFreshCode()
    // A grant whose code is never sent, and so still good when it is left out.
    const grant = await app.grant()
    const withCode = (code: string) => app.exchangeCode(grant, change.form('code', code))
    const withUri = (uri: string) => app.exchangeFreshCode(change.form('redirect_uri', uri))
    return {
      errorPath: profile.operations.token.errorCode,
      before,
      madeUp: await withCode(MADE_UP),
      altered: await withCode(tampered(grant.code, 'changed', 0.5)),
      cut: await withCode(tampered(grant.code, 'cut', 1)),
      longer: await withCode(tampered(grant.code, 'added', 1)),
      missingCode: await app.exchangeCode(grant, change.noForm('code')),
      emptyCode: await withCode(''),
      // An application that has registered one alone is asked for one that it has not.
      otherUri: await withUri(second?.uri ?? 'https://elsewhere.example/callback'),
      longerUri: await withUri(`${first?.uri ?? ''}x`),
      missingUri: await app.exchangeFreshCode(change.noForm('redirect_uri')),
      after: await app.exchangeFreshCode(),
    }
  },
)

type Misdirected = Observed<Awaited<ReturnType<typeof misdirected.act>>>

check(TOK.unknownCodeIsRefused, misdirected, ({ before, after, madeUp, altered, cut, longer }) => {
  isRefusedBetween({ before, changed: madeUp, after }, 'the bank never issued its code')
  isRefusedBetween({ before, changed: altered, after }, 'a character of its code is another one')
  isRefusedBetween({ before, changed: cut, after }, 'its code lacks its end')
  isRefusedBetween({ before, changed: longer, after }, 'its code is longer than the one issued')
})

check(TOK.missingCodeIsRefused, misdirected, ({ before, missingCode, emptyCode, after }) => {
  isRefusedBetween({ before, changed: missingCode, after }, 'it has no code')
  isRefusedBetween({ before, changed: emptyCode, after }, 'its code is empty')
})

check(TOK.anotherRedirectUriIsRefused, misdirected, ({ before, after, otherUri, longerUri }) => {
  isRefusedBetween({ before, changed: otherUri, after }, 'its redirect_uri is another one')
  isRefusedBetween({ before, changed: longerUri, after }, 'its redirect_uri is longer by a character')
})

check(TOK.missingRedirectUriIsRefused, misdirected, ({ before, missingUri, after }) =>
  isRefusedBetween({ before, changed: missingUri, after }, 'it has no redirect_uri'),
)

const invalidOnes = (record: Misdirected) => {
  const { before, madeUp, altered, cut, longer, otherUri, longerUri } = record
  return refusedAfter(before, [madeUp, altered, cut, longer, otherUri, longerUri])
}

const misdirectedOnes = (record: Misdirected) => {
  const { before, missingCode, emptyCode, missingUri } = record
  return [...invalidOnes(record), ...refusedAfter(before, [missingCode, emptyCode, missingUri])]
}

check(TOK.refusalHasStatus400, misdirected, (record) => {
  for (const { status } of misdirectedOnes(record)) status.equals(400)
})

check(TOK.refusalNamesAnError, misdirected, (record) => {
  for (const refusal of misdirectedOnes(record)) namesAnError(refusal, record.errorPath)
})

check(TOK.invalidCodeIsAnInvalidGrant, misdirected, (record) => {
  for (const refusal of invalidOnes(record)) saysWhatIsWrong(refusal, record.errorPath, 'invalid_grant')
})

check(TOK.missingParameterIsAnInvalidRequest, misdirected, ({ before, missingCode, errorPath }) => {
  for (const refusal of refusedAfter(before, [missingCode]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_request')
})

check(TOK.refusalRepeatsNoSecret, misdirected, (record) => {
  for (const refusal of misdirectedOnes(record)) hidesItsSecrets(refusal)
})

describeRefusals(misdirected, ({ errorPath, madeUp, missingCode, otherUri, missingUri }) => ({
  errorPath,
  refused: {
    'an unknown code': madeUp,
    'no code': missingCode,
    'another redirect_uri': otherUri,
    'no redirect_uri': missingUri,
  },
}))

const malformed = scenario(
  'token requests that are no code exchange',
  { effect: 'consent', as: 'any', authorizations: 7, needs: ['customer'] },
  async ({ app, profile }) => {
    const twice = async (name: 'code' | 'redirectUri', parameter: string) => {
      const grant = await app.grant()
      return app.exchangeCode(grant, change.formTwice(parameter, grant[name]))
    }
    const exchange = (changed?: Change) => app.exchangeFreshCode(changed)
    return {
      errorPath: profile.operations.token.errorCode,
      before: await exchange(),
      unknownGrantType: await exchange(change.form('grant_type', 'authorization_codes')),
      missingGrantType: await exchange(change.noForm('grant_type')),
      byGet: await exchange(change.formAsQuery),
      codeTwice: await twice('code', 'code'),
      redirectUriTwice: await twice('redirectUri', 'redirect_uri'),
      after: await exchange(),
    }
  },
)

type Malformed = Observed<Awaited<ReturnType<typeof malformed.act>>>

check(TOK.unknownGrantTypeIsRefused, malformed, ({ before, unknownGrantType, after }) =>
  isRefusedBetween({ before, changed: unknownGrantType, after }, 'nobody has defined its grant_type'),
)

check(TOK.missingGrantTypeIsRefused, malformed, ({ before, missingGrantType, after }) =>
  isRefusedBetween({ before, changed: missingGrantType, after }, 'it has no grant_type'),
)

check(TOK.nothingIsIssuedByGet, malformed, ({ before, byGet, after }) =>
  isRefusedBetween({ before, changed: byGet, after }, 'token requests use the method POST'),
)

check(TOK.repeatedParameterIsRefused, malformed, ({ before, codeTwice, redirectUriTwice, after }) => {
  isRefusedBetween({ before, changed: codeTwice, after }, 'its code stands twice')
  isRefusedBetween({ before, changed: redirectUriTwice, after }, 'its redirect_uri stands twice')
})

const malformedOnes = ({ before, unknownGrantType, missingGrantType }: Malformed) =>
  refusedAfter(before, [unknownGrantType, missingGrantType])

check(TOK.refusalHasStatus400, malformed, (record) => {
  for (const { status } of malformedOnes(record)) status.equals(400)
})

check(TOK.refusalNamesAnError, malformed, (record) => {
  for (const refusal of malformedOnes(record)) namesAnError(refusal, record.errorPath)
})

check(TOK.unknownGrantTypeIsUnsupported, malformed, ({ before, unknownGrantType, errorPath }) => {
  for (const refusal of refusedAfter(before, [unknownGrantType]))
    saysWhatIsWrong(refusal, errorPath, 'unsupported_grant_type')
})

check(TOK.missingParameterIsAnInvalidRequest, malformed, ({ before, missingGrantType, errorPath }) => {
  for (const refusal of refusedAfter(before, [missingGrantType]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_request')
})

check(TOK.refusalRepeatsNoSecret, malformed, (record) => {
  for (const refusal of malformedOnes(record)) hidesItsSecrets(refusal)
})

describeRefusals(malformed, ({ errorPath, unknownGrantType, missingGrantType, byGet }) => ({
  errorPath,
  refused: { 'an unknown grant_type': unknownGrantType, 'no grant_type': missingGrantType, GET: byGet },
}))

/** A word that stands in no interface. */
const UNKNOWN_WORD = 'NO_SCOPE_OF_THIS_BANK'

const consentOf = async ({ app, profile }: Session) => {
  const consentId = await app.consent()
  const { accounts } = profile.scopes
  return consentId === undefined ? { scope: accounts } : { consentId, scope: `${accounts}:${consentId}` }
}

const unknownWord = scenario(
  'a grant of a scope with an unknown word',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer'] },
  async (session) => {
    const { scope, ...consent } = await consentOf(session)
    return session.app.attemptGrant({ ...consent, scope: `${scope} ${UNKNOWN_WORD}` })
  },
)

check(TOK.scopeIsNamedWhenItDiffers, unknownWord, ({ landing, exchange }) => {
  if (exchange === undefined) return landing.isRefused('its scope has an unknown word')
  if (!exchange.accepted) return exchange.isRefused('its scope has an unknown word')
  const scope = exchange.body.field('scope')
  scope.isPresent()
  scope.differsFrom('', 'an empty string')
})

const widening = scenario(
  'a code exchange with the scope of another consent',
  { effect: 'consent', as: 'TPP', authorizations: 4, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => {
    const listOf = async (exchange: Exchange) => app.listAccounts(app.tokensIn(exchange).accessToken ?? '')
    const theirs = await app.tokens({ customer: otherCustomer })
    const theirList = await app.listAccounts(theirs.accessToken)
    const before = await app.exchangeFreshCode()
    const myList = await listOf(before)
    const grant = await app.grant()
    const widened = await app.exchangeCode(grant, change.form('scope', theirs.scope))
    const widenedList = await listOf(widened)
    const after = await app.exchangeFreshCode()
    const scopes = { mine: grant.scope, theirs: theirs.scope }
    return { scopes, theirList, before, myList, widened, widenedList, after }
  },
)

type Widening = Observed<Awaited<ReturnType<typeof widening.act>>>

/** The accounts of the other customer that the own one has not. */
const foreignAccountsOf = ({ scopes, theirList, before, myList }: Widening): readonly unknown[] => {
  if (!before.accepted || !myList.accepted || !theirList.accepted)
    throw new NotReached('a code exchange within the granted scope, or a list of accounts, was not answered')
  const mine = new Set(myList.body.everywhere('accountId'))
  const foreign = theirList.body.everywhere('accountId').filter((account) => !mine.has(account))
  if (foreign.length === 0 || scopes.mine === scopes.theirs)
    throw new NotReached('the consents of both customers cannot be told apart')
  return foreign
}

check(TOK.exchangeDoesNotWidenTheScope, widening, (record) => {
  const { scopes, widened, widenedList, after } = record
  const foreign = foreignAccountsOf(record)
  if (widened.accepted) {
    const scope = widened.body.field('scope')
    const words = typeof scope.value === 'string' ? scope.value.split(' ') : []
    scope.satisfies(!words.includes(scopes.theirs), 'no scope but the one that the user granted')
    const seen = widenedList.body.everywhere('accountId')
    const isForeign = seen.some((account) => foreign.includes(account))
    widenedList.body.text.satisfies(!isForeign, 'no account of another consent')
  } else widened.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the exchange within the granted scope was not accepted again')
})
