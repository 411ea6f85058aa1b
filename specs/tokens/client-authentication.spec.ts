import { constantFrom } from 'fast-check'
import { check, isAcceptedToo, isChallenged, isRefusedBetween } from '../../harness/check/index.ts'
import { change, property, scenario } from '../../harness/session/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import type { Change } from '../../harness/session/index.ts'
import {
  hidesItsSecrets,
  namesAnError,
  refusedAfter,
  saysWhatIsWrong,
  WRONG_SECRETS,
} from './token-requests.ts'
import { TOK } from './requirements.ts'

const HOWS = ['empty', 'cut', 'recased'] as const

const wrongSecret = property(
  'a code exchange with a wrong secret',
  { effect: 'consent', as: 'any', authorizations: 3, needs: ['customer'] },
  constantFrom(...HOWS),
  async (session, how) => {
    const { app } = session
    const { clientId, clientSecret } = app.profile
    return session.between(
      () => app.exchangeFreshCode(),
      () => app.exchangeFreshCode(change.basic(clientId, WRONG_SECRETS[how](clientSecret))),
    )
  },
)

check(TOK.wrongSecretIsRefused, wrongSecret, (attempts, how) =>
  isRefusedBetween(attempts, `its secret is wrong (${how})`),
)

const clientIdInTheForm =
  (clientId: string): Change =>
  (request) =>
    change.form('client_id', clientId)(change.noHeader('Authorization')(request))

const unproved = scenario(
  'code exchanges that do not prove who sends them',
  { effect: 'consent', as: 'each', authorizations: 6, needs: ['customer'] },
  async ({ app, profile }) => {
    const { clientId, clientSecret } = app.profile
    const exchange = (changed?: Change) => app.exchangeFreshCode(changed)
    return {
      errorPath: profile.operations.token.errorCode,
      before: await exchange(),
      withALongerSecret: await exchange(change.basic(clientId, `${clientSecret}x`)),
      ofAnUnknownClient: await exchange(change.basic(`${clientId}-unknown`, clientSecret)),
      without: await exchange(change.noHeader('Authorization')),
      withoutASecret: await exchange(clientIdInTheForm(clientId)),
      after: await exchange(),
    }
  },
)

check(TOK.wrongSecretIsRefused, unproved, ({ before, withALongerSecret, after }) =>
  isRefusedBetween({ before, changed: withALongerSecret, after }, 'its secret is longer by a character'),
)

check(TOK.unknownClientIsRefused, unproved, ({ before, ofAnUnknownClient, after }) =>
  isRefusedBetween({ before, changed: ofAnUnknownClient, after }, 'nobody has its client_id'),
)

check(TOK.missingClientAuthenticationIsRefused, unproved, ({ before, without, withoutASecret, after }) => {
  isRefusedBetween({ before, changed: without, after }, 'the client does not say who it is')
  isRefusedBetween({ before, changed: withoutASecret, after }, 'a client_id in the form proves nothing')
})

type Unproved = Observed<Awaited<ReturnType<typeof unproved.act>>>

const withWrongBasic = ({ before, withALongerSecret, ofAnUnknownClient }: Unproved) =>
  refusedAfter(before, [withALongerSecret, ofAnUnknownClient])

const allOf = (record: Unproved) => {
  const { before, withALongerSecret, ofAnUnknownClient, without, withoutASecret } = record
  return refusedAfter(before, [withALongerSecret, ofAnUnknownClient, without, withoutASecret])
}

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

check(TOK.refusalNamesAnError, unproved, (record) => {
  for (const refusal of allOf(record)) namesAnError(refusal, record.errorPath)
})

check(TOK.refusalRepeatsNoSecret, unproved, (record) => {
  for (const refusal of allOf(record)) hidesItsSecrets(refusal)
})

const twoClients = scenario(
  'code exchanges of two applications',
  { effect: 'consent', as: 'each', authorizations: 4, needs: ['customer', 'second-application'] },
  async (session) => {
    const { app, other } = session
    const { clientId } = other.profile
    const { clientSecret } = app.profile
    return {
      errorPath: session.profile.operations.token.errorCode,
      own: await session.alike(
        () => app.exchangeFreshCode(),
        () => other.exchangeFreshCode(),
      ),
      stolen: await other.exchangeCode(await app.grant()),
      withAnotherSecret: await other.exchangeFreshCode(change.basic(clientId, clientSecret)),
      ownAgain: await other.exchangeFreshCode(),
    }
  },
)

check(TOK.basicAuthenticationIsAccepted, twoClients, ({ own }) =>
  isAcceptedToo(own, 'its Basic header has client_id and secret of the second application'),
)

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
