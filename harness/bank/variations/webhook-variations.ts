/** Notifications with other bodies, other HTTP messages and at other times. */
import { randomUUID } from '../random.ts'
import { gzipSync } from 'node:zlib'
import type { RuleChange, Variation } from '../defect.ts'
import { SECOND } from '../rules/facts.ts'
import { changeObjects } from './wires.ts'

type Members = Readonly<Record<string, unknown>>

/** Changes the form of every event. */
const reworded =
  (change: (event: unknown) => unknown): RuleChange =>
  (lawful) => ({ eventForm: (facts) => change(lawful.eventForm(facts)) })

const withFurtherMembers = (members: Members): unknown => ({
  version: 2,
  ...members,
  links: { self: '/', tags: [{ rank: 1 }] },
  note: null,
})

const reversed = (members: Members): unknown => Object.fromEntries(Object.entries(members).reverse())

/** The members that only one of the two events has. */
const NOTHING = { eventType: null, taskId: null, taskStatus: null, bankCode: null, bankName: null }

const escaped = (text: string): string =>
  text
    .replaceAll('/', '\\/')
    .replace(/[^ -~\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const contentVariations: readonly Variation[] = [
  {
    id: 'webhook-extra-members',
    story: 'Every object of an event has further members.',
    rules: reworded((event) => changeObjects(event, withFurtherMembers)),
  },
  {
    id: 'webhook-members-in-other-order',
    story: 'The members of every object of an event have the opposite order.',
    rules: reworded((event) => changeObjects(event, reversed)),
  },
  {
    id: 'webhook-null-for-what-is-not-there',
    story: 'Both events have the members of either, and null for those that are not their own.',
    rules: reworded((event) => ({ ...NOTHING, ...(event as Members) })),
  },
  {
    id: 'webhook-event-ids',
    story: 'Every event has an id and a time.',
    rules: reworded((event) => ({
      ...(event as Members),
      eventId: randomUUID(),
      createdAt: '2026-01-05T09:00:00.000+01:00',
    })),
  },
  {
    id: 'webhook-in-an-envelope',
    story: 'An event is in a member of another object.',
    rules: reworded((event) => ({ event })),
  },
  {
    id: 'webhook-pretty-printed',
    story: 'Events are indented, and escape every slash and every letter beyond ASCII.',
    rules: { deliveryContent: ({ body }) => `\n${escaped(JSON.stringify(body, null, 2))}\n` },
  },
]

const wireVariations: readonly Variation[] = [
  {
    id: 'webhook-by-put',
    story: 'Events are sent with PUT.',
    rules: { deliveryMethod: () => 'PUT' },
  },
  {
    id: 'webhook-with-charset',
    story: 'The media type of an event names its charset.',
    rules: (lawful) => ({
      deliveryHeaders: (facts) => ({
        ...lawful.deliveryHeaders(facts),
        'content-type': 'application/json;charset=UTF-8',
      }),
    }),
  },
  {
    id: 'webhook-headers-in-capitals',
    story: 'The names of headers are in capitals, and there are more of them.',
    rules: (lawful) => ({
      deliveryHeaders: (facts) => {
        const headers = Object.entries({ ...lawful.deliveryHeaders(facts), 'x-request-id': randomUUID() })
        return Object.fromEntries(headers.map(([name, value]) => [name.toUpperCase(), value]))
      },
    }),
  },
  {
    id: 'webhook-gzip',
    story: 'Events are compressed.',
    rules: (lawful) => ({
      deliveryHeaders: (facts) => ({ ...lawful.deliveryHeaders(facts), 'content-encoding': 'gzip' }),
      deliveryContent: (facts) => new Uint8Array(gzipSync(lawful.deliveryContent(facts))),
    }),
  },
]

const timeVariations: readonly Variation[] = [
  {
    id: 'webhook-slow',
    story: 'A transactionEvent is sent half a minute after the booking.',
    rules: { transactionEventDelay: () => 30 * SECOND },
  },
  {
    id: 'webhook-at-once',
    story: 'A transactionEvent is sent at the moment of the booking.',
    rules: { transactionEventDelay: () => 0 },
  },
  {
    id: 'webhook-out-of-order',
    story: 'Every second transactionEvent arrives before the one that was sent earlier.',
    rules: () => {
      let events = 0
      return { transactionEventDelay: () => (++events % 2 === 1 ? 6 * SECOND : SECOND) }
    },
  },
  {
    id: 'webhook-twice',
    story: 'Every event is sent twice.',
    rules: { deliveryCopies: () => 2 },
  },
  {
    id: 'webhook-never-repeated',
    story: 'A delivery that fails is not repeated.',
    rules: { retryDelay: () => undefined },
  },
  {
    id: 'webhook-in-batches',
    story: 'Bookings within a few seconds share one transactionEvent for each consent.',
    rules: {
      transactionEventDelay: () => 10 * SECOND,
      noticeJoined: ({ waiting }) => waiting[0],
    },
  },
  {
    id: 'webhook-catches-up',
    story: 'Bookings while webhooks are enabled and not active yet are notified once they are active.',
    rules: {
      notifiedAt: ({ due, activeFrom }) => (activeFrom && activeFrom > due ? activeFrom : activeFrom && due),
    },
  },
]

const settingsVariations: readonly Variation[] = [
  {
    id: 'settings-refused-with-400',
    story: 'Webhook settings that are refused are answered with 400.',
    rules: { settingsRefusalStatus: () => 400 },
  },
  {
    id: 'settings-refused-with-409',
    story: 'Webhook settings that are refused are answered with 409.',
    rules: { settingsRefusalStatus: () => 409 },
  },
  {
    id: 'settings-wait-anew',
    story: 'Enabled webhooks that are changed wait for the next full hour again.',
    rules: { enabledSince: ({ enabled, now }) => (enabled ? now : undefined) },
  },
]

export const webhookVariations: readonly Variation[] = [
  ...contentVariations,
  ...wireVariations,
  ...timeVariations,
  ...settingsVariations,
]
