import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import getPort from 'get-port'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { verifyEvidenceOf } from '../report/evidence-file.ts'
import { startRawServer, type RawServer, type Respond } from '../testing/faults/raw-server.ts'
import {
  judgedIn,
  reasonsIn,
  run,
  scratchFolders,
  verdictsIn,
  writeProfile,
  type Ended,
} from '../testing/faults/run.ts'
import { startBankWith } from '../testing/defective-bank.ts'
import { runInProcess } from '../testing/faults/run-in-process.ts'
import { relayTo } from '../testing/faults/relay.ts'
import * as responses from '../testing/faults/fault-responses.ts'
import { main } from './run.ts'
import type { RunningBank } from '../bank/server.ts'

/** The documented behaviour of `npm test`: its exit codes (exit.test.ts: of the process) and options. Takes about 50 s. */

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

const bankWith = async (id?: string): Promise<RunningBank> => {
  const bank = await startBankWith(id)
  undo.push(() => bank.close())
  return bank
}

/** The options that identify a target, with its own profile. */
const targeting = (url: string, changes: Parameters<typeof writeProfile>[1] = {}): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), changes)}`,
]

describe.concurrent('a run ends with', () => {
  test('0 if the target conforms', async ({ expect }) => {
    const folder = folders()
    const ended = await runInProcess(folder, ['--only', 'CON-01', 'CON-20'])
    expect(ended).toMatchObject({ exitCode: 0, report: { conclusion: 'conforms', exitCode: 0 } })
    expect(verdictsIn(ended)).toEqual(['pass'])
    expect(ended.report?.evidence.exchanges).toBeGreaterThan(0)
    expect(verifyEvidenceOf(join(folder, 'out'))).toMatchObject({ isUnchanged: true })
  })

  test('1 if the target does not conform', async ({ expect }) => {
    const { url } = await bankWith('the-answer-to-a-consent-request-has-an-id-in-the-place-of-the-consentid')
    const ended = await runInProcess(folders(), [...targeting(url), '--only', 'CON-01'])
    expect(ended).toMatchObject({ exitCode: 1, report: { conclusion: 'nonconforming', exitCode: 1 } })
    expect(judgedIn(ended)).toMatchObject([{ id: 'CON-01', verdict: 'fail' }])
  })

  test('2 if a MUST was not judged', async ({ expect }) => {
    const { url } = await serve(responses.html(503))
    const ended = await runInProcess(folders(), [...targeting(url), '--only', 'consent'])
    expect(ended).toMatchObject({ exitCode: 2, report: { conclusion: 'incomplete', exitCode: 2 } })
    expect(verdictsIn(ended)).not.toContain('fail')
  })

  test('4 if the target cannot be reached', async ({ expect }) => {
    const url = `http://127.0.0.1:${await getPort()}`
    const ended = await run(folders(), [...targeting(url), '--only', 'consent'])
    expect(ended).toMatchObject({ exitCode: 4, report: { conclusion: 'unreachable', exitCode: 4 } })
    expect(verdictsIn(ended)).toEqual(['not-reached'])
    expect(ended.stderr).toContain(
      `${url} cannot be reached: nothing listens there (ECONNREFUSED); NET-TCP-1 Start the target`,
    )
  })

  test('5 if the suite itself fails, for instance because it cannot write its evidence', async ({
    expect,
  }) => {
    const folder = folders()
    const evidence = join(folder, 'out', 'evidence.jsonl')
    const { url } = await serve((socket, call) => {
      if (call.number === 1) {
        rmSync(evidence)
        mkdirSync(evidence)
      }
      responses.unauthorized(socket, call)
    })
    const ended = await run(folder, [...targeting(url), '--only', 'CON-01'])
    expect(ended).toMatchObject({ exitCode: 5, report: { conclusion: 'harness-error', exitCode: 5 } })
    expect(judgedIn(ended)).toMatchObject([{ id: 'CON-01', verdict: 'harness-error' }])
    expect(reasonsIn(ended).join()).toContain('EISDIR')
    expect(ended.stderr).toContain('A fault of the suite: Error: EISDIR')
  })
})

