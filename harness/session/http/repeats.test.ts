import { afterEach, describe, expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { startRawServer } from '../../testing/faults/raw-server.ts'
import * as responses from '../../testing/faults/fault-responses.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { openConnections } from '../../connection/connections.ts'
import { createHttp } from './http.ts'
import type { RawServer, Respond } from '../../testing/faults/raw-server.ts'
import { OPERATIONS, type Effect, type Operation } from '../../evidence/exchange.ts'
import { permitsAnywhere } from './permissions.ts'

/** A request that creates something is sent once, unless a second one does no harm. */

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(undo.splice(0).map((close) => close()))
})

const CREATING = [
  'createConsent',
  'token',
  'refresh',
  'initiatePayment',
  'submitPayment',
  'authorizePayment',
  'applyForLoan',
  'selectLoanScenario',
  'loanToken',
  'configureWebhook',
] as const satisfies readonly Operation[]

/** The deadline for a target that does not complete its answer. */
const SILENT_MS = 300
const REQUEST_MS = 20_000
const SILENT: ReadonlySet<Respond> = new Set([responses.silence, responses.headThenSilence])

/** The number of requests to a target that treats its first calls in this way, and answers later ones. */
const askedOf = async (
  operation: Operation,
  respond: Respond,
  { isPatient = true, idempotent = [] as readonly Effect[] } = {},
): Promise<RawServer> => {
  const server = await startRawServer(responses.first(1, respond, responses.json(200, {})))
  const connections = openConnections(parsedProfile())
  undo.push(
    () => server.close(),
    () => connections.close(),
  )
  const http = createHttp({
    scenario: 'sample',
    dispatcher: connections.dispatcher,
    origins: [server.url],
    headers: {},
    permits: permitsAnywhere(['read', 'consent', 'notify', 'apply', 'pay']),
    requestMs: SILENT.has(respond) ? SILENT_MS : REQUEST_MS,
    now: () => new Date(),
    redactor: createRedactor([]),
    journal: { write: () => undefined, close: () => undefined },
    onExchange: () => undefined,
    idempotent,
    ...(isPatient && { pause: async () => undefined }),
  })
  const url = `${server.url}/create`
  await http.send({ operation, sender: 'scenario', method: 'POST', url, headers: [], text: '{}' })
  return server
}

const LEAVES_OPEN = {
  'is silent': responses.silence,
  'begins an answer and stops': responses.headThenSilence,
  'resets the connection': responses.resetBeforeAnswer,
  'closes the connection': responses.closeBeforeAnswer,
  'interrupts its answer': responses.closeDuringBody,
  'is behind a gateway that answers 504': responses.emptyBody(504),
  'answers 503 without Retry-After': responses.emptyBody(503),
} as const

describe.each(CREATING)('%s is sent once to a target that', (operation) => {
  test.each(Object.entries(LEAVES_OPEN))('%s', async (_, respond) => {
    expect((await askedOf(operation, respond)).calls.length).toBe(1)
  })
})

const HARMLESS: readonly Operation[] = ['createConsent', 'token', 'refresh']

test.each(CREATING)(
  '%s is sent again to a target that answers 500 only if a second one does no harm',
  async (operation) => {
    const { calls } = await askedOf(operation, responses.emptyBody(500))
    expect(calls.length).toBe(HARMLESS.includes(operation) ? 2 : 1)
  },
)

const TURNS_AWAY = {
  'has too many requests': responses.emptyBody(429),
  'answers with Retry-After': responses.answer(503, '', { 'retry-after': 1 }),
} as const

describe.each(CREATING)('%s is sent again, unless it pays or applies, to a target that', (operation) => {
  const effect = OPERATIONS[operation].effect
  const isOnce = effect === 'pay' || effect === 'apply'
  test.each(Object.entries(TURNS_AWAY))('%s', async (_, respond) => {
    expect((await askedOf(operation, respond)).calls.length).toBe(isOnce ? 1 : 2)
    expect((await askedOf(operation, respond, { idempotent: [effect] })).calls.length).toBe(2)
  })
})

test('without a shared target there is no wait, and the request is sent once', async () => {
  expect((await askedOf('createConsent', responses.emptyBody(429), { isPatient: false })).calls.length).toBe(
    1,
  )
})
