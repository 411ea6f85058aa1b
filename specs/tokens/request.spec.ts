import {
  check,
  endOf,
  isAccepted,
  isRefusedBetween,
  NotReached,
  type Exchange,
  type RecordOf,
} from '../../harness/check/index.ts'
import { change, scenario, tampered, type Grant, type Session } from '../../harness/session/index.ts'
import { accountsOfTheSecondOnly, hasOneOf } from '../shared/account-steps.ts'
import { TOK } from './requirements.ts'
import { exchangesOfOneCode } from './token-requests.ts'
import { checkRefusalForm, describeRefusals, refusedAfter, saysWhatIsWrong } from './refusals.ts'

/** As long as 256 bits in base64, and of the same characters. */
const MADE_UP = 'No-bank-has-ever-given-this-code-to-anybody'

const misdirected = scenario(
  'code exchanges with a code or a redirect_uri that is wrong or missing',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer'] },
  async ({ app, profile }) => {
    const [first, second] = app.profile.redirectUris
    const code = (changed: (code: string) => string) => (grant: Grant) =>
      change.form('code', changed(grant.code))
    const uri = (value: string) => () => change.form('redirect_uri', value)
    const before = await app.exchangeFreshCode()
    const { changed, after } = await exchangesOfOneCode(app, {
      madeUp: code(() => MADE_UP),
      altered: code((value) => tampered(value, 'changed', 0.5)),
      cut: code((value) => tampered(value, 'cut', 1)),
      longer: code((value) => tampered(value, 'added', 1)),
      missingCode: () => change.noForm('code'),
      emptyCode: code(() => ''),
      // With one registered address, another one that is not registered.
      otherUri: uri(second?.uri ?? 'https://elsewhere.example/callback'),
      longerUri: uri(`${first?.uri ?? ''}x`),
      missingUri: () => change.noForm('redirect_uri'),
    })
    return { errorPath: profile.operations.token.errorCode, before, ...changed, after }
  },
)

type Misdirected = RecordOf<typeof misdirected>

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

checkRefusalForm(misdirected, misdirectedOnes)

check(TOK.invalidCodeIsAnInvalidGrant, misdirected, (record) => {
  for (const refusal of invalidOnes(record)) saysWhatIsWrong(refusal, record.errorPath, 'invalid_grant')
})

