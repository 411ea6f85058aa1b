import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import getPort from 'get-port'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { filesIn, formsOf } from '../leaks.ts'
import { openGrantStore } from '../../session/authorization/grant-store.ts'
import { ROOT } from '../../plan/root.ts'
import { loadProfile } from '../../profile/load.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { reportSchema } from '../../report/schema.ts'
import { credentials, RUN_DEADLINE_MS } from '../certify.ts'
import { authorize, runWithPerson } from '../person-at-terminal.ts'
import { startBankProcess } from '../server-process.ts'
import { userEnvironment } from '../user-environment.ts'
import type { Profile, ProfileInput } from '../../profile/schema.ts'
import type { Report } from '../../report/schema.ts'
import type { PersonActions, Question } from '../person-at-terminal.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * A person authorizes on the pages of the reference bank when the command asks: the verdicts are those of automatic
 * authorization. Takes about 35 s.
 */

const KEY = { BANK_TOKEN_KEY: 'a-key-of-sixteen-characters-or-more' }
const ENV = userEnvironment({ ...credentials, ...KEY })

let bank: ServerProcess
let port: number
let folder: string

const EXAMPLE = parse(readFileSync(join(ROOT, 'docs/examples/reference-bank.yaml'), 'utf8')) as ProfileInput

/** The profile of the reference bank, with the first redirect URI of each application on this machine. */
const profileFile = (name: string, authorization: ProfileInput['authorization']): string => {
  const file = join(folder, `${name}.json`)
  const applications = EXAMPLE.applications.map(({ redirectUris = [], ...application }) => ({
    ...application,
    redirectUris: [{ uri: `http://127.0.0.1:${port}/callback` }, ...redirectUris.slice(1)],
  }))
  writeFileSync(file, JSON.stringify({ ...EXAMPLE, applications, authorization }))
  return file
}

const run = async (
  name: string,
  authorization: ProfileInput['authorization'],
  only: readonly string[],
  options: {
    readonly isOnTerminal?: boolean
    readonly answer?: (
      question: Question,
      actions: PersonActions,
      profile: Profile,
      number: number,
    ) => Promise<void>
  } = {},
) => {
  const file = profileFile(name, authorization)
  const out = join(folder, `out-${name}-${readdirSync(folder).length}`)
  const { profile } = await loadProfile(file, ENV)
  const { answer = authorizeAsAsked, isOnTerminal = false } = options
  const result = await runWithPerson({
    args: [
      `--base-url=${bank.url}`,
      `--profile=${file}`,
      '--out',
      out,
      '--runs',
      '1',
      '--no-pages',
      '--only',
      ...only,
    ],
    credentials: ENV,
    isOnTerminal,
    answer: (question, actions, number) => answer(question, actions, profile, number),
  })
  return { ...result, out, profile }
}

const reportIn = (out: string): Report =>
  reportSchema.parse(JSON.parse(readFileSync(join(out, OUTPUT.report), 'utf8')))

/** Authorizes as asked. Opens a redirect to this machine, and pastes any other final address or code. */
const authorizeAsAsked = async (
  question: Question,
  actions: PersonActions,
  profile: Profile,
): Promise<void> => {
  const { redirect, code } = await authorize(question, profile)
  if (redirect?.startsWith('http://127.0.0.1') === true) await actions.browse(redirect)
  else actions.type(redirect ?? code ?? 'skip')
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'person-'))
  port = await getPort()
  const uri = `http://127.0.0.1:${port}/callback`
  bank = await startBankProcess('--redirect-uri', uri)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await bank.stop()
})

const verdictsOf = ({ requirements }: Report): readonly unknown[] =>
  requirements
    .filter(({ checks }) => checks.length > 0)
    .map(({ id, verdict, checks }) => ({
      id,
      verdict,
      checks: checks.map((check) => [check.title, check.verdict]),
    }))

/** Grants by redirect and on the result screen, a denial, any state, and a reading check. */
const SELECTION = ['AUT-01', 'AUT-02', 'AUT-03', 'AUT-06', 'AUT-12', 'AUT-13', 'AUT-18', 'AUT-19', 'ACC-01']

