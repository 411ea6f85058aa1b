import { WEB } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Calls that go to the wrong place, or carry the wrong header. */

type Delivery = Parameters<Rules['deliveryHeaders']>[0]

/** Sends another Authorization header than the lawful one; nothing for none at all. */
const authorizing =
  (word: (header: string | undefined, facts: Delivery, count: number) => string | undefined): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      deliveryHeaders: (facts) => {
        const { clientId } = facts.client
        const count = (counts.get(clientId) ?? 0) + 1
        counts.set(clientId, count)
        const { authorization, ...others } = lawful.deliveryHeaders(facts)
        const worded = word(authorization, facts, count)
        return { ...others, ...(worded !== undefined && { authorization: worded }) }
      },
    }
  }

/** Rewords the security header wherever one is sent. */
const rewording = (word: (header: string, facts: Delivery) => string): RuleChange =>
  authorizing((header, facts) => header && word(header, facts))

type Change = Parameters<Rules['settingsKept']>[0]['change']

/** Knows what was set before, by whomever. */
const remembering =
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

const headers: readonly Defect[] = [
  {
    id: 'security-header-with-blanks-squeezed',
    story: 'Several blanks in the security header are sent as one.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: rewording((header) => header.replaceAll(/ +/g, ' ')),
  },
  {
    id: 'security-header-in-small-letters',
    story: 'The security header is sent in small letters.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: rewording((header) => header.toLowerCase()),
  },
  {
    id: 'security-header-without-padding',
    story: 'Equals signs at the end of the security header are cut off.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: rewording((header) => header.replace(/=+$/, '') || 'a'),
  },
  {
    id: 'plus-sign-of-security-header-is-a-blank',
    story: 'The security header is decoded as a form is, so that its plus signs are blanks.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: rewording((header) => header.replaceAll('+', ' ')),
  },
  {
    id: 'security-header-behind-a-scheme',
    story: 'The security header is sent as a Bearer token.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: rewording((header) => `Bearer ${header}`),
  },
  {
    id: 'security-header-of-account-events-encoded',
    story: 'In accountEvents the security header is sent as base64.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: rewording((header, { event }) =>
      event === 'accountEvent' ? Buffer.from(header).toString('base64') : header,
    ),
  },
  {
    id: 'first-security-header-stays',
    story: 'A security header that is changed is sent as it was at first.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: remembering((lawful, settings) => ({
      deliveryHeaders: (facts) => {
        const { clientId } = facts.client
        const first = settings.find((one) => one.clientId === clientId && one.securityHeader.trim() !== '')
        const { authorization, ...others } = lawful.deliveryHeaders(facts)
        return authorization === undefined
          ? others
          : { ...others, authorization: first?.securityHeader ?? authorization }
      },
    })),
  },
  {
    id: 'security-header-of-another-application',
    story: 'Every application is sent the security header that was set last, by whomever.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: remembering((lawful, settings) => ({
      deliveryHeaders: (facts) => {
        const last = settings.at(-1)?.securityHeader ?? ''
        const { authorization, ...others } = lawful.deliveryHeaders(facts)
        return { ...others, ...(last.trim() !== '' && authorization && { authorization: last }) }
      },
    })),
  },
  {
    id: 'security-header-lost-on-the-second-call',
    story: 'Every second call to an application lacks the security header.',
    breaks: [WEB.securityHeaderIsSentInEachCall],
    rules: authorizing((header, _, count) => (count % 2 === 0 ? undefined : header)),
  },
  {
    id: 'account-events-without-security-header',
    story: 'The security header is sent in transactionEvents alone.',
    breaks: [WEB.securityHeaderIsSentInEachCall],
    rules: authorizing((header, { event }) => (event === 'accountEvent' ? undefined : header)),
  },
  {
    id: 'security-header-lost-with-the-url',
    story: 'The security header is not sent to a URL that has replaced another one.',
    breaks: [WEB.securityHeaderIsSentInEachCall],
    rules: authorizing((header, { settings }) => (settings.url.endsWith('/moved') ? undefined : header)),
  },
  {
    id: 'authorization-without-security-header',
    story: 'Where no security header is set, the Authorization header is one of empty credentials.',
    breaks: [WEB.emptySecurityHeaderSendsNone],
    rules: authorizing((header) => header ?? 'Basic Og=='),
  },
  {
    id: 'security-header-sent-once-emptied',
    story: 'A security header that was taken away is sent as before.',
    breaks: [WEB.emptySecurityHeaderSendsNone],
    rules: remembering((lawful, settings) => ({
      deliveryHeaders: (facts) => {
        const { clientId } = facts.client
        const last = settings.findLast((one) => one.clientId === clientId && one.securityHeader.trim() !== '')
        const isEmpty = facts.settings.securityHeader === ''
        return {
          ...lawful.deliveryHeaders(facts),
          ...(isEmpty && last && { authorization: last.securityHeader }),
        }
      },
    })),
  },
]

