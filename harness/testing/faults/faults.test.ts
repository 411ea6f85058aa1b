import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { startBank, type RunningBank } from '../../bank/server.ts'
import { EXIT_CODES } from '../../report/conclude.ts'
import { startRawServer, type RawServer, type Respond } from './raw-server.ts'
import { judgedIn, reasonsIn, scratchFolders, verdictsIn, writeProfile } from './run.ts'
import { runInProcess, type EndedInProcess } from './run-in-process.ts'
import { pace } from '../pace.ts'
import { LISTED_FAULTS } from './listed-faults.ts'
import { relayTo } from './relay.ts'
import { TARGET_FAULTS, UNANSWERED, type TargetFault } from './servers.ts'
import * as responses from './fault-responses.ts'

const folders = scratchFolders()

const undo: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(undo.map((close) => close()))
})

const serve = async (respond: Respond): Promise<RawServer> => {
  const server = await startRawServer(respond)
  undo.push(() => server.close())
  return server
}

const bank = async (): Promise<RunningBank> => {
  const running = await startBank()
  undo.push(() => running.close())
  return running
}

type Cost = Pick<TargetFault, 'cost'>

/** Short if only the deadline ends a request; otherwise longer than a busy machine needs. */
const REQUEST_MS = Math.round(30_000 * pace)
const deadlineFor = ({ cost }: Cost): number => (cost === 'hangs' ? 2_000 : REQUEST_MS)
const selectionFor = ({ cost }: Cost): readonly string[] =>
  cost === undefined ? ['consent'] : ['CON-01', 'CON-04']
/** A test that keeps this process busy would exceed the deadlines of concurrent tests. */
const testOf = ({ cost }: Cost) => (cost === 'heavy' ? test : test.concurrent)

interface CertifyOptions {
  readonly requestMs?: number
  readonly runMs?: number
  readonly args?: readonly string[]
}

const certify = (url: string, only: readonly string[], options: CertifyOptions = {}) => {
  const folder = folders()
  const { requestMs = REQUEST_MS, runMs = 2 * REQUEST_MS, args = [] } = options
  const profile = writeProfile(folder, { deadlines: { requestMs, runMs } })
  return runInProcess(folder, [`--base-url=${url}`, `--profile=${profile}`, ...args, '--only', ...only])
}

/** A fault of the target is neither a violation of a requirement nor an error of the harness. Takes about 40 s. */
const expectNoFailure = (ended: EndedInProcess): void => {
  const failed = judgedIn(ended).filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error')
  expect(failed).toEqual([])
  expect(judgedIn(ended)).not.toEqual([])
}

describe('a target that, from the first call on,', () => {
  for (const fault of TARGET_FAULTS)
    testOf(fault)(fault.title, async () => {
      const { start, ends, cause } = fault
      const server = await start()
      undo.push(() => server.close())
      const requestMs = deadlineFor(fault)
      const ended = await certify(server.url, selectionFor(fault), { requestMs })

      expectNoFailure(ended)
      expect(ended.report?.conclusion).toBe(ends)
      expect(ended.exitCode).toBe(EXIT_CODES[ends])
      expect(reasonsIn(ended)).toContainEqual(expect.stringMatching(cause))
      if (ends === 'unreachable') expect(verdictsIn(ended)).toEqual(['not-reached'])
      expect(ended.evidence[0]).toMatchObject({ sender: 'probe' })
    })
})

describe('a target that answers the probe and then', () => {
  for (const fault of UNANSWERED.filter(({ ends }) => ends === 'unreachable'))
    testOf(fault)(fault.title, async () => {
      const { respond = responses.silence, cause } = fault
      const server = await serve(responses.first(1, responses.unauthorized, respond))
      const requestMs = deadlineFor(fault)
      const ended = await certify(server.url, selectionFor(fault), { requestMs })

      expectNoFailure(ended)
      expect(ended.exitCode).toBe(2)
      expect(verdictsIn(ended)).toContain('inconclusive')
      expect(reasonsIn(ended)).toContainEqual(expect.stringMatching(cause))
    })
})

