import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initialize } from '../../cli/init/initialize.ts'
import { parseInitOptions } from '../../cli/init/options.ts'
import { parseRunOptions } from '../../cli/run/options.ts'
import { STEPS } from '../../engine/run.ts'
import { running } from '../../plan/plan.ts'
import { ROOT } from '../../plan/root.ts'
import { certify, credentials } from '../certify.ts'
import { startBankProcess, type ServerProcess } from '../server-process.ts'

/** The numbers of docs/first-certificate.md are those of the plans and of the last run. Takes about 2 min. */

const page = readFileSync(join(ROOT, 'docs', 'first-certificate.md'), 'utf8')
const steps = [...page.matchAll(/^## \d\. [^\n]*: (\d+) requirements$(.*?)^```\n(.*?)^```$/gms)].map(
  ([, requirements, , commands = '']) => ({ requirements: Number(requirements), commands }),
)

/** The words of the commands, as a shell splits them. */
const wordsIn = (commands: string): readonly string[] =>
  [...commands.matchAll(/"([^"]*)"|[^\s"\\]+/g)].map(([word, quoted]) => quoted ?? word)

const exported = /^export .*\n/gm

const env = Object.fromEntries(
  steps
    .flatMap(({ commands }) => commands.match(exported) ?? [])
    .flatMap(wordsIn)
    .filter((word) => word.includes('='))
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
)

let folder: string
let bank: ServerProcess

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'first-certificate-'))
  bank = await startBankProcess()
})

afterAll(async () => {
  await bank.stop()
  rmSync(folder, { recursive: true, force: true })
})

const plannedAfter = async (options: readonly string[]): Promise<number> => {
  const invocation = parseInitOptions([...options, '--force'])
  const said: string[] = []
  const ends = new AbortController().signal
  expect(await initialize(invocation, { env, say: (line) => said.push(line), ends }), said.join('\n')).toBe(0)
  const argv = ['--profile', invocation.out ?? '']
  const run = parseRunOptions(argv)
  if (run.kind !== 'run') throw new Error('these options are those of a run')
  const { plan } = await STEPS.prepare(run, argv, env)
  return new Set(running(plan).map(({ requirement }) => requirement)).size
}

test('each step of init makes as many requirements testable as the page says', async () => {
  const options: string[] = []
  const planned: number[] = []
  for (const { commands } of steps.slice(0, -1)) {
    const words = wordsIn(commands.replaceAll(exported, '').replace('npm run init --', ''))
    const at = { 'http://127.0.0.1:8080': bank.url, 'bank.yaml': join(folder, 'bank.yaml') }
    options.push(...words.map((word) => Object.entries(at).find(([typed]) => typed === word)?.[1] ?? word))
    planned.push(await plannedAfter(options))
  }
  expect(planned).toEqual(steps.slice(0, -1).map(({ requirements }) => requirements))
})

test('the last step judges all, and the bank conforms', async () => {
  const { commands = '', requirements } = steps.at(-1) ?? {}
  const args = wordsIn(commands.replace('npm test --', '').replace('http://127.0.0.1:8080', bank.url))
  const { report } = await certify([...args, '--no-pages'], credentials)
  const judged = report.requirements.filter(({ verdict }) => verdict === 'pass')
  expect([report.conclusion, judged.length]).toEqual(['conforms', requirements])
})
