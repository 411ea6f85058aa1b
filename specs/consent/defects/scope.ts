import { breaking, isOfATpp, together, where } from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { CON } from '../requirements.ts'

/** Consents that cannot be used although they should be, and scopes that are granted although they should not be. */

/** Knows the consents of each client, in the order in which they were created. */
const knowingConsents =
  (
    change: (lawful: Rules, createdBy: (clientId: string) => readonly string[]) => Partial<Rules>,
  ): RuleChange =>
  (lawful) => {
    const created = new Map<string, readonly string[]>()
    const createdBy = (clientId: string): readonly string[] => created.get(clientId) ?? []
    return {
      newConsentId: (facts) => {
        const consentId = lawful.newConsentId(facts)
        created.set(facts.client.clientId, [...createdBy(facts.client.clientId), consentId])
        return consentId
      },
      ...change(lawful, createdBy),
    }
  }

const unusable: readonly Defect[] = [
  ...breaking(CON.olderConsentStaysUsable, {
    'newer-consent-displaces-the-older': {
      story: 'A TPP can use only the consent that it created last.',
      rules: knowingConsents((lawful, createdBy) => ({
        consentIsUsable: (facts) =>
          createdBy(facts.client.clientId).at(-1) === facts.consent.consentId &&
          lawful.consentIsUsable(facts),
      })),
      inProduction: 'newer-consent-displaces-the-older-in-production',
    },
  }),
  ...breaking(CON.consentIsAppendedToTheScope, {
    'first-consent-alone-is-usable': {
      story: 'A TPP can use only the first of its consents.',
      rules: knowingConsents((lawful, createdBy) => ({
        consentIsUsable: (facts) =>
          createdBy(facts.client.clientId)[0] === facts.consent.consentId && lawful.consentIsUsable(facts),
      })),
    },
  }),
  ...breaking(CON.existingConsentServesANewGrant, {
    'granted-consent-is-used-up': {
      story: 'A consent that a customer has granted cannot be granted again.',
      rules: { consentIsUsable: ({ consent }) => consent.status === 'received' },
    },
    'consent-ends-with-its-tokens': {
      story: 'A consent ends 90 days after its creation, as the tokens do.',
      rules: (lawful) => ({
        consentIsUsable: (facts) =>
          facts.now.getTime() - facts.consent.createdAt.getTime() < 90 * 24 * 60 * 60 * 1000 &&
          lawful.consentIsUsable(facts),
      }),
    },
    'new-grant-of-a-consent-opens-nothing': {
      story: 'The tokens of a second grant of a consent open no account.',
      rules: (lawful) => {
        const granted = new Set<string>()
        return {
          grantedAccounts: (facts) => {
            const { consentId = '' } = facts.consent ?? {}
            const isAgain = granted.has(consentId)
            if (consentId !== '') granted.add(consentId)
            return isAgain ? [] : lawful.grantedAccounts(facts)
          },
        }
      },
    },
    'consent-serves-two-grants': {
      story: 'A consent can be granted twice, and not a third time.',
      rules: (lawful) => {
        const grants = new Map<string, number>()
        return {
          consentAfterDecision: (facts) => {
            const { consentId } = facts.consent
            if (facts.granted) grants.set(consentId, (grants.get(consentId) ?? 0) + 1)
            return lawful.consentAfterDecision(facts)
          },
          consentIsUsable: (facts) =>
            (grants.get(facts.consent.consentId) ?? 0) < 2 && lawful.consentIsUsable(facts),
        }
      },
    },
  }),
]

type Requested = NonNullable<ReturnType<Rules['requestedScope']>>

/** Reads the scope of a TPP in another way, where it names no consent that exists. */
const admitting = (
  admit: (requested: Requested, ids: readonly string[], scope: string) => Requested | undefined,
): RuleChange =>
  knowingConsents((lawful, createdBy) => {
    const admitted = new Set<unknown>()
    return {
      requestedScope: (facts) => {
        const ids = ['tpp-pocketwise', 'tpp-lantern'].flatMap(createdBy)
        const requested = lawful.requestedScope(facts) ?? { name: facts.scope, consentId: undefined }
        const isLawful = requested.consentId !== undefined && ids.includes(requested.consentId)
        if (facts.client.kind !== 'TPP' || isLawful) return lawful.requestedScope(facts)
        const other = admit(requested, ids, facts.scope)
        if (other === undefined) return lawful.requestedScope(facts)
        admitted.add(other)
        return other
      },
      scopeFitsClient: (facts) => admitted.has(facts.requested) || lawful.scopeFitsClient(facts),
    }
  })

