import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningBank, startBank } from '../../harness/bank/server.ts'
import { formsOf, searchFor } from '../../harness/testing/leaks.ts'
import { referenceProfile } from '../../harness/connection/reference-bank/reference-profile.ts'
import { suite } from '../../harness/testing/program.ts'

/** No artefact of a run contains a secret: neither one of the profile, nor one that the bank issued. Slow: one whole run. */

let bank: RunningBank
let out = ''
let terminal = ''
const issued: string[] = []

const SECRET_MEMBERS = /"(?:access_token|refresh_token)"\s*:\s*"([^"]+)"/g
const SECRET_PARAMETERS = /[?&]code=([^&]+)/g

const remember = async (response: Response): Promise<void> => {
  const texts = [await response.clone().text(), response.headers.get('location') ?? '']
  for (const text of texts)
    for (const pattern of [SECRET_MEMBERS, SECRET_PARAMETERS])
      for (const [, secret = ''] of text.matchAll(pattern)) issued.push(decodeURIComponent(secret))
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'secrets-'))
  bank = await startBank({
    variation: {
      id: 'recorded',
      title: 'the reference bank, with a record of the secrets that it issues',
      wire: (next) => async (request) => {
        const response = await next(request)
        await remember(response)
        return response
      },
    },
  })
  const profile = join(out, 'profile.json')
  writeFileSync(profile, JSON.stringify(referenceProfile()))
  const run = await execa(
    process.execPath,
    suite('run', `--base-url=${bank.url}`, `--profile=${profile}`, '--out', join(out, 'run'), '--runs', '5'),
    { reject: false, all: true },
  )
  terminal = run.all
})

afterAll(async () => {
  await bank.close()
  rmSync(out, { recursive: true })
})

const planted = (): readonly string[] => [
  ...referenceProfile().applications.flatMap(({ clientId, clientSecret }) => [
    clientSecret,
    Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
  ]),
  ...(referenceProfile().customers ?? []).flatMap(({ password = [] }) => password),
]

test('the run wrote its artefacts', () => {
  const names = readdirSync(join(out, 'run'))
  expect(names).toEqual(
    expect.arrayContaining(['report.json', 'junit.xml', 'evidence.jsonl', 'allure-report']),
  )
  expect(new Set(issued).size).toBeGreaterThan(50)
})

test('no artefact and no line of the terminal contains a secret, in any encoding', () => {
  const secretsIn = searchFor([...planted(), ...issued].flatMap((secret) => [...formsOf(secret).keys()]))
  const texts = [
    ['the terminal', terminal] as const,
    ...filesBelow(join(out, 'run')).map((file) => [file, readFileSync(file, 'utf8')] as const),
  ]
  const hits = texts.flatMap(([name, text]) => secretsIn(text).map((secret) => `${name}: ${secret}`))
  expect(hits).toEqual([])
})
