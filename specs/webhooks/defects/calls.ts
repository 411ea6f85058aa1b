import { breaking, membersOf, where, type FactsOf } from '../../shared/defects.ts'
import { WEB } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Calls that go to a wrong address or application, or have a wrong security header. */

type DeliveryFacts = FactsOf<'deliveryHeaders'>

/** Headers with the names in small letters: a bank may spell them otherwise. */
const inSmallLetters = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Sends another Authorization header, or none for undefined; `count` is the number of the call to the application. */
const authorizing =
  (
    reword: (header: string | undefined, facts: DeliveryFacts, count: number) => string | undefined,
  ): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      deliveryHeaders: (facts) => {
        const { clientId } = facts.client
        const count = (counts.get(clientId) ?? 0) + 1
        counts.set(clientId, count)
        const { authorization, ...others } = inSmallLetters(lawful.deliveryHeaders(facts))
        const reworded = reword(authorization, facts, count)
        return { ...others, ...(reworded !== undefined && { authorization: reworded }) }
      },
    }
  }

/** Sends another security header where one is set. */
const rewording = (reword: (header: string, facts: DeliveryFacts) => string): RuleChange =>
  authorizing((header, facts) => header && reword(header, facts))

type Change = FactsOf<'settingsKept'>['change']

/** A change of rules that needs to know the earlier settings of all applications. */
const knowingSettings =
  (
    change: (
      lawful: Rules,
      settings: readonly (Change & { readonly clientId: string })[],
    ) => Partial<Omit<Rules, 'settingsKept'>>,
  ): RuleChange =>
  (lawful) => {
    const settings: (Change & { clientId: string })[] = []
    return {
      settingsKept: (facts) => {
        const kept = lawful.settingsKept(facts)
        if (kept !== undefined) settings.push({ ...kept, clientId: facts.client.clientId })
        return kept
      },
      ...change(lawful, settings),
    }
  }

/** Uses for accountEvents the setting of the first call to the application. */
const keepingTheFirst =
  (settingOf: (facts: DeliveryFacts) => string) =>
  (lawful: (facts: DeliveryFacts) => string): ((facts: DeliveryFacts) => string) => {
    const first = new Map<string, string>()
    return (facts) => {
      const key = `${facts.environment} ${facts.client.clientId}`
      const kept = first.get(key) ?? settingOf(facts)
      first.set(key, kept)
      return facts.event === 'accountEvent' ? kept : lawful(facts)
    }
  }

