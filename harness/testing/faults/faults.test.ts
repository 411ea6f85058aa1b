import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { type RunningBank, startBank } from '../../bank/server.ts'
import { KEPT_BYTES } from '../../evidence/recorder.ts'
import { EXIT_CODES } from '../../report/conclude.ts'
import { type RawServer, startRawServer, type Treat } from './raw-server.ts'
import {
  judgedIn,
  reasonsIn,
  rehearse,
  scratchFolders,
  verdictsIn,
  writeProfile,
  type Rehearsed,
} from './run.ts'
import { relayTo } from './relay.ts'
import { type Misfortune, MISFORTUNES, UNANSWERED } from './servers.ts'
import * as treat from './fault-responses.ts'

const folders = scratchFolders()

const undo: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(undo.map((close) => close()))
})

const serve = async (treatment: Treat): Promise<RawServer> => {
  const server = await startRawServer(treatment)
  undo.push(() => server.close())
  return server
}

const bank = async (): Promise<RunningBank> => {
  const running = await startBank()
  undo.push(() => running.close())
  return running
}

type Burden = Pick<Misfortune, 'burden'>

/** Short where only the deadline ends a request; else so long that no busy machine comes near it. */
const deadlineFor = ({ burden }: Burden): number => (burden === 'hangs' ? 500 : 30_000)
const selectionFor = ({ burden }: Burden): readonly string[] =>
  burden === undefined ? ['consent'] : ['CON-01', 'CON-04']
/** What keeps this process busy would make the deadlines of its neighbours pass. */
const testOf = ({ burden }: Burden) => (burden === 'heavy' ? test : test.concurrent)

interface Circumstances {
  readonly requestMs?: number
  readonly runMs?: number
  readonly args?: readonly string[]
}

const certify = (url: string, only: readonly string[], circumstances: Circumstances = {}) => {
  const folder = folders()
  const { requestMs = 30_000, runMs = 60_000, args = [] } = circumstances
  const profile = writeProfile(folder, { deadlines: { requestMs, runMs } })
  return rehearse(folder, [`--base-url=${url}`, `--profile=${profile}`, ...args, '--only', ...only])
}

/** No misfortune is a violation of the target or a fault of ours. */
const blamesNobody = (remains: Rehearsed): void => {
  const blamed = judgedIn(remains).filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error')
  expect(blamed).toEqual([])
  expect(judgedIn(remains)).not.toEqual([])
}

describe('a target that from the first call on', () => {
  for (const misfortune of MISFORTUNES)
    testOf(misfortune)(misfortune.title, async () => {
      const { start, ends, cause } = misfortune
      const server = await start()
      undo.push(() => server.close())
      const requestMs = deadlineFor(misfortune)
      const remains = await certify(server.url, selectionFor(misfortune), { requestMs })

      blamesNobody(remains)
      expect(remains.report?.conclusion).toBe(ends)
      expect(remains.exitCode).toBe(EXIT_CODES[ends])
      expect(reasonsIn(remains)).toContainEqual(expect.stringMatching(cause))
      if (ends === 'unreachable') expect(verdictsIn(remains)).toEqual(['not-reached'])
      expect(remains.evidence[0]).toMatchObject({ sender: 'probe' })
    })
})

describe('a target that answers the probe and then', () => {
  for (const misfortune of UNANSWERED.filter(({ ends }) => ends === 'unreachable'))
    testOf(misfortune)(misfortune.title, async () => {
      const { treatment = treat.silence, cause } = misfortune
      const server = await serve(treat.first(1, treat.unauthorized, treatment))
      const requestMs = deadlineFor(misfortune)
      const remains = await certify(server.url, selectionFor(misfortune), { requestMs })

      blamesNobody(remains)
      expect(remains.exitCode).toBe(2)
      expect(verdictsIn(remains)).toContain('inconclusive')
      expect(reasonsIn(remains)).toContainEqual(expect.stringMatching(cause))
    })
})

describe('the evidence', () => {
  test('keeps the head of a long answer, with the size and the hash of the whole', async () => {
    const server = await serve(treat.tenMebibytes)
    const { evidence } = await certify(server.url, ['CON-01'])
    const body = evidence.find(({ sender }) => sender === 'scenario')?.response?.body
    expect(body).toEqual({
      text: treat.TEN_MIB.subarray(0, KEPT_BYTES).toString(),
      bytes: treat.TEN_MIB.length,
      sha256: createHash('sha256').update(treat.TEN_MIB).digest('hex'),
    })
  })

  test('names what came instead of an answer, and each attempt', async () => {
    const server = await serve(treat.resetBefore)
    const { evidence } = await certify(server.url, ['CON-01'])
    expect(evidence.map(({ id, fault }) => [id, fault?.kind])).toEqual([
      ['probe/1', 'reset'],
      ['probe/2', 'reset'],
    ])
  })
})

