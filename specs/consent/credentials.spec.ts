import { check, factsOf, isRefusedBetween, NotReached, refusalOf } from '../../harness/check/index.ts'
import { basic, change, scenario } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { wrongSecrets } from '../shared/values.ts'
import { checkRefused } from '../shared/refused.ts'
import { CON } from './requirements.ts'

const withWrongSecrets = scenario(
  'consent requests with wrong secrets',
  { effect: 'consent', as: 'TPP' },
  async ({ app, random }) => {
    const { clientId, clientSecret } = app.profile
    const another = { value: `not-the-secret-${random.uuid()}`, because: 'the secret is another one' }
    // The right secret at the other endpoint, too, which a bank may remember.
    await app.refresh({ refreshToken: random.uuid() })
    const before = await app.createConsent()
    const sent = []
    for (const { value, because } of [another, ...wrongSecrets(clientSecret)]) {
      const answer = await app.createConsent(change.basic(clientId, value))
      // The right one in between: many banks lock a client after a few wrong ones.
      sent.push({ value, because, answer, between: await app.createConsent() })
    }
    return { clientId, before, sent, after: await app.createConsent() }
  },
)

check(CON.wrongSecretIsRefused, withWrongSecrets, ({ before, sent, after }) => {
  for (const { answer, because } of sent) isRefusedBetween({ before, changed: answer, after }, because)
})

const crossed = scenario(
  'a consent request with the secret of another application',
  { effect: 'consent', as: 'TPP', needs: ['second-application'] },
  async (session) => {
    const { app, other } = session
    return session.between(
      () => app.createConsent(),
      () => app.createConsent(change.basic(app.profile.clientId, other.profile.clientSecret)),
    )
  },
)

checkRefused(CON.wrongSecretIsRefused, crossed, { changed: 'the secret is that of another client' })

const inBase64 = (text: string): string => Buffer.from(text).toString('base64')

const otherCredentials = scenario(
  'consent requests with credentials that no TPP has',
  { effect: 'consent', as: 'TPP' },
  async ({ app, random }) => {
    const { clientId, clientSecret } = app.profile
    const authorized = (value: string) => app.createConsent(change.header('Authorization', value))
    return {
      clientSecret,
      before: await app.createConsent(),
      ofAnUnknownClient: await authorized(basic(`nobody-${random.uuid()}`, clientSecret)),
      ofALongerName: await authorized(basic(`${clientId}x`, clientSecret)),
      ofAShorterName: await authorized(basic(clientId.slice(0, -1), clientSecret)),
      without: await app.createConsent(change.noHeader('Authorization')),
      afterBearer: await authorized(basic(clientId, clientSecret).replace('Basic', 'Bearer')),
      ofTheClientAlone: await authorized(`Basic ${inBase64(clientId)}`),
      joinedByNothing: await authorized(`Basic ${inBase64(clientId + clientSecret.replaceAll(':', ''))}`),
      after: await app.createConsent(),
    }
  },
)

checkRefused(CON.unknownClientIsRefused, otherCredentials, {
  ofAnUnknownClient: 'no client has this client_id',
  ofALongerName: 'the client_id is longer by a character',
  ofAShorterName: 'the client_id lacks its last character',
})
checkRefused(CON.missingCredentialsAreRefused, otherCredentials, { without: 'it carries no credentials' })
checkRefused(CON.anotherSchemeIsRefused, otherCredentials, { afterBearer: 'Bearer is not Basic' })
checkRefused(CON.valueWithoutColonIsRefused, otherCredentials, {
  ofTheClientAlone: 'the value is the client_id alone',
  joinedByNothing: 'the value holds no colon',
})

const ofAFac = scenario(
  'a consent request of a FAC',
  { effect: 'consent', as: 'TPP', authorizations: 1, needs: ['both-kinds', 'customer'] },
  async (session) => {
    const { app } = session
    const fac = session.applicationOf('FAC')
    const { clientId, clientSecret } = fac.profile
    return {
      own: await fac.attemptGrant(),
      attempts: await session.between(
        () => app.createConsent(),
        () => app.createConsent(change.basic(clientId, clientSecret)),
      ),
    }
  },
)

check(CON.finalApiConsumerGetsNoConsent, ofAFac, ({ own, attempts }) => {
  if (own.exchange?.accepted !== true)
    throw new NotReached('the credentials of the FAC gave no tokens, so a refusal may be due to them')
  isRefusedBetween(attempts, 'consents are for TPPs only')
})

/** Those of the requests that were refused. */
const refusedOf = (requests: readonly ObservedExchange[]): readonly ObservedExchange[] => {
  const refused = requests.filter(({ accepted }) => !accepted)
  if (refused.length === 0) throw new NotReached('no request was refused')
  return refused.map(refusalOf)
}

/** @throws NotReached where no consent is given: a target that gives every request the same page has not refused these credentials. */
const areGiven = (control: ObservedExchange): void => {
  if (!control.accepted)
    throw new NotReached('the request with the right credentials was not accepted either')
}

const haveNoSuccessStatus = (control: ObservedExchange, requests: readonly ObservedExchange[]): void => {
  areGiven(control)
  for (const { status } of refusedOf(requests))
    status.satisfies(Number(status.value) >= 300, 'a status that is no success')
}

check(CON.refusalHasNoSuccessStatus, withWrongSecrets, ({ before, sent }) =>
  haveNoSuccessStatus(
    before,
    sent.map(({ answer }) => answer),
  ),
)

check(CON.refusalHasNoSuccessStatus, otherCredentials, (record) => {
  const { before, ofAnUnknownClient, without, afterBearer, ofTheClientAlone, joinedByNothing } = record
  haveNoSuccessStatus(before, [ofAnUnknownClient, without, afterBearer, ofTheClientAlone, joinedByNothing])
})

check(CON.refusalHasNoSuccessStatus, ofAFac, ({ attempts }) =>
  haveNoSuccessStatus(attempts.before, [attempts.changed]),
)

check(CON.refusalRepeatsNoSecret, withWrongSecrets, ({ clientId, before, sent }) => {
  areGiven(before)
  for (const { value, answer } of sent.filter((one) => factsOf(one.value).length > 0)) {
    const refusal = refusalOf(answer)
    refusal.hides(value, 'the secret that was sent')
    refusal.hides(`${clientId}:${value}`, 'the credentials that were sent')
  }
})

check(CON.refusalRepeatsNoSecret, otherCredentials, ({ clientSecret, before, ofAnUnknownClient }) => {
  areGiven(before)
  refusalOf(ofAnUnknownClient).hides(clientSecret, 'the secret that was sent')
})
