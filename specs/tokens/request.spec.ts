import { check, endOf, isRefusedBetween } from '../../harness/check/index.ts'
import { change, scenario, tampered, type Grant, type Session } from '../../harness/session/index.ts'
import { checkRefused } from '../shared/refused.ts'
import { granting } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'
import { exchangesOfOneCode } from './token-requests.ts'
import { checkError, checkRefusalForm, describeRefusals } from './refusals.ts'

/** As long as 256 bits in base64, and of the same characters. */
const MADE_UP = 'No-bank-has-ever-given-this-code-to-anybody'

const misdirected = scenario(
  'code exchanges with a code or a redirect_uri that is wrong or missing',
  granting(2),
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

checkRefused(TOK.unknownCodeIsRefused, misdirected, {
  madeUp: 'the bank never issued its code',
  altered: 'a character of its code is another one',
  cut: 'its code lacks its end',
  longer: 'its code is longer than the one issued',
})
checkRefused(TOK.missingCodeIsRefused, misdirected, {
  missingCode: 'it has no code',
  emptyCode: 'its code is empty',
})
checkRefused(TOK.anotherRedirectUriIsRefused, misdirected, {
  otherUri: 'its redirect_uri is another one',
  longerUri: 'its redirect_uri is longer by a character',
})
checkRefused(TOK.missingRedirectUriIsRefused, misdirected, { missingUri: 'it has no redirect_uri' })

const INVALID = ['madeUp', 'altered', 'cut', 'longer', 'otherUri', 'longerUri'] as const

checkRefusalForm(misdirected, [...INVALID, 'missingCode', 'emptyCode', 'missingUri'])
checkError(TOK.invalidCodeIsAnInvalidGrant, misdirected, INVALID, 'invalid_grant')
checkError(TOK.missingParameterIsAnInvalidRequest, misdirected, ['missingCode'], 'invalid_request')

describeRefusals(misdirected, {
  madeUp: 'an unknown code',
  missingCode: 'no code',
  otherUri: 'another redirect_uri',
  missingUri: 'no redirect_uri',
})

const malformed = scenario(
  'token requests that are no code exchange',
  granting(5),
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

checkRefused(TOK.unknownGrantTypeIsRefused, malformed, { unknownGrantType: 'its grant_type is not defined' })
checkRefused(TOK.missingGrantTypeIsRefused, malformed, { missingGrantType: 'it has no grant_type' })
checkRefused(TOK.nothingIsIssuedByGet, malformed, { byGet: 'token requests use the method POST' })
checkRefused(TOK.repeatedParameterIsRefused, malformed, {
  codeTwice: 'it has its code twice',
  redirectUriTwice: 'it has its redirect_uri twice',
})

checkRefusalForm(malformed, ['unknownGrantType', 'missingGrantType'])
checkError(TOK.unknownGrantTypeIsUnsupported, malformed, ['unknownGrantType'], 'unsupported_grant_type')
checkError(TOK.missingParameterIsAnInvalidRequest, malformed, ['missingGrantType'], 'invalid_request')

describeRefusals(malformed, {
  unknownGrantType: 'an unknown grant_type',
  missingGrantType: 'no grant_type',
  byGet: 'GET',
})

/** A word that no authorization server defines. */
const UNKNOWN_WORD = 'NO_SCOPE_OF_THIS_BANK'

const consentOf = async ({ app, profile }: Session) => {
  const consentId = await app.consent()
  const { accounts } = profile.scopes
  return consentId === undefined ? { scope: accounts } : { consentId, scope: `${accounts}:${consentId}` }
}

const unknownWord = scenario('a grant of a scope with an undefined word', granting(3), async (session) => {
  const { app } = session
  const before = await app.attemptGrant()
  const { scope, ...consent } = await consentOf(session)
  const changed = await app.attemptGrant({ ...consent, scope: `${scope} ${UNKNOWN_WORD}` })
  return { before, changed, after: await app.attemptGrant() }
})

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