const withoutConsent = ({ name }: Requested): Requested => ({ name, consentId: undefined })

const granted: readonly Defect[] = [
  ...breaking(CON.unknownConsentIsNotGranted, {
    'unknown-consent-is-granted': {
      story: 'A scope is granted with any consentId.',
      rules: admitting((requested) =>
        requested.consentId === undefined ? undefined : withoutConsent(requested),
      ),
    },
    'consent-id-of-the-right-look-is-granted': {
      story: 'A scope is granted with any UUID for a consentId.',
      rules: admitting((requested) =>
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(requested.consentId ?? '')
          ? withoutConsent(requested)
          : undefined,
      ),
    },
    'consent-is-known-by-its-beginning': {
      story: 'A consentId with more characters after a known one is read as the known one.',
      rules: admitting(({ name, consentId = '' }, ids) => {
        const known = ids.find((id) => consentId.startsWith(id))
        return known === undefined ? undefined : { name, consentId: known }
      }),
    },
    'consent-is-known-by-a-part-of-its-id': {
      story: 'A consentId that lacks characters at its end is read as the whole one.',
      rules: admitting(({ name, consentId = '' }, ids) => {
        const known = ids.find((id) => consentId.length > 20 && id.startsWith(consentId))
        return known === undefined ? undefined : { name, consentId: known }
      }),
    },
  }),
  ...breaking(CON.anotherClientsConsentIsNotGranted, {
    'consent-of-every-tpp-is-granted': {
      story: 'Every TPP can use a consent.',
      rules: { consentBelongsTo: () => true },
    },
    'granted-consent-opens-to-every-tpp': {
      story: 'Every TPP can use a consent that a customer has granted.',
      rules: (lawful) => ({
        consentBelongsTo: (facts) => facts.consent.status === 'valid' || lawful.consentBelongsTo(facts),
      }),
    },
    'new-consent-opens-to-every-tpp-in-production': {
      story: 'In production every TPP can use a consent that nobody has granted yet.',
      environment: 'production',
      rules: (lawful) => ({
        consentBelongsTo: (facts) => facts.consent.status === 'received' || lawful.consentBelongsTo(facts),
      }),
    },
  }),
  ...breaking(CON.scopeWithoutConsentIsNotGrantedToATpp, {
    'tpp-needs-no-consent': {
      story: 'A TPP is granted the scope of a FAC.',
      alsoBreaks: [CON.scopeWithoutConsentIsRefused],
      rules: admitting((requested, _, scope) =>
        scope === 'PREMIUM_AIS' ? withoutConsent(requested) : undefined,
      ),
    },
    'tpp-may-leave-the-consent-empty': {
      story: 'A TPP is granted a scope that ends with its colon.',
      alsoBreaks: [CON.scopeWithoutConsentIsRefused],
      rules: admitting((requested, _, scope) =>
        scope.endsWith(':') ? withoutConsent(requested) : undefined,
      ),
    },
    'missing-consent-is-the-last-one-in-production': {
      story: 'In production a TPP whose scope names no consent is granted the one that it created last.',
      alsoBreaks: [CON.scopeWithoutConsentIsRefused],
      environment: 'production',
      rules: admitting(({ name }, ids, scope) => {
        const last = ids.at(-1)
        return scope === 'PREMIUM_AIS' && last !== undefined ? { name, consentId: last } : undefined
      }),
    },
  }),
  ...breaking(CON.scopeWithoutConsentIsRefused, {
    'tpp-without-consent-is-given-a-token-that-opens-nothing': {
      story: 'A TPP is granted the scope of a FAC, and its token opens no account.',
      rules: together(
        admitting((requested, _, scope) => (scope === 'PREMIUM_AIS' ? withoutConsent(requested) : undefined)),
        where((facts) => isOfATpp(facts) && facts.consent === undefined, { grantedAccounts: () => [] }),
      ),
    },
  }),
]

export const scopeDefects: readonly Defect[] = [...unusable, ...granted]
