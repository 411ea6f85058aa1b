import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import getPort from 'get-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_DEADLINE_MS } from '../faults/run.ts'
import { aClient, aCustomer } from '../bank-clients/test-client.ts'
import { type ServerProcess, startBankProcess } from '../server-process.ts'
import { ROOT } from '../../plan/root.ts'
import { suite } from '../program.ts'
import { userEnvironment } from '../user-environment.ts'

/** `npm run init` writes a profile; that the reference bank conforms with one is shown by readme.test.ts. Takes about 12 s. */

const client = aClient('TPP')
const customer = aCustomer()
const SECRETS = {
  BANK_CLIENT_ID: client.clientId,
  BANK_CLIENT_SECRET: client.secret,
  BANK_USERNAME: customer.username,
  BANK_PASSWORD: customer.password,
}
const [redirectUri = ''] = client.redirectUris
const RESULT_SCREEN = 'https://bank.example/result'

let bank: ServerProcess
let folder: string

beforeAll(async () => {
  bank = await startBankProcess()
  folder = await mkdtemp(join(tmpdir(), 'init-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await bank.stop()
})

const fileNamed = (name: string): string => join(folder, name)

const environment = (variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv =>
  userEnvironment({ TERM: 'xterm-256color', ...variables })

const init = async (args: readonly string[], variables: Readonly<Record<string, string>> = SECRETS) =>
  execa(process.execPath, suite('init', ...args), {
    cwd: ROOT,
    env: environment(variables),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: RUN_DEADLINE_MS,
  })

const NEEDED = [
  ['--kind', 'TPP'],
  ['--client-id-env', 'BANK_CLIENT_ID'],
  ['--client-secret-env', 'BANK_CLIENT_SECRET'],
  ['--redirect-uri', redirectUri],
  ['--username-env', 'BANK_USERNAME'],
  ['--password-env', 'BANK_PASSWORD'],
].flat()

describe('with options only', () => {
  test('the written profile has the forms of the bank, and no secret', async () => {
    const file = fileNamed('bank.yaml')
    const uris = ['--redirect-uri', RESULT_SCREEN, '--delivery', 'redirect,result-screen']
    const written = await init(['--base-url', bank.url, ...NEEDED, ...uris, '--log-in', '--out', file])
    expect(written.stderr).toBe('')
    expect(written.exitCode).toBe(0)
    expect(written.stdout).toContain(`npm run plan -- --profile ${file}`)

    const text = await readFile(file, 'utf8')
    expect(text).toContain('refuse: button[value=deny]')
    expect(text).toContain("code: '#code'")
    for (const secret of [client.secret, customer.password]) {
      expect(text).not.toContain(secret)
      expect(written.stdout).not.toContain(secret)
    }
  })

  test('an existing file is not changed without --force', async () => {
    const file = fileNamed('mine.yaml')
    await writeFile(file, 'mine')
    const args = ['--base-url', bank.url, ...NEEDED, '--no-try', '--out', file]
    const { exitCode, stderr } = await init(args)
    expect(exitCode).toBe(3)
    expect(stderr).toContain('exists and is not overwritten')
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await init([...args, '--force'])).exitCode).toBe(0)
    expect(await readFile(file, 'utf8')).toContain(`baseUrl: ${bank.url}`)
  })

  test('a variable without a value is reported, and the profile is still written', async () => {
    const file = fileNamed('unset.yaml')
    const { exitCode, stdout } = await init(['--base-url', bank.url, ...NEEDED, '--out', file], {
      BANK_USERNAME: 'x',
    })
    expect(exitCode).toBe(0)
    expect(stdout).toContain("export BANK_CLIENT_SECRET='…'")
    expect(stdout).not.toContain('export BANK_USERNAME')
    expect(stdout).toContain('BANK_CLIENT_ID, BANK_CLIENT_SECRET are not set')
    expect(existsSync(file)).toBe(true)
  })

  test('a wrong secret is reported with the key to correct, and the profile is still written', async () => {
    const file = fileNamed('wrong.yaml')
    const { exitCode, stdout } = await init(['--base-url', bank.url, ...NEEDED, '--out', file], {
      ...SECRETS,
      BANK_CLIENT_SECRET: 'planted-and-wrong',
    })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('applications.0.clientSecret')
    expect(stdout).not.toContain('planted-and-wrong')
    expect(existsSync(file)).toBe(true)
  })

  test('a bank that does not answer gives exit code 4', async () => {
    const url = `http://127.0.0.1:${await getPort()}`
    const file = fileNamed('gone.yaml')
    const { exitCode, stdout } = await init(['--base-url', url, ...NEEDED, '--out', file])
    expect(exitCode).toBe(4)
    expect(stdout).toContain(`Nothing answers at ${url}`)
    expect(existsSync(file)).toBe(true)
  })
})

const ENTER = '\r'
const DOWN = '\u001b[B'
const CTRL_C = '\u0003'

/** The input to type when the terminal shows a new text. */
type Turn = readonly [shows: string, typed: string]

/** Runs the command on its own terminal (`script` of util-linux), and types the input of these turns. */
const onTerminal = async (args: readonly string[], turns: readonly Turn[]) => {
  const words = [process.execPath, ...suite('init', ...args)]
  // A terminal whose input is a pipe has no default size.
  const command = `stty cols 120 rows 40; exec ${words.map((word) => `'${word}'`).join(' ')}`
  const child = execa('script', ['-qec', command, '/dev/null'], {
    cwd: ROOT,
    env: environment(SECRETS),
    extendEnv: false,
    reject: false,
    stdin: 'pipe',
    timeout: RUN_DEADLINE_MS,
  })
  let shown = ''
  const waiting = [...turns]
  child.stdout.on('data', (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString())
    const at = waiting[0] === undefined ? -1 : shown.indexOf(waiting[0][0])
    if (at === -1) return
    const [text = '', typed = ''] = waiting.shift() ?? []
    shown = shown.slice(at + text.length)
    child.stdin.write(typed)
  })
  const { exitCode, stdout } = await child
  return { exitCode, shown: stripVTControlCharacters(stdout), unasked: waiting.map(([text]) => text) }
}

