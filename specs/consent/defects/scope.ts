import {
  accept,
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  forATpp,
  IN_PRODUCTION,
  inProduction,
  refuse,
  type Defect,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { CON } from '../requirements.ts'

/** Consents that cannot be used although they should be, and scopes that are granted although they should not be. */

const DAY_MS = 24 * 60 * 60 * 1000

/** The ids of the consents that a client has created, in their order. */
const createdBy = (
  { client }: Pick<FactsOf<'newConsentId'>, 'client'>,
  past: Past<'newConsentId'>,
): readonly string[] =>
  past
    .of('newConsentId')
    .filter(({ facts }) => facts.client.clientId === client.clientId)
    .map(({ answer }) => answer)

/** Of the consents of a TPP, only the one at this place can be used. */
const usableAt = (place: number) =>
  alter(
    {
      consentIsUsable: (usual, facts, past) =>
        usual && createdBy(facts, past).at(place) === facts.consent.consentId,
    },
    'newConsentId',
  )

/** Stands for a scope that a TPP is granted without a consent. */
const WITHOUT_CONSENT = { name: 'PREMIUM_AIS', consentId: undefined }

/**
 * Reads another consentId in the scope of a TPP, where it has none that exists.
 * @param other returns an empty string to grant the scope without a consent, and undefined for the usual reading.
 */
const readConsentId = (
  other: (consentId: string, known: readonly string[], scope: string) => string | undefined,
) =>
  forATpp(
    alter(
      {
        requestedScope: (usual, { scope }, { of }) => {
          const known = of('newConsentId').map(({ answer }) => answer)
          const consentId = usual?.consentId ?? ''
          const read = known.includes(consentId) ? undefined : other(consentId, known, scope)
          if (read === undefined) return usual
          return read === '' ? WITHOUT_CONSENT : { name: 'PREMIUM_AIS', consentId: read }
        },
        scopeFitsClient: (usual, { requested }) => usual || requested === WITHOUT_CONSENT,
      },
      'newConsentId',
    ),
  )

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const scopeDefects: readonly Defect[] = [
  ...defectsOf([CON.olderConsentStaysUsable], {
    'A TPP can use only the consent that it created last': each([EVERYWHERE, IN_PRODUCTION], usableAt(-1)),
  }),
  ...defectsOf([CON.consentIsAppendedToTheScope], {
    'A TPP can use only the first of its consents': usableAt(0),
  }),
  ...defectsOf([CON.existingConsentServesANewGrant], {
    'A consent that a customer has granted cannot be granted again': refuse(
      'consentIsUsable',
      ({ consent }) => consent.status !== 'received',
    ),
    'A consent ends 90 days after its creation, as the tokens do': refuse(
      'consentIsUsable',
      ({ now, consent }) => now.getTime() - consent.createdAt.getTime() >= 90 * DAY_MS,
    ),
    'The tokens of a second grant of a consent open no account': forATpp(
      alter({
        grantedAccounts: (usual, { consent }, { of }) =>
          of('grantedAccounts').some(({ facts }) => facts.consent?.consentId === consent?.consentId)
            ? []
            : usual,
      }),
    ),
    'A consent can be granted twice, and not a third time': alter(
      {
        consentIsUsable: (usual, { consent: { consentId } }, { of }) =>
          usual &&
          of('consentAfterDecision').filter(
            ({ facts }) => facts.granted && facts.consent.consentId === consentId,
          ).length < 2,
      },
      'consentAfterDecision',
    ),
  }),
  ...defectsOf([CON.unknownConsentIsNotGranted], {
    'A scope is granted with any consentId': readConsentId((id) => (id === '' ? undefined : '')),
    'A scope is granted with any UUID for a consentId': readConsentId((id) =>
      UUID.test(id) ? '' : undefined,
    ),
    'A consentId with more characters at its end is read as the known one': readConsentId((id, known) =>
      known.find((one) => id.startsWith(one)),
    ),
    'A consentId that lacks characters at its end is read as the whole one': readConsentId((id, known) =>
      known.find((one) => id.length > 20 && one.startsWith(id)),
    ),
  }),
  ...defectsOf([CON.anotherClientsConsentIsNotGranted], {
    'Every TPP can use a consent': accept('consentBelongsTo'),
    'Every TPP can use a consent that a customer has granted': accept(
      'consentBelongsTo',
      ({ consent }) => consent.status === 'valid',
    ),
    'In production every TPP can use a consent that was not granted yet': inProduction(
      accept('consentBelongsTo', ({ consent }) => consent.status === 'received'),
    ),
  }),
  ...defectsOf([CON.scopeWithoutConsentIsNotGrantedToATpp, CON.scopeWithoutConsentIsRefused], {
    'A TPP is granted the scope of a FAC': forATpp(accept('scopeFitsClient')),
    'A TPP is granted a scope that ends with its colon': readConsentId((_, __, scope) =>
      scope.endsWith(':') ? '' : undefined,
    ),
    'In production a missing consent is the last one that the TPP has created': inProduction(
      forATpp(
        alter(
          {
            requestedScope: (usual, facts, past) =>
              usual && { ...usual, consentId: usual.consentId ?? createdBy(facts, past).at(-1) },
          },
          'newConsentId',
        ),
      ),
    ),
  }),
  ...defectsOf([CON.scopeWithoutConsentIsRefused], {
    'A TPP is granted the scope of a FAC, and its token opens no account': forATpp(
      alter({ scopeFitsClient: true, grantedAccounts: (usual, { consent }) => (consent ? usual : []) }),
    ),
  }),
]
