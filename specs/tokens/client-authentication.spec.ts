import {
  check,
  isAcceptedToo,
  isChallenged,
  isRefusedBetween,
  type RecordOf,
} from '../../harness/check/index.ts'
import { change, scenario, type Change } from '../../harness/session/index.ts'
import { exchangesOfOneCode } from './token-requests.ts'
import { checkRefusalForm, hidesItsSecrets, refusedAfter, saysWhatIsWrong } from './refusals.ts'
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

check(TOK.wrongSecretIsRefused, unproved, ({ before, withALongerSecret, after }) =>
  isRefusedBetween({ before, changed: withALongerSecret, after }, 'its secret is longer by a character'),
)

check(TOK.unknownClientIsRefused, unproved, ({ before, ofAnUnknownClient, after }) =>
  isRefusedBetween({ before, changed: ofAnUnknownClient, after }, 'no client has its client_id'),
)

check(TOK.missingClientAuthenticationIsRefused, unproved, ({ before, without, withoutASecret, after }) => {
  isRefusedBetween({ before, changed: without, after }, 'it has no client authentication')
  isRefusedBetween(
    { before, changed: withoutASecret, after },
    'a client_id in the form does not authenticate the client',
  )
})

type Unproved = RecordOf<typeof unproved>

const withWrongBasic = ({ before, withALongerSecret, ofAnUnknownClient }: Unproved) =>
  refusedAfter(before, [withALongerSecret, ofAnUnknownClient])

const allOf = (record: Unproved) => {
  const { before, withALongerSecret, ofAnUnknownClient, without, withoutASecret } = record
  return refusedAfter(before, [withALongerSecret, ofAnUnknownClient, without, withoutASecret])
}

checkRefusalForm(unproved, allOf, { has400: false })

check(TOK.failedClientAuthenticationHasStatus401, unproved, (record) => {
  for (const { status } of withWrongBasic(record)) status.equals(401)
})

check(TOK.failedClientAuthenticationIsChallenged, unproved, (record) => {
  for (const refusal of withWrongBasic(record)) isChallenged(refusal, 'Basic')
})

check(TOK.failedClientAuthenticationIsAnInvalidClient, unproved, (record) => {
  const { before, without } = record
  for (const refusal of [...withWrongBasic(record), ...refusedAfter(before, [without])])
    saysWhatIsWrong(refusal, record.errorPath, 'invalid_client')
})

const twoClients = scenario(
  'code exchanges of two applications',
  { effect: 'consent', as: 'each', authorizations: 5, needs: ['customer', 'second-application'] },
  async (session) => {
    const { app, other } = session
    const { clientId } = other.profile
    const { clientSecret } = app.profile
    const [first, second] = [() => app.exchangeFreshCode(), () => other.exchangeFreshCode()]
    return {
      errorPath: session.profile.operations.token.errorCode,
      ofTheFirst: await session.alike(second, first),
      own: await session.alike(first, second),
      stolen: await other.exchangeCode(await app.grant()),
      withAnotherSecret: await other.exchangeFreshCode(change.basic(clientId, clientSecret)),
      ownAgain: await other.exchangeFreshCode(),
    }
  },
)

check(TOK.basicAuthenticationIsAccepted, twoClients, ({ ofTheFirst, own }) => {
  isAcceptedToo(ofTheFirst, 'its Basic header has client_id and secret of the first application')
  isAcceptedToo(own, 'its Basic header has client_id and secret of the second application')
})

check(TOK.wrongSecretIsRefused, twoClients, ({ own, withAnotherSecret, ownAgain }) =>
  isRefusedBetween(
    { before: own.changed, changed: withAnotherSecret, after: ownAgain },
    'its secret is that of another client',
  ),
)

check(TOK.anotherClientsCodeIsRefused, twoClients, ({ own, stolen, ownAgain }) =>
  isRefusedBetween(
    { before: own.changed, changed: stolen, after: ownAgain },
    'its code was issued to another client',
  ),
)

check(TOK.invalidCodeIsAnInvalidGrant, twoClients, ({ own, stolen, errorPath }) => {
  for (const refusal of refusedAfter(own.changed, [stolen]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_grant')
})

check(TOK.refusalRepeatsNoSecret, twoClients, ({ own, stolen }) => {
  for (const refusal of refusedAfter(own.changed, [stolen])) hidesItsSecrets(refusal)
})
