import {
  alter,
  defectsOf,
  isOfAFac,
  membersOf,
  when,
  type AnswerOf,
  type Change,
  type FactsOf,
  type Members,
  type Past,
} from '../../shared/changes.ts'
import { WEB } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Calls that go to a wrong address or application, or have a wrong security header. */

type Delivery = FactsOf<'deliveryHeaders'>
type Before = Past<'deliveryHeaders' | 'settingsKept'>

/** Sends another Authorization header, or none for undefined. A bank may spell the names of headers in any case. */
const authorization = (
  change: (header: string | undefined, facts: Delivery, past: Before) => string | undefined,
): Change<Delivery> =>
  alter(
    {
      deliveryHeaders: (headers, facts, past) => {
        const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
        const { authorization: usual, ...others } = Object.fromEntries(named) as Record<string, string>
        const sent = change(usual, facts, past)
        return { ...others, ...(sent !== undefined && { authorization: sent }) }
      },
    },
    'settingsKept',
  )

/** Sends another security header where one is set. */
const header = (change: (header: string, facts: Delivery, past: Before) => string): Change<Delivery> =>
  authorization((usual, facts, past) => usual && change(usual, facts, past))

const withoutHeader = authorization(() => undefined)

type OfAnEvent = Pick<Delivery, 'event'>
const isAccountEvent = ({ event }: OfAnEvent): boolean => event === 'accountEvent'
const isTransactionEvent = ({ event }: OfAnEvent): boolean => event === 'transactionEvent'

/** The settings that all applications have saved, in their order. */
const saved = (past: Past<'settingsKept'>) =>
  past
    .of('settingsKept')
    .flatMap(({ facts, answer }) => (answer ? [{ ...answer, client: facts.client }] : []))

/** The settings that this application has saved, in their order. */
const savedBy = ({ client }: Pick<Delivery, 'client'>, past: Past<'settingsKept'>) =>
  saved(past).filter((setting) => setting.client === client)

const isSet = ({ securityHeader }: { readonly securityHeader: string }): boolean =>
  securityHeader.trim() !== ''

/** The settings at the time of the first call to the application. */
const firstCalled = (facts: Delivery, earlier: readonly { readonly facts: Delivery }[]) =>
  earlier.find(
    ({ facts: { client, environment } }) => client === facts.client && environment === facts.environment,
  )?.facts.settings ?? facts.settings

const securityHeaders: readonly Defect[] = [
  ...defectsOf([WEB.securityHeaderIsSentAsAuthorization, WEB.callToAFacIsComplete], {
    'Several blanks in the security header are sent as one': header((sent) => sent.replaceAll(/ +/g, ' ')),
    'The security header is sent in small letters': header((sent) => sent.toLowerCase()),
    'Equals signs at the end of the security header are cut off': header(
      (sent) => sent.replace(/=+$/, '') || 'a',
    ),
    'Plus signs of the security header are sent as blanks': header((sent) => sent.replaceAll('+', ' ')),
    'The security header is sent as a Bearer token': header((sent) => `Bearer ${sent}`),
  }),
  ...defectsOf([WEB.securityHeaderIsSentAsAuthorization], {
    'A security header of digits is sent as a number': header((sent) =>
      /^\d+$/.test(sent) ? String(Number(sent)) : sent,
    ),
    'A security header is cut after 128 characters': header((sent) => sent.slice(0, 128)),
    'In accountEvents the security header is sent as base64': when(
      isAccountEvent,
      header((sent) => Buffer.from(sent).toString('base64')),
    ),
    'A changed security header is sent as it was at first': header(
      (sent, facts, past) => savedBy(facts, past).find(isSet)?.securityHeader ?? sent,
    ),
    'Every application is sent the security header that any application has set last': authorization(
      (sent, _, past) => sent && (saved(past).at(-1)?.securityHeader.trim() || undefined),
    ),
    'accountEvents have the first security header, after it was changed': alter({
      deliveryHeaders: (_, facts, past) =>
        past.rules.deliveryHeaders(
          isAccountEvent(facts)
            ? { ...facts, settings: firstCalled(facts, past.of('deliveryHeaders')) }
            : facts,
        ),
    }),
  }),
  ...defectsOf([WEB.securityHeaderIsSentInEachCall], {
    'A security header of one character is not sent': authorization((sent) =>
      sent?.length === 1 ? undefined : sent,
    ),
    'Every second call to an application lacks the security header': authorization(
      (sent, { client }, past) =>
        past.of('deliveryHeaders').filter(({ facts }) => facts.client === client).length % 2 === 1
          ? undefined
          : sent,
    ),
    'The security header is sent in transactionEvents only': when(isAccountEvent, withoutHeader),
    'The security header is not sent after webhooks were disabled and enabled again': authorization(
      (sent, facts, past) => (savedBy(facts, past).some(({ enabled }) => !enabled) ? undefined : sent),
    ),
    'The security header is not sent after the URL was changed': when(
      ({ settings }) => settings.url.endsWith('/moved'),
      withoutHeader,
    ),
  }),
  ...defectsOf([WEB.emptySecurityHeaderSendsNone], {
    'Without a security header, calls have an Authorization header with empty credentials': authorization(
      (sent) => sent ?? 'Basic Og==',
    ),
    'Calls have an Authorization header with empty credentials once the security header was removed':
      authorization((sent, facts, past) =>
        facts.settings.securityHeader === '' && savedBy(facts, past).some(isSet) ? 'Basic Og==' : sent,
      ),
  }),
  ...defectsOf([WEB.removedSecurityHeaderIsNotSent, WEB.emptySecurityHeaderSendsNone], {
    'A removed security header is still sent': authorization((sent, facts, past) =>
      facts.settings.securityHeader === '' ? savedBy(facts, past).findLast(isSet)?.securityHeader : sent,
    ),
  }),
]

