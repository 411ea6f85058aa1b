import { execa } from 'execa'
import getPort from 'get-port'
import { afterAll, describe, test } from 'vitest'
import { ROOT } from '../plan/root.ts'
import { startBank } from '../bank/server.ts'
import { startBankOfToday } from '../testing/defective-bank.ts'
import { suite } from '../testing/program.ts'
import { RUN_DEADLINE_MS, scratchFolders, writeProfile } from '../testing/faults/run.ts'
import { startingAt, userEnvironment } from '../testing/user-environment.ts'
import * as responses from '../testing/faults/fault-responses.ts'
import { relayTo } from '../testing/faults/relay.ts'
import { openFaultTargets } from '../testing/faults/fault-targets.ts'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { TextAskedFor } from './options.ts'
import { parseDoctorOptions } from './doctor/options.ts'
import type { Finding } from '../connection/first-contact/finding.ts'

/** The documented behaviour of `npm run doctor`: output and exit codes. */

const folders = scratchFolders()

const doctor = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, suite('doctor', ...args), {
    cwd: ROOT,
    env: userEnvironment(env),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: RUN_DEADLINE_MS,
  })

/** The cut-off time of the reference bank is 20:00. */
const AFTER_CUT_OFF = new Date('2026-01-05T23:30:00Z')

const targets = openFaultTargets()
afterAll(() => targets.close())

