import { afterEach, describe, expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { startRawServer } from '../../testing/faults/raw-server.ts'
import * as treat from '../../testing/faults/fault-responses.ts'
import { sampleProfile } from '../../profile/sample.ts'
import { profileSchema } from '../../profile/schema.ts'
import { openConnections } from '../../target/connections.ts'
import { createHttp } from './http.ts'
import type { RawServer, Treat } from '../../testing/faults/raw-server.ts'
import type { Operation } from '../../evidence/exchange.ts'
import { permitsAnywhere } from './permissions.ts'

/** What creates something is sent once, unless the target says that it has not looked at it. */

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

/** Of a target that does not end its answer; any other answers at once, however busy this machine is. */
const SILENT_MS = 300
const REQUEST_MS = 20_000
const SILENT: ReadonlySet<Treat> = new Set([treat.silence, treat.headThenSilence])

/** How often a target is asked that treats its first calls so, and answers the later ones. */
const askedOf = async (operation: Operation, treatment: Treat, isPatient = true): Promise<RawServer> => {
  const server = await startRawServer(treat.first(1, treatment, treat.json(200, {})))
  const connections = openConnections(profileSchema.parse(sampleProfile()))
  undo.push(
    () => server.close(),
    () => connections.close(),
  )
  const http = createHttp({
    ...{ scenario: 'sample', dispatcher: connections.dispatcher, origins: [server.url], headers: {} },
    permits: permitsAnywhere(['read', 'consent', 'notify', 'apply', 'pay']),
    requestMs: SILENT.has(treatment) ? SILENT_MS : REQUEST_MS,
    now: () => new Date(),
    redactor: createRedactor([]),
    journal: { write: () => undefined, close: () => undefined },
    onExchange: () => undefined,
    ...(isPatient && { pause: async () => undefined }),
  })
  const url = `${server.url}/create`
  await http.send({ operation, sender: 'scenario', method: 'POST', url, headers: [], text: '{}' })
  return server
}

const LEAVES_OPEN = {
  'is silent': treat.silence,
  'begins an answer and stops': treat.headThenSilence,
  'resets the connection': treat.resetBefore,
  'closes the connection': treat.closeBefore,
  'breaks off its answer': treat.resetAmid,
  'breaks down': treat.nothing(500),
  'is behind a gateway that gave it up': treat.nothing(504),
  'is unavailable for nobody knows how long': treat.nothing(503),
} as const

describe.each(CREATING)('%s is sent once to a target that', (operation) => {
  test.each(Object.entries(LEAVES_OPEN))('%s', async (_, treatment) => {
    expect((await askedOf(operation, treatment)).calls.length).toBe(1)
  })
})

const TURNS_AWAY = {
  'has too many requests': treat.nothing(429),
  'names a time to come back': treat.answer(503, '', { 'retry-after': 1 }),
} as const

describe.each(CREATING)('%s is sent again to a target that', (operation) => {
  test.each(Object.entries(TURNS_AWAY))('%s', async (_, treatment) => {
    expect((await askedOf(operation, treatment)).calls.length).toBe(2)
  })
})

test('nobody waits for a target of one scenario alone: then it is sent once', async () => {
  expect((await askedOf('createConsent', treat.nothing(429), false)).calls.length).toBe(1)
})