const headers: readonly Defect[] = [
  ...breaking(WEB.securityHeaderIsSentAsAuthorization, {
    'security-header-with-blanks-squeezed': {
      story: 'Several blanks in the security header are sent as one.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((header) => header.replaceAll(/ +/g, ' ')),
    },
    'security-header-in-small-letters': {
      story: 'The security header is sent in small letters.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((header) => header.toLowerCase()),
    },
    'security-header-without-padding': {
      story: 'Equals signs at the end of the security header are cut off.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((header) => header.replace(/=+$/, '') || 'a'),
    },
    'plus-sign-of-security-header-is-a-blank': {
      story: 'The security header is decoded as a form: its plus signs are sent as blanks.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((header) => header.replaceAll('+', ' ')),
    },
    'security-header-behind-a-scheme': {
      story: 'The security header is sent as a Bearer token.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((header) => `Bearer ${header}`),
    },
    'security-header-of-account-events-encoded': {
      story: 'In accountEvents the security header is sent as base64.',
      rules: rewording((header, { event }) =>
        event === 'accountEvent' ? Buffer.from(header).toString('base64') : header,
      ),
    },
    'first-security-header-stays': {
      story: 'A changed security header is sent as it was at first.',
      rules: knowingSettings((lawful, settings) => ({
        deliveryHeaders: (facts) => {
          const { clientId } = facts.client
          const first = settings.find((one) => one.clientId === clientId && one.securityHeader.trim() !== '')
          const { authorization, ...others } = inSmallLetters(lawful.deliveryHeaders(facts))
          return authorization === undefined
            ? others
            : { ...others, authorization: first?.securityHeader ?? authorization }
        },
      })),
    },
    'security-header-of-another-application': {
      story: 'Every application is sent the security header that any application has set last.',
      rules: knowingSettings((lawful, settings) => ({
        deliveryHeaders: (facts) => {
          const last = settings.at(-1)?.securityHeader ?? ''
          const { authorization, ...others } = inSmallLetters(lawful.deliveryHeaders(facts))
          return { ...others, ...(last.trim() !== '' && authorization && { authorization: last }) }
        },
      })),
    },
    'account-events-carry-the-first-security-header': {
      story: 'accountEvents have the first security header, after it was changed.',
      rules: (lawful) => {
        const headerOf = keepingTheFirst(({ settings }) => settings.securityHeader)(
          ({ settings }) => settings.securityHeader,
        )
        return {
          deliveryHeaders: (facts) =>
            lawful.deliveryHeaders({
              ...facts,
              settings: { ...facts.settings, securityHeader: headerOf(facts) },
            }),
        }
      },
    },
  }),
  ...breaking(WEB.securityHeaderIsSentInEachCall, {
    'security-header-lost-on-the-second-call': {
      story: 'Every second call to an application lacks the security header.',
      rules: authorizing((header, _, count) => (count % 2 === 0 ? undefined : header)),
    },
    'account-events-without-security-header': {
      story: 'The security header is sent in transactionEvents only.',
      rules: authorizing((header, { event }) => (event === 'accountEvent' ? undefined : header)),
    },
    'security-header-lost-with-the-url': {
      story: 'The security header is not sent after the URL was changed.',
      rules: authorizing((header, { settings }) => (settings.url.endsWith('/moved') ? undefined : header)),
    },
  }),
  ...breaking(WEB.emptySecurityHeaderSendsNone, {
    'authorization-without-security-header': {
      story: 'Without a security header, calls have an Authorization header with empty credentials.',
      rules: authorizing((header) => header ?? 'Basic Og=='),
    },
    'another-authorization-once-emptied': {
      story:
        'Once the security header is removed, calls have an Authorization header with empty credentials.',
      rules: knowingSettings((lawful, settings) => ({
        deliveryHeaders: (facts) => {
          const { clientId } = facts.client
          const wasSet = settings.some((one) => one.clientId === clientId && one.securityHeader.trim() !== '')
          const headers = lawful.deliveryHeaders(facts)
          return wasSet && facts.settings.securityHeader === ''
            ? { ...headers, authorization: 'Basic Og==' }
            : headers
        },
      })),
    },
  }),
  ...breaking(WEB.removedSecurityHeaderIsNotSent, {
    'security-header-sent-once-emptied': {
      story: 'A removed security header is still sent.',
      alsoBreaks: [WEB.emptySecurityHeaderSendsNone],
      rules: knowingSettings((lawful, settings) => ({
        deliveryHeaders: (facts) => {
          const { clientId } = facts.client
          const last = settings.findLast(
            (one) => one.clientId === clientId && one.securityHeader.trim() !== '',
          )
          const isEmpty = facts.settings.securityHeader === ''
          return {
            ...lawful.deliveryHeaders(facts),
            ...(isEmpty && last && { authorization: last.securityHeader }),
          }
        },
      })),
    },
  }),
]

const places: readonly Defect[] = [
  ...breaking(WEB.callsGoToTheConfiguredUrl, {
    'webhook-called-with-a-parameter': {
      story: 'Calls have the name of the event as a parameter of the configured URL.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: (lawful) => ({
        deliveryAddress: (facts) => `${lawful.deliveryAddress(facts)}?event=${facts.event}`,
      }),
    },
    'account-events-sent-below-the-url': {
      story: 'An accountEvent is sent to another path, below the configured URL.',
      rules: (lawful) => ({
        deliveryAddress: (facts) =>
          lawful.deliveryAddress(facts) + (facts.event === 'accountEvent' ? '/accounts' : ''),
      }),
    },
    'first-webhook-url-stays': {
      story: 'The first webhook URL is called after it was changed.',
      alsoBreaks: [WEB.oldUrlIsNotCalled],
      rules: knowingSettings((lawful, settings) => ({
        deliveryAddress: (facts) =>
          settings.find(({ clientId }) => clientId === facts.client.clientId)?.url ??
          lawful.deliveryAddress(facts),
      })),
    },
  }),
  ...breaking(WEB.oldUrlIsNotCalled, {
    'old-webhook-url-called-too': {
      story: 'The first webhook URL and the new one are both called.',
      rules: knowingSettings((lawful, settings) => {
        let calls = 0
        return {
          deliveryCopies: () => 2,
          deliveryAddress: (facts) => {
            calls += 1
            const [first] = settings.filter(({ clientId }) => clientId === facts.client.clientId)
            return calls % 2 === 0 && first ? first.url : lawful.deliveryAddress(facts)
          },
        }
      }),
    },
    'account-events-go-to-the-first-url': {
      story: 'accountEvents go to the first URL, after it was changed.',
      rules: (lawful) => ({
        deliveryAddress: keepingTheFirst(({ settings }) => settings.url)(lawful.deliveryAddress),
      }),
    },
  }),
  ...breaking(WEB.anotherApplicationIsNotNotified, {
    'events-sent-to-every-application': {
      story: 'Every application whose webhooks are active is notified of every change.',
      rules: () => ({ recipients: ({ clients }) => clients }),
    },
    'account-events-sent-to-every-application': {
      story: 'An accountEvent is sent to every application whose webhooks are active.',
      rules: (lawful) => ({
        recipients: (facts) => (facts.event === 'accountEvent' ? facts.clients : lawful.recipients(facts)),
      }),
    },
    'transaction-events-sent-to-every-application': {
      story: 'A transactionEvent is sent to every application whose webhooks are active.',
      rules: (lawful) => ({
        recipients: (facts) =>
          facts.event === 'transactionEvent' ? facts.clients : lawful.recipients(facts),
      }),
    },
  }),
  ...breaking(WEB.everyCallIsOneOfTheTwoEvents, {
    'third-kind-of-event': {
      story: 'A transactionEvent is followed by an event of a third kind, with a balance.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: (lawful) => {
        let calls = 0
        return {
          deliveryCopies: ({ event }) => (event === 'transactionEvent' ? 2 : 1),
          deliveryContent: (facts) => {
            if (facts.event === 'transactionEvent') calls += 1
            if (facts.event !== 'transactionEvent' || calls % 2 === 1) return lawful.deliveryContent(facts)
            const { consentId } = membersOf(facts.plainBody)
            const third = { consentId, balances: [{ amount: 12.34, currency: 'EUR' }] }
            return lawful.deliveryContent({ ...facts, body: lawful.eventForm({ ...facts, body: third }) })
          },
        }
      },
    },
  }),
]