const toAll = alter({ recipients: (_, { clients }) => clients })

const addresses: readonly Defect[] = [
  ...defectsOf([WEB.callsGoToTheConfiguredUrl, WEB.callToAFacIsComplete], {
    'Calls have the name of the event as a parameter of the configured URL': alter({
      deliveryAddress: (url, { event }) => `${url}?event=${event}`,
    }),
  }),
  ...defectsOf([WEB.callsGoToTheConfiguredUrl], {
    'An accountEvent is sent to another path, below the configured URL': when(
      isAccountEvent,
      alter({ deliveryAddress: (url) => `${url}/accounts` }),
    ),
  }),
  ...defectsOf([WEB.callsGoToTheConfiguredUrl, WEB.oldUrlIsNotCalled], {
    'The first webhook URL is called after it was changed': alter(
      { deliveryAddress: (url, facts, past) => savedBy(facts, past)[0]?.url ?? url },
      'settingsKept',
    ),
  }),
  ...defectsOf([WEB.oldUrlIsNotCalled], {
    'The first webhook URL and the new one are both called': alter(
      {
        deliveryCopies: 2,
        deliveryAddress: (url, facts, past) =>
          (past.calls % 2 === 0 ? savedBy(facts, past)[0]?.url : undefined) ?? url,
      },
      'settingsKept',
    ),
    'accountEvents go to the first URL, after it was changed': when(
      isAccountEvent,
      alter({ deliveryAddress: (_, facts, past) => firstCalled(facts, past.of('deliveryAddress')).url }),
    ),
  }),
  ...defectsOf([WEB.anotherApplicationIsNotNotified], {
    'Every application whose webhooks are active is notified of every change': toAll,
    'An accountEvent is sent to every application whose webhooks are active': when(isAccountEvent, toAll),
    'A transactionEvent is sent to every application whose webhooks are active': when(
      isTransactionEvent,
      toAll,
    ),
  }),
]

/** Another body of a transactionEvent to a FAC. */
const toAFac = (change: (members: Members) => Members) =>
  when(isOfAFac, alter({ transactionEventBody: (body) => change(membersOf(body)) }))

/** A second call after each transactionEvent. */
const followedBy = (
  content: (facts: FactsOf<'deliveryContent'>, past: Past<never>) => AnswerOf<'deliveryContent'>,
) =>
  when(
    isTransactionEvent,
    alter({
      deliveryCopies: 2,
      deliveryContent: (sent, facts, past) => (past.calls % 2 === 0 ? content(facts, past) : sent),
    }),
  )

const events: readonly Defect[] = [
  ...defectsOf([WEB.everyCallIsOneOfTheTwoEvents, WEB.callToAFacIsComplete], {
    'A transactionEvent is followed by an event of a third kind, with a balance': followedBy(
      (facts, { rules }) => {
        const { consentId } = membersOf(facts.plainBody)
        const third = { consentId, balances: [{ amount: 12.34, currency: 'EUR' }] }
        return rules.deliveryContent({ ...facts, body: rules.eventForm({ ...facts, body: third }) })
      },
    ),
  }),
  ...defectsOf([WEB.everyCallCarriesAnEvent], {
    'A transactionEvent is followed by a call that has a balance, and no field of an event': followedBy(() =>
      JSON.stringify({ type: 'BALANCE', amount: 12.34 }),
    ),
    'A transactionEvent is followed by an empty call': followedBy(() => ''),
  }),
  ...defectsOf([WEB.facIsNotified], {
    'Only TPPs are notified': alter({
      recipients: (clients) => clients.filter(({ kind }) => kind === 'TPP'),
    }),
  }),
  ...defectsOf([WEB.callToAFacIsComplete], {
    'The security header is sent to TPPs only': when(isOfAFac, withoutHeader),
    'The eventType of a transactionEvent to a FAC is UPDATE': toAFac((body) => ({
      ...body,
      eventType: 'UPDATE',
    })),
    'A transactionEvent to a FAC has no accounts': toAFac((body) => ({ ...body, accounts: [] })),
  }),
]

/** What the application has saved last in the sandbox. */
const savedInTheSandbox = ({ client }: Pick<Delivery, 'client'>, past: Past<'settingsKept'>) =>
  past.of('settingsKept').findLast(({ facts }) => facts.environment === 'sandbox' && facts.client === client)
    ?.answer

const environments = defectsOf([WEB.settingsOfOneEnvironment], {
  'Webhooks that are enabled in the sandbox are called for changes in production as well': when(
    ({ environment }) => environment === 'production',
    alter(
      {
        webhookIsActive: (is, facts, past) => is || savedInTheSandbox(facts, past)?.enabled === true,
        deliveryAddress: (url, facts, past) => url || (savedInTheSandbox(facts, past)?.url ?? url),
      },
      'settingsKept',
    ),
  ),
})

export const callDefects: readonly Defect[] = [...securityHeaders, ...addresses, ...events, ...environments]
