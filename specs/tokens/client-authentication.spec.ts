import { check, isAcceptedToo, isChallenged } from '../../harness/check/index.ts'
import { change, scenario, type Change } from '../../harness/session/index.ts'
import { exchangesOfOneCode } from './token-requests.ts'
import { checkError, checkRefusalForm, checkRefusals, hidesItsSecrets } from './refusals.ts'
import { checkRefused } from '../shared/refused.ts'
import { TOK } from './requirements.ts'

const clientIdInTheForm =
  (clientId: string): Change =>
  (request) =>
    change.form('client_id', clientId)(change.noHeader('Authorization')(request))

const unproved = scenario(
  'code exchanges without a valid client authentication',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer'] },
  async ({ app, profile }) => {
    const { clientId, clientSecret } = app.profile
    const before = await app.exchangeFreshCode()
    const { changed, after } = await exchangesOfOneCode(app, {
      withALongerSecret: () => change.basic(clientId, `${clientSecret}x`),
      ofAnUnknownClient: () => change.basic(`${clientId}-unknown`, clientSecret),
      without: () => change.noHeader('Authorization'),
      withoutASecret: () => clientIdInTheForm(clientId),
    })
    return { errorPath: profile.operations.token.errorCode, before, ...changed, after }
  },
)

checkRefused(TOK.wrongSecretIsRefused, unproved, { withALongerSecret: 'its secret is longer by a character' })
checkRefused(TOK.unknownClientIsRefused, unproved, { ofAnUnknownClient: 'no client has its client_id' })
checkRefused(TOK.missingClientAuthenticationIsRefused, unproved, {
  without: 'it has no client authentication',
  withoutASecret: 'a client_id in the form does not authenticate the client',
})

const WRONG_BASIC = ['withALongerSecret', 'ofAnUnknownClient'] as const

checkRefusalForm(unproved, [...WRONG_BASIC, 'without', 'withoutASecret'], { has400: false })
checkError(
  TOK.failedClientAuthenticationIsAnInvalidClient,
  unproved,
  [...WRONG_BASIC, 'without'],
  'invalid_client',
)

checkRefusals(TOK.failedClientAuthenticationHasStatus401, unproved, WRONG_BASIC, ({ status }) =>
  status.equals(401),
)
checkRefusals(TOK.failedClientAuthenticationIsChallenged, unproved, WRONG_BASIC, (refusal) =>
  isChallenged(refusal, 'Basic'),
)

const twoClients = scenario(
  'code exchanges of two applications',
  { effect: 'consent', as: 'each', authorizations: 5, needs: ['customer', 'second-application'] },
  async (session) => {
    const { app, other } = session
    const { clientId } = other.profile
    const { clientSecret } = app.profile
    const [first, second] = [() => app.exchangeFreshCode(), () => other.exchangeFreshCode()]
    const ofTheFirst = await session.alike(second, first)
    const own = await session.alike(first, second)
    return {
      errorPath: session.profile.operations.token.errorCode,
      ofTheFirst,
      own,
      before: own.changed,
      stolen: await other.exchangeCode(await app.grant()),
      withAnotherSecret: await other.exchangeFreshCode(change.basic(clientId, clientSecret)),
      after: await other.exchangeFreshCode(),
    }
  },
)

check(TOK.basicAuthenticationIsAccepted, twoClients, ({ ofTheFirst, own }) => {
  isAcceptedToo(ofTheFirst, 'its Basic header has client_id and secret of the first application')
  isAcceptedToo(own, 'its Basic header has client_id and secret of the second application')
})

checkRefused(TOK.wrongSecretIsRefused, twoClients, {
  withAnotherSecret: 'its secret is that of another client',
})
checkRefused(TOK.anotherClientsCodeIsRefused, twoClients, {
  stolen: 'its code was issued to another client',
})
checkError(TOK.invalidCodeIsAnInvalidGrant, twoClients, ['stolen'], 'invalid_grant')
checkRefusals(TOK.refusalRepeatsNoSecret, twoClients, ['stolen'], hidesItsSecrets)