describe.concurrent('the command ends with 3, and sends and writes nothing, for', () => {
  const unused = async (): Promise<RawServer> => serve(responses.unauthorized)
  type Wrong = readonly [string, (url: string) => readonly string[], RegExp]
  const wrong: readonly Wrong[] = [
    ['an unknown option', (url) => [...targeting(url), '--onyl', 'consent'], /--onyl.*did you mean '--only'/],
    [
      'a selector that matches nothing',
      (url) => [...targeting(url), '--only', 'consnet'],
      /--only consnet: .*did you mean consent\?/,
    ],
    [
      'a profile that is not there',
      (url) => [`--base-url=${url}`, '--profile=nowhere.yaml'],
      /nowhere\.yaml/,
    ],
    [
      'a profile that is none',
      (url) => targeting(url, { customers: [{ name: '', username: 'anna', password: 'x' }] }),
      /customers\.0\.name/,
    ],
    ...['constructor', '__proto__', 'PAY-999'].map((key): Wrong => [
      `notApplicable with ${key}`,
      (url) =>
        targeting(url, { notApplicable: JSON.parse(`{"${key}": "it has none"}`) as Record<string, string> }),
      new RegExp(`${key}.*(is not a requirement, a chapter or a facet|expected the id|take it out)`),
    ]),
    [
      'a history that is a device',
      (url) => [...targeting(url), '--history=/dev/zero'],
      /--history: \/dev\/zero cannot be used \(is not a regular file\)/,
    ],
    [
      'a history in a folder that cannot be made',
      (url) => [...targeting(url), '--history=/proc/nowhere/history.jsonl'],
      /--history: .*history\.jsonl cannot be used \(ENOENT/,
    ],
    ['a base URL without a profile', (url) => [`--base-url=${url}`], /--base-url needs --profile too/],
  ]
  for (const [title, argumentsFor, reported] of wrong)
    test(title, async ({ expect }) => {
      const server = await unused()
      const folder = folders()
      const ended = await main([...argumentsFor(server.url), '--out', join(folder, 'out')]).catch(
        (error: unknown) => error,
      )
      expect(ended).toBeInstanceOf(ConfigurationError)
      expect(String(ended)).toMatch(reported)
      expect(server.calls).toEqual([])
      expect(existsSync(join(folder, 'out'))).toBe(false)
    })

  test('a folder that cannot be written', async ({ expect }) => {
    const server = await unused()
    const folder = folders()
    writeFileSync(join(folder, 'out'), 'This is a file.')
    const ended = await run(folder, [...targeting(server.url), '--only', 'CON-01'])
    expect(ended.exitCode).toBe(3)
    expect(ended.stderr).toMatch(/--out: \S+ cannot be written \(/)
    expect(server.calls).toEqual([])
  })
})

test('a folder into which another run writes is refused', async () => {
  const folder = folders()
  const relay = relayTo(await bankWith())
  let second: Promise<Ended> | undefined
  // The first run waits for its first answer until the second run has ended.
  const { url } = await serve((socket, call) => {
    second ??= run(folder, ['--only', 'CON-01'])
    void second.then(() => relay(socket, call))
  })
  const patient = targeting(url, { deadlines: { requestMs: 60_000 } })
  const ended = await run(folder, [...patient, '--only', 'CON-01'])
  expect(await second).toMatchObject({ exitCode: 3, report: undefined })
  expect((await second)?.stderr).toContain('writes into')
  expect(ended).toMatchObject({ exitCode: 0, report: { target: { baseUrl: url } } })
  const kept = new Set(ended.evidence.map(({ id }) => id))
  const named = judgedIn(ended).flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges))
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((id) => !kept.has(id))).toEqual([])
})

test('foreign text controls neither the terminal nor the CI server', async () => {
  const server = await serve(responses.unauthorized)
  const hostile = 'Bank\u001b]0;title\u0007\u009b2J\r\nWhat runs\u202e ##vso[task.complete result=Succeeded;]'
  const changes = { name: hostile, notApplicable: { loans: hostile } }
  for (const only of ['CON-01', hostile]) {
    const ended = await run(folders(), [...targeting(server.url, changes), '--only', only])
    const shown = ended.stdout + ended.stderr
    expect(shown).toContain('Bank\\u001b]0;title\\u0007')
    expect(shown).toContain('##vso\\u005btask.complete')
    expect(shown).not.toContain('##vso[')
    expect(shown.match(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu)).toBe(null)
  }
})