const targeting = (url: string, changes: Parameters<typeof writeProfile>[1] = {}): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), changes)}`,
]

/** Not counted: a request alone on its line, which is never folded. */
const columnsOf = (text: string): number =>
  Math.max(
    ...text
      .split('\n')
      .filter((line) => !/^ *[A-Z]+ \S+$/.test(line))
      .map((line) => Array.from(line).length),
  )

describe.concurrent('the doctor', () => {
  test('ends with 0 for a bank without faults; in a pipe no line is folded, and there is no colour', async ({
    expect,
  }) => {
    const { exitCode, stdout } = await doctor(targeting(await targets.bank()))
    expect(exitCode, stdout).toBe(0)
    expect(stdout).toMatch(/^✓ NET-TCP-4 {2}The host accepts connections\n/)
    expect(stdout).toMatch(/\n0 errors, 0 warnings, \d+ notices, \d+ ok$/)
    expect(columnsOf(stdout)).toBeGreaterThan(80)
    expect(stdout).not.toContain('\u001b')
  })

  test("tries each binding once in the order of a customer's day", async ({ expect }) => {
    // The clock of the bank is moved into the payment hours, whatever the time is.
    const changes = { testHooks: referenceProfile().testHooks }
    const { exitCode, stdout } = await doctor([...targeting(await targets.bank(), changes), '--day'])
    expect(exitCode, stdout).toBe(0)
    const [, day = ''] = stdout.split("A customer's day:\n")
    expect(day).toMatch(/^✓ (consent|login and consent of the customer) +/)
    expect(day).toMatch(/^✓ list of accounts +operations\.listAccounts +\d+ accounts, \d+ with an IBAN$/m)
    expect(day).toMatch(/\n(\d+) of \1 steps fit, 0 do not fit, 0 left out$/)
  })

  test('names the key that does not fit on that day, and leaves out what needs it', async ({ expect }) => {
    const changes = { operations: { listAccounts: { accounts: 'konten' } } }
    const { exitCode, stdout } = await doctor([...targeting(await targets.bank(), changes), '--day'])
    expect(exitCode, stdout).toBe(3)
    expect(stdout).toMatch(
      /^✗ list of accounts .*`operations\.listAccounts\.accounts` of the profile is "konten"/m,
    )
    expect(stdout).toMatch(/^· detail and balances .*needs the step "list of accounts"$/m)
  })

  test('sends no order of today on that day after the cut-off time, and says when to run it', async ({
    expect,
    onTestFinished,
  }) => {
    const { url, bank, close } = await startBank({ startAt: AFTER_CUT_OFF, speed: 1 })
    onTestFinished(() => close())
    const { exitCode, stdout } = await doctor([...targeting(url), '--day'], startingAt(AFTER_CUT_OFF))
    expect(exitCode, stdout).toBe(0)
    expect(stdout).toMatch(/^· initiation of a payment .*from 06:00 to 16:00 .*no order of today was sent/m)
    expect(stdout).toMatch(/^· submission .*needs the step "initiation of a payment"$/m)
    expect(stdout).toMatch(/\n(\d+) of \d+ steps fit, 0 do not fit, 4 left out$/)
    expect(bank.world.ledgers.sandbox.payments.size).toBe(0)
  })

  test('ends with 4 if nothing listens, with the next step', async ({ expect }) => {
    const url = `http://127.0.0.1:${await getPort()}`
    const { exitCode, stdout } = await doctor(targeting(url))
    expect(exitCode).toBe(4)
    expect(stdout).toContain('✗ NET-TCP-1  Nothing listens at the port')
    expect(stdout).toContain('→ Start the target, or correct host and port in `baseUrl`')
  })

  test.for([
    [
      'a redirected operation',
      '/premium/sandbox/v1/consents',
      responses.redirectTo('/elsewhere'),
      'TGT-PATH-4',
    ],
  ] as const)(
    'ends with 3 for %s, and prints each error once, at the end',
    async ([, path, respond, code], { expect }) => {
      const { exitCode, stdout } = await doctor(targeting(await targets.bankExcept(path, respond)))
      expect(exitCode, stdout).toBe(3)
      const lines = stdout.split('\n').filter((line) => /^[✓·!✗] /.test(line))
      const first = lines.findIndex((line) => line.startsWith('✗'))
      expect(lines.slice(first)).toEqual([expect.stringMatching(`^✗ ${code}  `)])
    },
  )

  test.for([['that refuses every request', responses.json(403, { message: 'Forbidden' })]] as const)(
    'ends with 3 for a target %s',
    async ([, respond], { expect }) => {
      const { exitCode, stdout } = await doctor([...targeting(await targets.serve(respond)), '--no-login'])
      expect(exitCode, stdout).toBe(3)
      expect(stdout.match(/^✗ .*/gm)).toEqual(['✗ TGT-SAME-1  Every request gets the same answer'])
      expect(stdout).toContain('Correct `baseUrl` (or --base-url), or ask the bank whether it accepts')
    },
  )

  test('logs each customer in once, and finds a wrong password; --no-login leaves it out', async ({
    expect,
    onTestFinished,
  }) => {
    const [first, second, ...others] = referenceProfile().customers ?? []
    const customers = [first, { ...second, password: 'not-the-password' }, ...others]
    const logins: string[] = []
    const bank = await startBankOfToday()
    onTestFinished(() => bank.close())
    const relay = relayTo(bank)
    const url = await targets.serve((socket, call) => {
      if (call.method === 'POST' && call.body.includes('password=')) logins.push(call.body)
      relay(socket, call)
    })
    const args = targeting(url, { customers } as Parameters<typeof writeProfile>[1])
    const { exitCode, stdout } = await doctor(args)
    expect(exitCode, stdout).toBe(3)
    expect(stdout.match(/^✗ .*/gm)).toEqual(['✗ TGT-LOGIN-2  A customer gets no access to the accounts'])
    expect(stdout).toContain('`customers.1.password` of the profile is "…"')
    expect(logins).toHaveLength(3)
    expect((await doctor([...args, '--no-login'])).exitCode).toBe(0)
    expect(logins).toHaveLength(3)
  })

  test('prints only the findings as JSON with --json', async ({ expect }) => {
    const url = await targets.bank()
    const { exitCode, stdout } = await doctor([
      ...targeting(url, { connection: { ca: 'no-such-file.pem' } }),
      '--json',
    ])
    const printed = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
    expect(printed).toMatchObject({ schema: 1, baseUrl: url })
    expect(printed.findings[0]).toMatchObject({ code: 'CFG-CONN-1', area: 'configuration', level: 'error' })
    expect(exitCode).toBe(3)
  })
})

describe('the options', () => {
  test.for([
    ['--profile is missing', ['--json']],
    ["unknown option '--profil'; did you mean '--profile'?", ['--profil', 'bank.yaml']],
    ['--environment: expected one of sandbox, production', ['--profile=x.json', '--environment=test']],
  ] as const)('are refused: %s', ([message, args], { expect }) => {
    expect(() => parseDoctorOptions(args)).toThrow(message)
  })

  test('--help lists the exit codes within eighty columns', ({ expect }) => {
    let text = ''
    try {
      parseDoctorOptions(['--help'])
    } catch (error) {
      if (error instanceof TextAskedFor) text = error.text
    }
    for (const code of ['0 ', '3 ', '4 ', '5 ', '130']) expect(text).toContain(`\n  ${code}`)
    expect(columnsOf(text)).toBeLessThanOrEqual(80)
  })
})