const places: readonly Defect[] = [
  {
    id: 'webhook-called-with-a-parameter',
    story: 'The name of the event is put behind the configured URL.',
    breaks: [WEB.callsGoToTheConfiguredUrl],
    rules: (lawful) => ({
      deliveryAddress: (facts) => `${lawful.deliveryAddress(facts)}?event=${facts.event}`,
    }),
  },
  {
    id: 'account-events-sent-below-the-url',
    story: 'An accountEvent is sent to a path of its own below the configured URL.',
    breaks: [WEB.callsGoToTheConfiguredUrl],
    rules: (lawful) => ({
      deliveryAddress: (facts) =>
        lawful.deliveryAddress(facts) + (facts.event === 'accountEvent' ? '/accounts' : ''),
    }),
  },
  {
    id: 'first-webhook-url-stays',
    story: 'A webhook URL that is changed goes on to be called as it was at first.',
    breaks: [WEB.callsGoToTheConfiguredUrl, WEB.oldUrlIsNotCalled],
    rules: remembering((lawful, settings) => ({
      deliveryAddress: (facts) =>
        settings.find(({ clientId }) => clientId === facts.client.clientId)?.url ??
        lawful.deliveryAddress(facts),
    })),
  },
  {
    id: 'old-webhook-url-called-too',
    story: 'A webhook URL that was replaced is called beside the new one.',
    breaks: [WEB.oldUrlIsNotCalled],
    rules: remembering((lawful, settings) => {
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
  {
    id: 'events-sent-to-every-application',
    story: 'Every application whose webhooks are active is notified of every change.',
    breaks: [WEB.anotherApplicationIsNotNotified],
    rules: () => ({ recipients: ({ clients }) => clients }),
  },
  {
    id: 'account-events-sent-to-every-application',
    story: 'An accountEvent is sent to every application whose webhooks are active.',
    breaks: [WEB.anotherApplicationIsNotNotified],
    rules: (lawful) => ({
      recipients: (facts) => (facts.event === 'accountEvent' ? facts.clients : lawful.recipients(facts)),
    }),
  },
  {
    id: 'transaction-events-sent-to-every-application',
    story: 'A transactionEvent is sent to every application whose webhooks are active.',
    breaks: [WEB.anotherApplicationIsNotNotified],
    rules: (lawful) => ({
      recipients: (facts) => (facts.event === 'transactionEvent' ? facts.clients : lawful.recipients(facts)),
    }),
  },
  {
    id: 'third-kind-of-event',
    story: 'A transactionEvent is followed by an event of a third kind, which tells of a balance.',
    breaks: [WEB.everyCallIsOneOfTheTwoEvents],
    rules: (lawful) => {
      let calls = 0
      return {
        deliveryCopies: ({ event }) => (event === 'transactionEvent' ? 2 : 1),
        deliveryContent: (facts) => {
          if (facts.event === 'transactionEvent') calls += 1
          const { consentId } = facts.body as { readonly consentId: string }
          return facts.event === 'transactionEvent' && calls % 2 === 0
            ? JSON.stringify({ consentId, balances: [{ amount: 12.34, currency: 'EUR' }] })
            : lawful.deliveryContent(facts)
        },
      }
    },
  },
]

export const defectsOfCalling: readonly Defect[] = [...headers, ...places]