const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script')

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test('invalid answers are asked again, and a profile is written', async () => {
    const file = fileNamed('asked.yaml')
    const { exitCode, shown, unasked } = await onTerminal(
      ['--out', file],
      [
        ['Environment', ENTER],
        ['Base URL', `bank.example${ENTER}`],
        ['expected an http or https URL', `${'\u007f'.repeat(12)}${bank.url}${ENTER}`],
        ['Kind of your application', ENTER],
        ['Registered redirect URIs', `<${ENTER}`],
        ['Kind of your application', ENTER],
        ['Registered redirect URIs', `${redirectUri} ${RESULT_SCREEN} result-screen${ENTER}`],
        ['Further applications', ENTER],
        ['Who logs in', ENTER],
        ['Further customers', ENTER],
        ['Payments answer', ENTER],
        ['Instalment loans answer', `${DOWN}${ENTER}`],
        ['The test hooks of the reference bank answer', ENTER],
        ['Accounts that may be used', `SK2998010000002600001129 1237${ENTER}`],
      ],
    )
    expect(unasked).toEqual([])
    expect(exitCode).toBe(0)
    expect(shown).toContain('npm run init -- --base-url')
    const text = await readFile(file, 'utf8')
    expect(text).toContain('delivery: result-screen')
    expect(text).toContain("code: '#code'")
    expect(text).not.toMatch(/^refusals:/m)
    expect(text).toContain('secondVariant:\n  basePaths:')
    expect(text).not.toMatch(/^(name|payments|loans):/m)
    expect(text).toContain('payments is left out: payments (--debtor and --creditor); present at the bank.')
    expect(text).toContain('url: /_test-hooks/clock')
    expect(text).toContain('transactions: 1237')
    expect(shown).toContain("--accounts 'SK2998010000002600001129 1237'")
    expect(shown).toContain('--test-hooks')
    for (const secret of [client.secret, customer.password]) expect(shown + text).not.toContain(secret)
  })

  test('Ctrl-C writes no file', async () => {
    const file = fileNamed('cancelled.yaml')
    const { exitCode, shown } = await onTerminal(['--out', file], [['Environment', CTRL_C]])
    expect(exitCode).toBe(130)
    expect(shown).toContain('Interrupted: nothing was written.')
    expect(existsSync(file)).toBe(false)
  })
})