describe('a conforming bank', () => {
  const CHOSEN = ['CON-01', 'CON-09', 'CON-15']

  test('passes where every answer closes its connection', async () => {
    const closing =
      (bank: Treat): Treat =>
      (socket, call) =>
        bank(treat.closingAfterAnswer(socket), call)
    const { url } = await serve(closing(relayTo(await bank())))
    const remains = await certify(url, CHOSEN)
    expect(verdictsIn(remains)).toEqual(['pass'])
  })

  test('passes where a connection is dropped as soon as it is used again', async () => {
    const { url } = await serve(treat.onlyOnFreshConnections(relayTo(await bank())))
    const remains = await certify(url, CHOSEN)
    expect(verdictsIn(remains)).toEqual(['pass'])
    const dropped = remains.evidence.filter(({ fault }) => fault !== undefined)
    expect(new Set(dropped.map(({ effect }) => effect)).size).toBeLessThan(2)
    expect(dropped.every(({ request }) => request.method === 'GET')).toBe(true)
  })

  test('is left open where it dies in the middle of the run', async () => {
    const answer = relayTo(await bank())
    const mortal = await serve((socket, call) => {
      if (call.number <= 12) answer(socket, call)
      else void mortal.close()
    })
    const remains = await certify(mortal.url, ['consent'], { args: ['--concurrency', '1'] })
    blamesNobody(remains)
    expect(remains.exitCode).toBe(2)
    expect(verdictsIn(remains)).toEqual(expect.arrayContaining(['inconclusive', 'pass']))
    expect(reasonsIn(remains)).toContainEqual(expect.stringMatching(/nothing listens there/))
  })
})

test('a person is told where the address may be the wrong one', async () => {
  const server = await serve(treat.html(404))
  const { warnings } = await certify(server.url, ['CON-01'])
  expect(warnings).toEqual([
    `${server.url}/premium/sandbox/v1/accounts answers 404: if much fails now, look at the base URL, and at \`basePaths\` and \`operations\` of the profile`,
  ])
})

describe('a dead target', () => {
  const dead = treat.first(1, treat.unauthorized, treat.silence)

  test('is given up after five scenarios in a row without an answer', async () => {
    const server = await serve(dead)
    const remains = await certify(server.url, ['consent'], { requestMs: 300, args: ['--concurrency', '1'] })
    const begun = remains.evidence.filter(({ sender }) => sender === 'scenario')
    expect(new Set(begun.map(({ id }) => id.replace(/\/\d+$/, ''))).size).toBe(5)
    const reason =
      /^not started: 5 scenarios in a row had no answer from the target, the last one because no whole/
    expect(reasonsIn(remains)).toContainEqual(expect.stringMatching(reason))
    expect(remains.exitCode).toBe(2)
  })

  test('costs no more than the deadline of the run', async () => {
    const server = await serve(dead)
    const remains = await certify(server.url, ['consent'], { runMs: 300 })
    blamesNobody(remains)
    expect(remains.exitCode).toBe(2)
    expect(reasonsIn(remains)).toContain('the deadline of the run (300 ms) passed before this was done')
    expect(remains.ms).toBeLessThan(20_000)
  })

  test('is not waited for by whoever stops the run', async () => {
    const stop = new AbortController()
    const server = await serve(() => stop.abort())
    const folder = folders()
    const profile = writeProfile(folder, { deadlines: { requestMs: 30_000 } })
    const args = [`--base-url=${server.url}`, `--profile=${profile}`, '--only', 'consent']
    const remains = await rehearse(folder, args, stop.signal)
    expect(remains.report?.conclusion).toBe('interrupted')
    expect(remains.evidence).toMatchObject([{ sender: 'probe', fault: { cause: 'RUN_ENDED' } }])
    expect(remains.ms).toBeLessThan(20_000)
  })
})

describe('another origin', () => {
  const lures: readonly (readonly [string, (elsewhere: string) => Treat])[] = [
    ['a redirect', (elsewhere) => treat.redirectTo(`${elsewhere}/v1/consents`)],
    [
      'a permanent redirect of the same request',
      (elsewhere) => treat.answer(308, '', { location: elsewhere }),
    ],
    ['a login form', (elsewhere) => treat.loginAt(`${elsewhere}/login`)],
  ]
  test.each(lures)('is never asked, whatever %s says', async (_, lure) => {
    const elsewhere = await serve(treat.unauthorized)
    const server = await serve(lure(elsewhere.url))
    const remains = await certify(server.url, ['consent', 'TOK-01'])
    blamesNobody(remains)
    expect(remains.evidence.length).toBeGreaterThan(10)
    expect(elsewhere.calls).toEqual([])
  })
})
