/** Notifications with other bodies, other HTTP messages and at other times. */
import { gzipSync } from 'node:zlib'
import { alter } from '../changes/alter.ts'
import { membersOf } from '../changes/answer.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'
import { randomUUID } from '../random.ts'
import { SECOND } from '../rules/facts.ts'
import { changeObjects, escapedJson, escapeHtml, reversed, withFurtherMembers } from './words.ts'

/** Another form of every event. */
const events = (form: (event: unknown) => unknown) => alter({ eventForm: form })

const encodedAs = (type: string, encode: (event: unknown) => string | Uint8Array<ArrayBuffer>) =>
  alter({
    deliveryHeaders: (usual) => ({
      ...Object.fromEntries(Object.entries(usual).filter(([name]) => name.toLowerCase() !== 'content-type')),
      'content-type': type,
    }),
    deliveryContent: (_, { body }) => encode(body),
  })

const isNothing = (value: unknown): boolean => value === null || value === undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `accounts[0][accountId]`. */
const parametersOf = (value: unknown, name = ''): [string, string][] =>
  typeof value === 'object'
    ? Object.entries(value ?? {}).flatMap(([key, inner]) =>
        parametersOf(inner, name === '' ? key : `${name}[${key}]`),
      )
    : [[name, textOf(value)]]

const xmlOf = (value: unknown): string =>
  typeof value === 'object'
    ? Object.entries(value ?? {})
        .flatMap(([name, inner]) =>
          Array.isArray(inner) ? inner.map((item) => [name, item] as const) : [[name, inner] as const],
        )
        .map(([name, inner]) => (isNothing(inner) ? `<${name}/>` : `<${name}>${xmlOf(inner)}</${name}>`))
        .join('')
    : escapeHtml(textOf(value))

/** The members that only one of the two events has. */
const NULLS = { eventType: null, taskId: null, taskStatus: null, bankCode: null, bankName: null }

export const webhookVariations: readonly Variation[] = variationsOf({
  'Every object of an event has further members': events((event) => changeObjects(event, withFurtherMembers)),
  'Events have their members in the opposite order': events((event) => changeObjects(event, reversed)),
  'Events have null for the members of the other event': events((event) => ({
    ...NULLS,
    ...membersOf(event),
  })),
  'Every event has an id and a time': events((event) => ({
    ...membersOf(event),
    eventId: randomUUID(),
    createdAt: '2026-01-05T09:00:00.000+01:00',
  })),
  'An event is in a member of another object': events((event) => ({ event })),
  'Events are indented and have escaped letters': alter({
    deliveryContent: (_, { body }) => `\n${escapedJson(JSON.stringify(body, null, 2))}\n`,
  }),
  'Events are sent with PUT': alter({ deliveryMethod: 'PUT' }),
  'The media type of an event has a charset': alter({
    deliveryHeaders: (headers) => ({ ...headers, 'content-type': 'application/json;charset=UTF-8' }),
  }),
  'Events have header names in capitals, and one header more': alter({
    deliveryHeaders: (usual) => {
      const headers = Object.entries({ ...usual, 'x-request-id': randomUUID() })
      return Object.fromEntries(headers.map(([name, value]) => [name.toUpperCase(), value]))
    },
  }),
  'Events are compressed': alter({
    deliveryHeaders: (headers) => ({ ...headers, 'content-encoding': 'gzip' }),
    deliveryContent: (content) => new Uint8Array(gzipSync(content)),
  }),
  'Events are forms': encodedAs('application/x-www-form-urlencoded', (event) =>
    new URLSearchParams(parametersOf(event)).toString(),
  ),
  'Events are JSON in a field of a form': encodedAs('application/x-www-form-urlencoded', (event) =>
    new URLSearchParams({ payload: JSON.stringify(event) }).toString(),
  ),
  'Events are XML': encodedAs(
    'application/xml',
    (event) => `<?xml version="1.0"?>\n<n:event xmlns:n="urn:bank">${xmlOf(event)}</n:event>`,
  ),
  'Events are in UTF-16': encodedAs('application/json; charset=utf-16', (event) => {
    return new Uint8Array(Buffer.from(`\uFEFF${JSON.stringify(event)}`, 'utf16le'))
  }),
  'A transactionEvent is sent half a minute after the booking': alter({ transactionEventDelay: 30 * SECOND }),
  'A transactionEvent is sent at the moment of the booking': alter({ transactionEventDelay: 0 }),
  'Every second transactionEvent arrives before an earlier one': alter({
    transactionEventDelay: (_, __, { calls }) => (calls % 2 === 1 ? 6 * SECOND : SECOND),
  }),
  'Every event is sent twice': alter({ deliveryCopies: 2 }),
  'A delivery that fails is not repeated': alter({ retryDelay: undefined }),
  'Bookings within a few seconds share one transactionEvent': alter({
    transactionEventDelay: 10 * SECOND,
    noticeJoined: (_, { waiting }) => waiting[0],
  }),
  'Earlier bookings are notified once webhooks are active': alter({
    notifiedAt: (_, { due, activeFrom }) => (activeFrom && activeFrom > due ? activeFrom : activeFrom && due),
  }),
  'Wrong webhook settings are refused with 400': alter({ settingsRefusalStatus: 400 }),
  'Wrong webhook settings are refused with 409': alter({ settingsRefusalStatus: 409 }),
  'Changed webhook settings wait for the next full hour again': alter({
    enabledSince: (_, { enabled, now }) => (enabled ? now : undefined),
  }),
})
