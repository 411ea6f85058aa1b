import { check, isAccepted, NotReached, note, everyAnswer, inWholeRun } from '../../harness/check/index.ts'
import { basic, change, scenario, type Application, type Change } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { CON } from './requirements.ts'

/** How a request of a known client is refused, whatever is in it. */
const MAY_BE_FOR_A_FAC: ReadonlySet<number | undefined> = new Set([400, 403, 409, 422])

/**
 * A consent request. If it is refused, a refresh with an invented token follows: a bank that knows the client refuses
 * the token alone (RFC 6749 §5.2), which shows that the refusal is not for a wrong secret in the profile; and where the
 * application may be refused as such, an authorization without a consent: a bank that lets it begin takes it for a FAC.
 */
const createConsent = async (app: Application) => {
  const consent = await app.createConsent()
  if (isAccepted(consent)) return consent
  await app.refresh({ refreshToken: 'no-such-token' })
  if (MAY_BE_FOR_A_FAC.has(consent.response?.status)) await app.askForAuthorization({})
  return consent
}

const DOCUMENTED_HEADER = 'x-request-id'

const withHeaderInsteadOf =
  (name: string, value: string): Change =>
  (request) =>
    change.header(DOCUMENTED_HEADER, value)(change.noHeader(name)(request))

/** If a request is refused, the same request with one part changed shows whether that part is the cause. */
const creation = scenario(
  'a consent request',
  { effect: 'consent', as: 'TPP' },
  async ({ app, profile, random }) => {
    const { requestIdHeader } = profile.operations.createConsent
    const isDocumented = requestIdHeader.toLowerCase() === DOCUMENTED_HEADER
    const consent = await createConsent(app)
    return {
      consent,
      // The interface gives the name of the header, whatever the profile says.
      asDocumented: isDocumented
        ? consent
        : await app.createConsent(withHeaderInsteadOf(requestIdHeader, random.uuid())),
      withoutRequestId: await app.createConsent(change.noHeader(requestIdHeader)),
      withAShortRequestId: await app.createConsent(change.header(requestIdHeader, '1')),
      withBody: await app.createConsent(change.body('{}', 'application/json')),
    }
  },
)

const lowerCase = scenario(
  'a consent request with the scheme in lower case',
  { effect: 'consent', as: 'TPP' },
  async ({ app }) => {
    const { clientId, clientSecret } = app.profile
    const header = basic(clientId, clientSecret).replace('Basic', 'basic')
    return {
      before: await app.createConsent(),
      lowerCase: await app.createConsent(change.header('Authorization', header)),
    }
  },
)

check(CON.schemeIsMatchedInAnyCase, lowerCase, ({ before, lowerCase: consent }) => {
  if (!before.accepted) throw new NotReached('the request with the scheme Basic was refused')
  consent.isAccepted('basic is the scheme Basic')
})

const isSuccess = ({ status }: ObservedExchange): boolean => Number(status.value) < 300

/** The value at the place of the consentId. */
const consentIdOf = (consent: ObservedExchange) => {
  if (isSuccess(consent)) return consent.body.anywhere('consentId')
  consent.isRefused('it is no success')
  throw new NotReached('the consent request was refused')
}

const consentIdIn = (consent: ObservedExchange) => {
  const consentId = consentIdOf(consent)
  if (consentId.value === undefined || consentId.value === null || consentId.value === '')
    throw new NotReached('the answer has no consentId')
  return consentId
}

/** A success without a consentId is judged as such, and not as a refusal. */
const isGiven = (consent: ObservedExchange, because: string): void => {
  if (isSuccess(consent) && !consent.accepted)
    throw new NotReached('the consent request was answered without a consentId')
  consent.isAccepted(because)
}

check(CON.answerCarriesAConsentId, creation, ({ consent }) => {
  const consentId = consentIdOf(consent)
  consentId.isPresent()
  consentId.differsFrom('', 'an empty string')
})

const IS_OF_A_TPP =
  'its Basic header carries the client_id and the secret of a TPP, by the `kind` in the profile'

