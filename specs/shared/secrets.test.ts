import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningBank, startBank } from '../../harness/bank/server.ts'
import { scratchFolders, start, writeProfile, type Ended } from '../../harness/testing/faults/run.ts'
import { filesIn, formsOf, searchFor } from '../../harness/testing/leaks.ts'
import { referenceProfile } from '../../harness/connection/reference-bank/reference-profile.ts'

/** No artefact of a run contains a secret: neither one of the profile, nor one that the bank issued. Slow: one whole run. */

let bank: RunningBank
const folders = scratchFolders()
let folder = ''
let run: Ended
const issued: string[] = []

const SECRET_MEMBERS = /"(?:access_token|refresh_token)"\s*:\s*"([^"]+)"/g
const SECRET_PARAMETERS = /[?&]code=([^&]+)/g

const remember = async (response: Response): Promise<void> => {
  const texts = [await response.clone().text(), response.headers.get('location') ?? '']
  for (const text of texts)
    for (const pattern of [SECRET_MEMBERS, SECRET_PARAMETERS])
      for (const [, secret = ''] of text.matchAll(pattern)) issued.push(decodeURIComponent(secret))
}

beforeAll(async () => {
  folder = folders()
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
  const profile = writeProfile(folder, referenceProfile())
  const args = [`--base-url=${bank.url}`, `--profile=${profile}`, '--runs', '5']
  run = await start(folder, args, {}, []).ended()
})

afterAll(() => bank.close())

const planted = (): readonly string[] => [
  ...referenceProfile().applications.flatMap(({ clientId, clientSecret }) => [
    clientSecret,
    Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
  ]),
  ...(referenceProfile().customers ?? []).flatMap(({ password = [] }) => password),
]

test('the run wrote its artefacts', () => {
  expect(run.exitCode, run.stderr).toBe(0)
  const names = readdirSync(join(folder, 'out'))
  expect(names).toEqual(
    expect.arrayContaining(['report.json', 'junit.xml', 'evidence.jsonl', 'allure-report']),
  )
  expect(new Set(issued).size).toBeGreaterThan(50)
})

test('no artefact and no line of the terminal contains a secret, in any encoding', () => {
  const secretsIn = searchFor([...planted(), ...issued].flatMap((secret) => [...formsOf(secret).keys()]))
  const texts = [
    ['the terminal', run.stdout + run.stderr] as const,
    ...filesIn(join(folder, 'out')).map((file) => [file, readFileSync(file, 'utf8')] as const),
  ]
  const hits = texts.flatMap(([name, text]) => secretsIn(text).map((secret) => `${name}: ${secret}`))
  expect(hits).toEqual([])
})
