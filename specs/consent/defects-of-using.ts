import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { CON } from './requirements.ts'

/** Consents that open less than they should, or more. */

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

const closed: readonly Defect[] = [
  {
    id: 'newer-consent-displaces-the-older',
    story: 'A TPP has one consent: the one that it created last.',
    breaks: [CON.olderConsentStaysUsable],
    rules: knowingConsents((lawful, createdBy) => ({
      consentIsUsable: (facts) =>
        createdBy(facts.client.clientId).at(-1) === facts.consent.consentId && lawful.consentIsUsable(facts),
    })),
  },
  {
    id: 'newer-consent-displaces-the-older-in-production',
    story: 'In production a TPP has one consent: the one that it created last.',
    breaks: [CON.olderConsentStaysUsable],
    environment: 'production',
    rules: knowingConsents((lawful, createdBy) => ({
      consentIsUsable: (facts) =>
        createdBy(facts.client.clientId).at(-1) === facts.consent.consentId && lawful.consentIsUsable(facts),
    })),
  },
  {
    id: 'first-consent-alone-is-usable',
    story: 'A TPP can have only the first of its consents authorized.',
    breaks: [CON.consentIsAppendedToTheScope],
    rules: knowingConsents((lawful, createdBy) => ({
      consentIsUsable: (facts) =>
        createdBy(facts.client.clientId)[0] === facts.consent.consentId && lawful.consentIsUsable(facts),
    })),
  },
  {
    id: 'granted-consent-is-used-up',
    story: 'A consent that a customer has granted cannot be granted again.',
    breaks: [CON.existingConsentServesANewGrant],
    rules: { consentIsUsable: ({ consent }) => consent.status === 'received' },
  },
  {
    id: 'consent-ends-with-its-tokens',
    story: 'A consent ends 90 days after its creation, as the tokens do.',
    breaks: [CON.existingConsentServesANewGrant],
    rules: (lawful) => ({
      consentIsUsable: (facts) =>
        facts.now.getTime() - facts.consent.createdAt.getTime() < 90 * 24 * 60 * 60 * 1000 &&
        lawful.consentIsUsable(facts),
    }),
  },
  {
    id: 'new-grant-of-a-consent-opens-nothing',
    story: 'Where a consent is granted anew, its tokens open no account any more.',
    breaks: [CON.existingConsentServesANewGrant],
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
  {
    id: 'consent-serves-two-grants',
    story: 'A consent can be granted anew once, and no second time.',
    breaks: [CON.existingConsentServesANewGrant],
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
]

type Requested = NonNullable<ReturnType<Rules['requestedScope']>>

/** Lets a TPP ask in another way, where its scope names no consent that exists. */
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

const open: readonly Defect[] = [
  {
    id: 'unknown-consent-is-granted',
    story: 'The consentId of a scope is not looked up.',
    breaks: [CON.unknownConsentIsNotGranted],
    rules: admitting((requested) =>
      requested.consentId === undefined ? undefined : withoutConsent(requested),
    ),
  },
  {
    id: 'consent-id-of-the-right-look-is-granted',
    story: 'Whatever looks like a UUID passes for a consentId.',
    breaks: [CON.unknownConsentIsNotGranted],
    rules: admitting((requested) =>
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(requested.consentId ?? '')
        ? withoutConsent(requested)
        : undefined,
    ),
  },
  {
    id: 'consent-is-known-by-its-beginning',
    story: 'A consentId that begins like that of a consent is read as that.',
    breaks: [CON.unknownConsentIsNotGranted],
    rules: admitting(({ name, consentId = '' }, ids) => {
      const known = ids.find((id) => consentId.startsWith(id))
      return known === undefined ? undefined : { name, consentId: known }
    }),
  },
  {
    id: 'consent-is-known-by-a-part-of-its-id',
    story: 'A consentId that lacks the end of that of a consent is read as that.',
    breaks: [CON.unknownConsentIsNotGranted],
    rules: admitting(({ name, consentId = '' }, ids) => {
      const known = ids.find((id) => consentId.length > 20 && id.startsWith(consentId))
      return known === undefined ? undefined : { name, consentId: known }
    }),
  },
  {
    id: 'consent-of-every-tpp-is-granted',
    story: 'A consent opens an authorization to each TPP.',
    breaks: [CON.anotherClientsConsentIsNotGranted],
    rules: { consentBelongsTo: () => true },
  },
  {
    id: 'granted-consent-opens-to-every-tpp',
    story: 'A consent that a customer has granted opens an authorization to each TPP.',
    breaks: [CON.anotherClientsConsentIsNotGranted],
    rules: (lawful) => ({
      consentBelongsTo: (facts) => facts.consent.status === 'valid' || lawful.consentBelongsTo(facts),
    }),
  },
  {
    id: 'new-consent-opens-to-every-tpp-in-production',
    story: 'In production a consent that nobody has granted yet opens an authorization to each TPP.',
    breaks: [CON.anotherClientsConsentIsNotGranted],
    environment: 'production',
    rules: (lawful) => ({
      consentBelongsTo: (facts) => facts.consent.status === 'received' || lawful.consentBelongsTo(facts),
    }),
  },
  {
    id: 'tpp-needs-no-consent',
    story: 'A TPP is granted the scope of a FAC.',
    breaks: [CON.scopeWithoutConsentIsNotGrantedToATpp],
    rules: admitting((requested, _, scope) =>
      scope === 'PREMIUM_AIS' ? withoutConsent(requested) : undefined,
    ),
  },
  {
    id: 'tpp-may-leave-the-consent-empty',
    story: 'A TPP is granted a scope that ends with its colon.',
    breaks: [CON.scopeWithoutConsentIsNotGrantedToATpp],
    rules: admitting((requested, _, scope) => (scope.endsWith(':') ? withoutConsent(requested) : undefined)),
  },
  {
    id: 'missing-consent-is-the-last-one-in-production',
    story: 'In production a TPP that names no consent is granted the one that it created last.',
    breaks: [CON.scopeWithoutConsentIsNotGrantedToATpp],
    environment: 'production',
    rules: admitting(({ name }, ids, scope) => {
      const last = ids.at(-1)
      return scope === 'PREMIUM_AIS' && last !== undefined ? { name, consentId: last } : undefined
    }),
  },
]

export const defectsOfUsing: readonly Defect[] = [...closed, ...open]