check(TOK.missingParameterIsAnInvalidRequest, misdirected, ({ before, missingCode, errorPath }) => {
  for (const refusal of refusedAfter(before, [missingCode]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_request')
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
  { effect: 'consent', as: 'each', authorizations: 5, needs: ['customer'] },
  async ({ app, profile }) => {
    const twice = async (name: 'code' | 'redirectUri', parameter: string) => {
      const grant = await app.grant()
      return app.exchangeCode(grant, change.formTwice(parameter, grant[name]))
    }
    const before = await app.exchangeFreshCode()
    // A bank may accept these (a SHOULD): each has a code of its own.
    const byGet = await app.exchangeFreshCode(change.formAsQuery)
    const codeTwice = await twice('code', 'code')
    const redirectUriTwice = await twice('redirectUri', 'redirect_uri')
    const { changed, after } = await exchangesOfOneCode(app, {
      unknownGrantType: () => change.form('grant_type', 'authorization_codes'),
      missingGrantType: () => change.noForm('grant_type'),
    })
    const errorPath = profile.operations.token.errorCode
    return { errorPath, before, byGet, codeTwice, redirectUriTwice, ...changed, after }
  },
)

type Malformed = RecordOf<typeof malformed>

check(TOK.unknownGrantTypeIsRefused, malformed, ({ before, unknownGrantType, after }) =>
  isRefusedBetween({ before, changed: unknownGrantType, after }, 'its grant_type is not defined'),
)

check(TOK.missingGrantTypeIsRefused, malformed, ({ before, missingGrantType, after }) =>
  isRefusedBetween({ before, changed: missingGrantType, after }, 'it has no grant_type'),
)

check(TOK.nothingIsIssuedByGet, malformed, ({ before, byGet, after }) =>
  isRefusedBetween({ before, changed: byGet, after }, 'token requests use the method POST'),
)

check(TOK.repeatedParameterIsRefused, malformed, ({ before, codeTwice, redirectUriTwice, after }) => {
  isRefusedBetween({ before, changed: codeTwice, after }, 'it has its code twice')
  isRefusedBetween({ before, changed: redirectUriTwice, after }, 'it has its redirect_uri twice')
})

const malformedOnes = ({ before, unknownGrantType, missingGrantType }: Malformed) =>
  refusedAfter(before, [unknownGrantType, missingGrantType])

checkRefusalForm(malformed, malformedOnes)

check(TOK.unknownGrantTypeIsUnsupported, malformed, ({ before, unknownGrantType, errorPath }) => {
  for (const refusal of refusedAfter(before, [unknownGrantType]))
    saysWhatIsWrong(refusal, errorPath, 'unsupported_grant_type')
})

check(TOK.missingParameterIsAnInvalidRequest, malformed, ({ before, missingGrantType, errorPath }) => {
  for (const refusal of refusedAfter(before, [missingGrantType]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_request')
})

describeRefusals(malformed, ({ errorPath, unknownGrantType, missingGrantType, byGet }) => ({
  errorPath,
  refused: { 'an unknown grant_type': unknownGrantType, 'no grant_type': missingGrantType, GET: byGet },
}))

/** A word that no authorization server defines. */
const UNKNOWN_WORD = 'NO_SCOPE_OF_THIS_BANK'

const consentOf = async ({ app, profile }: Session) => {
  const consentId = await app.consent()
  const { accounts } = profile.scopes
  return consentId === undefined ? { scope: accounts } : { consentId, scope: `${accounts}:${consentId}` }
}

const unknownWord = scenario(
  'a grant of a scope with an undefined word',
  { effect: 'consent', as: 'each', authorizations: 3, needs: ['customer'] },
  async (session) => {
    const { app } = session
    const before = await app.attemptGrant()
    const { scope, ...consent } = await consentOf(session)
    const changed = await app.attemptGrant({ ...consent, scope: `${scope} ${UNKNOWN_WORD}` })
    return { before, changed, after: await app.attemptGrant() }
  },
)

check(TOK.scopeIsNamedWhenItDiffers, unknownWord, ({ before, changed, after }) => {
  const { exchange } = changed
  if (exchange?.accepted !== true) {
    const attempts = { before: endOf(before), changed: endOf(changed), after: endOf(after) }
    return isRefusedBetween(attempts, 'its scope has an undefined word')
  }
  const scope = exchange.body.field('scope')
  scope.isPresent()
  scope.differsFrom('', 'an empty string')
})

const widening = scenario(
  'a code exchange with the scope of another consent',
  { effect: 'consent', as: 'TPP', authorizations: 4, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => {
    const listOf = async (exchange: Exchange) => app.listAccounts(app.tokensIn(exchange).accessToken ?? '')
    const accountsIn = (list: Exchange) => (isAccepted(list) ? app.accounts('first').accountsIn(list) : [])
    const theirs = await app.tokens({ customer: otherCustomer })
    const theirList = await app.listAccounts(theirs.accessToken)
    const before = await app.exchangeFreshCode()
    const myList = await listOf(before)
    const grant = await app.grant()
    const widened = await app.exchangeCode(grant, change.form('scope', theirs.scope))
    const widenedList = await listOf(widened)
    const after = await app.exchangeFreshCode()
    const scopes = { mine: grant.scope, theirs: theirs.scope }
    const accounts = {
      mine: accountsIn(myList),
      theirs: accountsIn(theirList),
      widened: accountsIn(widenedList),
    }
    return { scopes, theirList, before, myList, widened, widenedList, accounts, after }
  },
)

type Widening = RecordOf<typeof widening>

/** The accounts of the other customer that the first one does not have. */
const foreignAccountsOf = ({ scopes, theirList, before, myList, accounts }: Widening) => {
  if (!before.accepted || !myList.accepted || !theirList.accepted)
    throw new NotReached('a code exchange within the granted scope, or a list of accounts, was not answered')
  if (scopes.mine === scopes.theirs) throw new NotReached('both consents have the same consentId')
  return accountsOfTheSecondOnly(accounts.mine, accounts.theirs)
}

check(TOK.exchangeDoesNotWidenTheScope, widening, (record) => {
  const { scopes, accounts, widened, widenedList, after } = record
  const foreign = foreignAccountsOf(record)
  if (widened.accepted) {
    const scope = widened.body.field('scope')
    const words = typeof scope.value === 'string' ? scope.value.split(' ') : []
    scope.satisfies(!words.includes(scopes.theirs), 'no scope but the one that the user granted')
    widenedList.body.text.satisfies(!hasOneOf(accounts.widened, foreign), 'no account of another consent')
  } else widened.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the exchange within the granted scope was not accepted again')
})