test(
  'with a person at a terminal the bank conforms, and no report contains a code',
  async () => {
    const person = { kind: 'person', listen: { port }, most: 40 } as const
    const links: string[] = []
    const byPerson = await run('terminal', person, SELECTION, {
      isOnTerminal: true,
      answer: async (question, actions, profile) => {
        links.push(question.link)
        await authorizeAsAsked(question, actions, profile)
      },
    })
    const report = reportIn(byPerson.out)
    const verdicts = report.requirements.filter(({ id }) => SELECTION.includes(id))
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(SELECTION.map(() => 'pass'))
    expect([report.conclusion, byPerson.exitCode]).toEqual(['conforms', 0])
    expect(byPerson.asked).toBeGreaterThan(10)
    // The evidence contains the redirects, the pasted texts and the links without their secrets.
    const evidence = readFileSync(join(byPerson.out, OUTPUT.evidence), 'utf8')
    for (const by of ['listener', 'address', 'code']) expect(evidence).toContain(`"handover":{"by":"${by}"`)
    const challenges = links.flatMap((link) => new URL(link).searchParams.get('code_challenge') ?? [])
    expect(challenges.length).toBe(links.length)
    for (const file of filesIn(byPerson.out)) {
      const text = readFileSync(file, 'utf8')
      expect(challenges.filter((challenge) => text.includes(challenge))).toEqual([])
      expect(text).not.toMatch(/[?&]code=(?!\[)[\w-]{10,}/)
    }
  },
  2 * RUN_DEADLINE_MS,
)

test(
  'a person can skip one authorization, and can stop all further questions',
  async () => {
    const answers = ['this is nothing', 'skip', 'stop']
    const { output, asked, out, exitCode } = await run(
      'stop',
      { kind: 'person', most: 40 },
      ['AUT-12', 'AUT-13', 'ACC-01'],
      {
        isOnTerminal: true,
        answer: async (_, actions, __, number) => {
          if (number === 1) actions.type(answers[0] ?? '')
          actions.type(answers[number] ?? '')
        },
      },
    )
    expect([asked, exitCode]).toEqual([2, 2])
    expect(output).toContain('"this is nothing" is neither a URL nor a code')
    const because = reportIn(out).requirements.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict === 'not-reached').map((check) => check.because),
    )
    expect(because).toContainEqual(expect.stringContaining('the person who was asked left'))
    expect(because).toContain('the person wanted no further prompts')
  },
  RUN_DEADLINE_MS,
)

test(
  'the next run uses stored grants without an authorization, and only their file contains them',
  async () => {
    const file = join(folder, 'kept', 'grants.json')
    const person = {
      kind: 'person',
      listen: { port },
      keep: { key: 'env:BANK_TOKEN_KEY', file },
    } as const
    const first = await run('keep', person, ['ACC-04', 'ACC-05'])
    const second = await run('keep', person, ['ACC-04', 'ACC-05'])
    expect([first.exitCode, second.exitCode]).toEqual([0, 0])
    expect(first.asked).toBeGreaterThan(0)
    expect(second.asked).toBe(0)
    expect(verdictsOf(reportIn(second.out))).toEqual(verdictsOf(reportIn(first.out)))
    const kept = await openGrantStore(first.profile, bank.url, {})
    const secrets = (kept?.secrets ?? []).flatMap(({ value }) => [...formsOf(value).keys()])
    expect(secrets.length).toBeGreaterThan(0)
    for (const { out, output } of [first, second]) {
      expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
      for (const each of filesIn(out)) {
        const text = readFileSync(each, 'utf8')
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
      }
    }
  },
  2 * RUN_DEADLINE_MS,
)

test('a run without a terminal to answer on does not start, and says what to do', async () => {
  const { exitCode, output, out } = await run('nobody', { kind: 'person' }, ['AUT-12'])
  expect(exitCode).toBe(3)
  expect(output).toContain('there is no terminal to paste the result of an authorization into')
  expect(() => readdirSync(out)).toThrow('ENOENT')
})

test('a key in the profile itself is refused', async () => {
  const keep = { key: 'a-key-in-the-file', file: join(folder, 'never.json') }
  const file = profileFile('plain-key', { kind: 'pages', keep })
  await expect(loadProfile(file, ENV)).rejects.toThrow('a key is only read from the environment')
})