/** Sends a second call after each transactionEvent, with this content. */
const followedBy =
  (content: string): RuleChange =>
  (lawful) => {
    let calls = 0
    return {
      deliveryCopies: ({ event }) => (event === 'transactionEvent' ? 2 : 1),
      deliveryContent: (facts) => {
        if (facts.event === 'transactionEvent') calls += 1
        return facts.event === 'transactionEvent' && calls % 2 === 0 ? content : lawful.deliveryContent(facts)
      },
    }
  }

const isAFac = ({ client }: Pick<DeliveryFacts, 'client'>): boolean => client.kind === 'FAC'

const kinds: readonly Defect[] = [
  ...breaking(WEB.everyCallCarriesAnEvent, {
    'call-of-a-third-kind-without-a-field-of-an-event': {
      story: 'A transactionEvent is followed by a call that has a balance, and no field of an event.',
      rules: followedBy(JSON.stringify({ type: 'BALANCE', amount: 12.34 })),
    },
    'empty-call-after-a-transaction-event': {
      story: 'A transactionEvent is followed by an empty call.',
      rules: followedBy(''),
    },
  }),
  ...breaking(WEB.facIsNotified, {
    'facs-are-not-notified': {
      story: 'Only TPPs are notified.',
      rules: (lawful) => ({
        recipients: (facts) => lawful.recipients(facts).filter(({ kind }) => kind === 'TPP'),
      }),
    },
  }),
  ...breaking(WEB.callToAFacIsComplete, {
    'calls-to-a-fac-without-security-header': {
      story: 'The security header is sent to TPPs only.',
      rules: authorizing((header, facts) => (isAFac(facts) ? undefined : header)),
    },
    'event-of-a-fac-is-an-update': {
      story: 'The eventType of a transactionEvent to a FAC is UPDATE.',
      rules: where(isAFac, (lawful) => ({
        transactionEventBody: (facts) => ({
          ...membersOf(lawful.transactionEventBody(facts)),
          eventType: 'UPDATE',
        }),
      })),
    },
    'event-of-a-fac-names-no-account': {
      story: 'A transactionEvent to a FAC has no accounts.',
      rules: where(isAFac, (lawful) => ({
        transactionEventBody: (facts) => ({ ...membersOf(lawful.transactionEventBody(facts)), accounts: [] }),
      })),
    },
  }),
]

/** Calls the webhooks that are enabled in the sandbox for production as well. */
const callingForProduction: RuleChange = (lawful) => {
  const enabled = new Map<string, Change>()
  return {
    settingsKept: (facts) => {
      const kept = lawful.settingsKept(facts)
      if (kept !== undefined && facts.environment === 'sandbox') enabled.set(facts.client.clientId, kept)
      return kept
    },
    webhookIsActive: (facts) =>
      lawful.webhookIsActive(facts) ||
      (facts.environment === 'production' && enabled.get(facts.client.clientId)?.enabled === true),
    deliveryAddress: (facts) => {
      const inTheSandbox = enabled.get(facts.client.clientId)
      const isForProduction = facts.environment === 'production' && facts.settings.url === ''
      return isForProduction && inTheSandbox ? inTheSandbox.url : lawful.deliveryAddress(facts)
    },
  }
}

const environments: readonly Defect[] = [
  ...breaking(WEB.settingsOfOneEnvironment, {
    'webhooks-of-the-sandbox-called-for-production': {
      story: 'Webhooks that are enabled in the sandbox are called for changes in production as well.',
      rules: callingForProduction,
    },
  }),
]

export const callDefects: readonly Defect[] = [...headers, ...places, ...kinds, ...environments]