describe('of each group of `npm run faults`, one fault is named for what it is:', () => {
  const groups = new Map(LISTED_FAULTS.map((fault) => [fault.group, fault]))
  // These wait, and the first group has its own tests above.
  const isLeftToTheCommand = (group: string): boolean => /^(throttling|a chapter|transport)/.test(group)
  test.each([...groups.values()].filter(({ group }) => !isLeftToTheCommand(group)))(
    '$group: $title',
    async (fault) => {
      const server = await fault.start()
      undo.push(() => server.close())
      const folder = folders()
      const profile = writeProfile(folder, { ...fault.profile, ...server.profile })
      const args = [`--base-url=${server.url}`, `--profile=${profile}`, '--only', ...fault.only]
      const ended = await runInProcess(folder, args)
      if (fault.isOfBank === undefined) expectNoFailure(ended)
      expect(fault.ends).toContain(ended.report?.conclusion)
      if (fault.cause !== undefined && !/conform/.test(ended.report?.conclusion ?? ''))
        expect(reasonsIn(ended)).toContainEqual(expect.stringMatching(fault.cause))
    },
  )
})

describe('the evidence', () => {
  test('keeps the beginning of a long answer, with the size and the hash of the whole', async () => {
    const server = await serve(responses.tenMebibytes)
    const { evidence } = await certify(server.url, ['CON-01'])
    const body = evidence.find(({ sender }) => sender === 'scenario')?.response?.body
    expect(body).toEqual({
      text: expect.stringMatching(
        /^\{"consentId":"c-1","filling":"x{256}\.\.\. \(10485760 characters/,
      ) as unknown,
      bytes: responses.TEN_MIB.length,
      shortenedFrom: createHash('sha256').update(responses.TEN_MIB).digest('hex'),
    })
  })

  test('records the fault of each attempt that got no answer', async () => {
    const server = await serve(responses.resetBeforeAnswer)
    const { evidence } = await certify(server.url, ['CON-01'])
    expect(evidence.map(({ id, fault }) => [id, fault?.kind])).toEqual([
      ['probe/1', 'reset'],
      ['probe/2', 'reset'],
    ])
  })
})

describe('a conforming bank', () => {
  const CHOSEN = ['CON-01', 'CON-09', 'CON-15']

  test('passes if every answer closes its connection', async () => {
    const closing =
      (bank: Respond): Respond =>
      (socket, call) =>
        bank(responses.closingAfterAnswer(socket), call)
    const { url } = await serve(closing(relayTo(await bank())))
    const ended = await certify(url, CHOSEN)
    expect(verdictsIn(ended)).toEqual(['pass'])
  })

  test('passes if a connection is dropped as soon as it is reused', async () => {
    const { url } = await serve(responses.onlyOnFreshConnections(relayTo(await bank())))
    const ended = await certify(url, CHOSEN)
    expect(verdictsIn(ended)).toEqual(['pass'])
    const dropped = ended.evidence.filter(({ fault }) => fault !== undefined)
    expect(new Set(dropped.map(({ effect }) => effect)).size).toBeLessThan(2)
    expect(dropped.every(({ request }) => request.method === 'GET')).toBe(true)
  })

  test('is inconclusive if it stops in the middle of the run', async () => {
    const answer = relayTo(await bank())
    const stopping = await serve((socket, call) => {
      if (call.number <= 12) answer(socket, call)
      else void stopping.close()
    })
    const ended = await certify(stopping.url, ['consent'], { args: ['--concurrency', '1'] })
    expectNoFailure(ended)
    expect(ended.exitCode).toBe(2)
    expect(verdictsIn(ended)).toEqual(expect.arrayContaining(['inconclusive', 'pass']))
    expect(reasonsIn(ended)).toContainEqual(expect.stringMatching(/nothing listens there/))
  })
})

describe('a bank that answers a server error to the transactions of an account without any', () => {
  /** The scenario asks for those of another account first. */
  const failing = (
    status: number,
    isMeant: (path: string, asked: readonly string[]) => boolean,
    relay: Respond,
  ) => {
    const asked: string[] = []
    return serve((socket, call) => {
      const [path = ''] = call.path.split('?')
      const isOfTransactions = call.method === 'GET' && path.endsWith('/transactions')
      if (isOfTransactions) asked.push(path)
      const respond = isOfTransactions && isMeant(path, asked) ? responses.json(status, {}) : relay
      respond(socket, call)
    })
  }

  test.each([500, 503])('once (%i) passes', async (status) => {
    const { url } = await failing(status, (_, asked) => asked.length === 2, relayTo(await bank()))
    const ended = await certify(url, ['TRX-08'])
    expect(verdictsIn(ended)).toEqual(['pass'])
  })

  test('and then to every account is no failure', async () => {
    const { url } = await failing(500, (_, asked) => asked.length > 1, relayTo(await bank()))
    const ended = await certify(url, ['TRX-08'])
    expectNoFailure(ended)
    expect(verdictsIn(ended)).toEqual(['inconclusive'])
    expect(ended.exitCode).toBe(2)
  })

  test('each time, and to no other, is a failure', async () => {
    const { url } = await failing(500, (path, [first]) => path !== first, relayTo(await bank()))
    const ended = await certify(url, ['TRX-08'])
    expect(verdictsIn(ended)).toEqual(['fail'])
    expect(ended.exitCode).toBe(1)
  })
})

test('a warning says that the address may be wrong', async () => {
  const server = await serve(responses.html(404))
  const { warnings } = await certify(server.url, ['CON-01'])
  expect(warnings).toEqual([
    `warning: TGT-PATH-2 Nothing is found at an address: GET ${server.url}/premium/sandbox/v1/accounts (basePaths.sandbox) answers 404. Correct \`baseUrl\` (or --base-url), the base path, or the path of the operation.`,
  ])
})

describe('a target that has stopped answering', () => {
  const stopped = responses.first(1, responses.unauthorized, responses.silence)

  test('receives no more requests of an operation after five in a row without an answer', async () => {
    const server = await serve(stopped)
    const ended = await certify(server.url, ['consent'], {
      requestMs: Math.round(300 * pace),
      args: ['--concurrency', '1'],
    })
    const sent = ended.evidence.filter(({ sender }) => sender === 'scenario')
    expect(sent.filter(({ operation }) => operation === 'createConsent')).toHaveLength(5)
    const reason =
      /^not sent: 5 requests in a row of the operation createConsent at \S+ were not answered; the last one had no answer: no whole/
    expect(reasonsIn(ended)).toContainEqual(expect.stringMatching(reason))
    expect(ended.exitCode).toBe(2)
  })

  test('delays the run no longer than its deadline', async () => {
    const server = await serve(stopped)
    const ended = await certify(server.url, ['consent'], { runMs: 300 })
    expectNoFailure(ended)
    expect(ended.exitCode).toBe(2)
    expect(reasonsIn(ended)).toContain('the deadline of the run (1 s) passed before this was done')
    expect(ended.ms).toBeLessThan(REQUEST_MS)
  })

  test('does not delay the end of an interrupted run', async () => {
    const stop = new AbortController()
    const server = await serve(() => stop.abort())
    const folder = folders()
    const profile = writeProfile(folder, { deadlines: { requestMs: REQUEST_MS } })
    const args = [`--base-url=${server.url}`, `--profile=${profile}`, '--only', 'consent']
    const ended = await runInProcess(folder, args, stop.signal)
    expect(ended.report?.conclusion).toBe('interrupted')
    expect(ended.evidence).toMatchObject([{ sender: 'probe', fault: { cause: 'RUN_ENDED' } }])
    expect(ended.ms).toBeLessThan(REQUEST_MS)
  })
})

describe('another origin', () => {
  const responsesTo: readonly (readonly [string, (elsewhere: string) => Respond])[] = [
    ['a redirect', (elsewhere) => responses.redirectTo(`${elsewhere}/v1/consents`)],
    [
      'a permanent redirect of the same request',
      (elsewhere) => responses.answer(308, '', { location: elsewhere }),
    ],
    ['a login form', (elsewhere) => responses.loginForm(`${elsewhere}/login`)],
  ]
  test.each(responsesTo)('receives no request after %s', async (_, responseTo) => {
    const elsewhere = await serve(responses.unauthorized)
    const server = await serve(responseTo(elsewhere.url))
    const ended = await certify(server.url, ['consent', 'TOK-01'])
    expectNoFailure(ended)
    expect(ended.evidence.length).toBeGreaterThan(10)
    expect(elsewhere.calls).toEqual([])
  })
})