test('a dry run prints the plan, and sends and writes nothing', async () => {
  const server = await serve(responses.unauthorized)
  const folder = folders()
  const hostile = 'Bank\u001b]0;title\u0007 ##vso[task.complete]'
  const options = ['--only', 'consent', '--skip', 'CON-03', 'security', '--rate', '2', '--dry-run']
  const { exitCode, stdout, report } = await run(folder, [
    ...targeting(server.url, { name: hostile }),
    ...options,
    ...['--environment', 'production'],
  ])
  expect(exitCode).toBe(0)
  for (const line of [
    /^Bank\\u001b\]0;title\\u0007 ##vso\\u005btask\.complete\] \(http:\/\/127\.0\.0\.1:\d+\), production, wall clock\. This is the plan; nothing is sent\.$/m,
    /^ {2}consent +\d+ requirements +\d+ checks +\d+ scenarios$/m,
    /^ {2}effects +consent \(allowed: read, consent\)$/m,
    /^ {2}authorizations +\d+ by a customer, 0 of them need a person$/m,
    /^ {2}duration +about \d+ (s|min) over a network$/m,
    /^ {2}left out by --skip CON-03: 1 requirement\n {4}CON-03$/m,
    /^ {2}not selected by --only: \d+ requirements\n {4}AUT-01 … AUT-\d+, /m,
  ])
    expect(stdout).toMatch(line)
  expect(server.calls).toEqual([])
  expect([report, existsSync(join(folder, 'out'))]).toEqual([undefined, false])
})

/** A run in this process, from the options to the report, for tests that need many runs. */
const rehearseOn = (url: string, args: readonly string[], changes?: Parameters<typeof targeting>[1]) =>
  runInProcess(folders(), [...targeting(url, changes), ...args])

describe('the effect of an option:', () => {
  test('--seed gives the same verdicts and counterexamples, byte for byte', async () => {
    const twice = await Promise.all(
      [1, 2].map(async () => {
        const { url } = await bankWith('the-minimum-of-a-precalculation-is-102-eur')
        return rehearseOn(url, ['--only', 'LOA-51', 'LOA-14', '--seed', '7', '--runs', '10'])
      }),
    )
    const [first, second] = twice.map((ended) =>
      JSON.stringify(
        judgedIn(ended).map(({ id, checks }) => [
          id,
          checks.map(({ verdict, because, violation, exchanges }) => ({
            verdict,
            because,
            violation,
            exchanges,
          })),
        ]),
      ),
    )
    expect(first).toBe(second)
    expect(first).toContain('"counterexample":{"value":')
  })

  test('--strict makes a broken SHOULD fail the run', async () => {
    const { url } = await bankWith('a-refused-consent-request-is-answered-with-its-credentials')
    const lenient = await rehearseOn(url, ['--only', 'CON-22'])
    const strict = await rehearseOn(url, ['--only', 'CON-22', '--strict'])
    expect([verdictsIn(lenient), verdictsIn(strict)]).toEqual([['warn'], ['warn']])
    expect([lenient.exitCode, strict.exitCode]).toEqual([0, 1])
  })

  test('--rate limits the requests per second', async () => {
    const bank = await bankWith()
    const times: number[] = []
    const { url } = await serve((socket, call) => {
      times.push(performance.now())
      relayTo(bank)(socket, call)
    })
    const ended = await rehearseOn(url, ['--only', 'CON-01', 'CON-04', '--rate', '20'])
    expect(verdictsIn(ended)).toEqual(['pass'])
    // The request of the probe before the run does not count.
    const [, begun = 0, ...others] = times
    expect(others.length).toBeGreaterThan(3)
    expect((others.at(-1) ?? 0) - begun).toBeGreaterThan((others.length - 1) * 50 * 0.9)
  })

  test('--concurrency is the number of concurrent scenarios', async () => {
    const bank = await bankWith()
    let inFlight = 0
    const most: number[] = []
    const { url } = await serve((socket, call) => {
      inFlight += 1
      most.push(inFlight)
      socket.once('close', () => (inFlight -= 1))
      relayTo(bank)(responses.closingAfterAnswer(socket), call)
    })
    const sequential = ['CON-01', 'CON-02', 'CON-15', 'CON-16', 'CON-20']
    const ended = await rehearseOn(url, ['--only', ...sequential, '--concurrency', '2'])
    expect(verdictsIn(ended)).toEqual(['pass'])
    expect(Math.max(...most)).toBe(2)
  })

  test('a request whose effect is not allowed is not sent', async () => {
    const bank = await bankWith()
    const { url, calls } = await serve(relayTo(bank))
    const allow = { sandbox: ['read', 'consent'], production: ['read'] } as const
    const args = ['--only', 'CON-01', 'CON-15', '--environment', 'production']
    const withheld = await rehearseOn(url, args, {
      allow: { sandbox: [...allow.sandbox], production: ['read'] },
    })
    expect(calls).toEqual([])
    expect(withheld.exitCode).toBe(2)
    const because = 'the effect "consent" is not allowed in production (--allow consent)'
    const rows = withheld.report?.requirements.filter(({ id }) => ['CON-01', 'CON-15'].includes(id))
    expect(rows).toMatchObject([
      { verdict: 'not-tested', because },
      { verdict: 'not-tested', because },
    ])
  })
})