check(CON.basicHeaderIsAccepted, creation, ({ consent, ...changed }) => {
  const hasAnotherCause = !consent.accepted && Object.values(changed).some(({ accepted }) => accepted)
  if (hasAnotherCause)
    throw new NotReached('the consent request was refused for its X-Request-ID or its body')
  isGiven(consent, IS_OF_A_TPP)
  consent.takesPlainCredentials()
})

check(CON.requestIdHeaderIsAccepted, creation, (record) => {
  const { consent, asDocumented, withoutRequestId, withAShortRequestId } = record
  if (![consent, asDocumented, withoutRequestId, withAShortRequestId].some(({ accepted }) => accepted))
    throw new NotReached('the consent request was refused without this X-Request-ID as well')
  isGiven(asDocumented, 'it was accepted without this X-Request-ID')
})

check(CON.noBodyIsNeeded, creation, ({ consent, withBody }) => {
  if (!consent.accepted && !withBody.accepted)
    throw new NotReached('the consent request was refused with a body as well')
  isGiven(consent, 'it was accepted with a body')
})

const twoApplications = scenario(
  'consent requests of two applications',
  { effect: 'consent', as: 'TPP', needs: ['second-application'] },
  async ({ app, other }) => {
    const first = await createConsent(app)
    const later = []
    for (const one of [other, app, other, other, app]) later.push(await createConsent(one))
    return { first, later }
  },
)

check(CON.basicHeaderIsAccepted, twoApplications, ({ first, later }) => {
  if (!first.accepted) throw new NotReached('the request of the first application was refused')
  for (const consent of later) isGiven(consent, IS_OF_A_TPP)
  for (const consent of [first, ...later]) consent.takesPlainCredentials()
})

const series = scenario('consents one after the other', { effect: 'consent', as: 'TPP' }, async ({ app }) => {
  const consents = []
  for (let count = 0; count < 5; count += 1) consents.push(await app.createConsent())
  return { consents }
})

const areDistinct = (consents: readonly ObservedExchange[]): void => {
  const earlier = new Set<unknown>()
  for (const consentId of consents.map(consentIdIn)) {
    consentId.satisfies(!earlier.has(consentId.value), 'a consentId that no other consent has')
    earlier.add(consentId.value)
  }
}

const consents = everyAnswer(series, ['createConsent']).where(
  ({ accepted }) => accepted,
  'no consent was created',
)
const consentIds = consents.each((answer) => [consentIdIn(answer)], 'no consent was created')

check(CON.consentIdIsAString, consentIds, (consentId) =>
  consentId.satisfies(typeof consentId.value === 'string', 'a string'),
)

check(
  CON.consentIdFitsIntoAScope,
  consentIds.where(({ value }) => typeof value === 'string', 'no consentId is a string'),
  (consentId) => consentId.matches(/^[!#-[\]-~]+$/, 'printable ASCII characters, but no blank, " or \\'),
)

check(
  CON.consentsAreDistinct,
  inWholeRun(series, ['createConsent']).each(
    ({ exchanges }) => [exchanges.filter(({ accepted }) => accepted)],
    'no consent was created',
  ),
  areDistinct,
)

const simultaneous = scenario(
  'consents at the same moment',
  { effect: 'consent', as: 'TPP' },
  async ({ app }) => ({
    consents: await Promise.all(Array.from({ length: 4 }, () => app.createConsent())),
  }),
)

check(CON.concurrentConsentsAreDistinct, simultaneous, ({ consents }) => areDistinct(consents))

note(CON.shapeOfTheConsentAnswer, creation, ({ consent }) =>
  consent.accepted ? `status ${Number(consent.status.value)}, ${consent.body.shape}` : undefined,
)

note(CON.otherFieldsOfTheConsent, creation, ({ consent }) => {
  if (!consent.accepted) return undefined
  const others = [...consent.body.shape.matchAll(/(\S+): (?!\{)/g)].flatMap(([, name]) => name ?? [])
  return others.filter((name) => !name.endsWith('consentId')).join(', ') || 'none'
})
