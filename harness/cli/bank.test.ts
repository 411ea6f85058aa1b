import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { dialects } from '../bank/dialects/generated.ts'
import { variationGroups } from '../bank/variations/index.ts'
import { seedData } from '../bank/seed-data.ts'
import { suite } from '../testing/program.ts'
import { main } from './bank.ts'

const start = (...args: readonly string[]): ChildProcess => spawn(process.execPath, suite('bank', ...args))

const textUntil = async ({ stdout }: ChildProcess, end: string): Promise<string> => {
  if (!stdout) throw new Error('the bank has no output')
  const lines: string[] = []
  for await (const line of createInterface(stdout)) {
    lines.push(line)
    if (line.includes(end)) break
  }
  return lines.join('\n')
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const exitCode = async (child: ChildProcess): Promise<unknown> =>
  ((await once(child, 'exit')) as [unknown])[0]

test('prints its addresses and the accounts of each customer, and stops at a signal despite an open connection', async () => {
  const child = start('--port', '0', '--speed', '60')
  const greeting = await textUntil(child, 'Ctrl-C')
  const url = /http:\S+/.exec(greeting)?.[0] ?? ''
  const response = await fetch(`${url}/_test-hooks/clock`)
  const { now } = (await response.json()) as { now: string }
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60 * 60_000)
  expect(await (await fetch(url)).text()).toContain('<h1>A bank for tests</h1>')
  const code = exitCode(child)
  child.kill('SIGTERM')
  expect(await code).toBe(0)
  expect(greeting).toContain(`  payments             ${url}/sandbox/api/v1 and ${url}/api/v1\n`)
  expect(greeting).toContain(`  installment loans    ${url}/paylater/sandbox\n`)
  for (const { username, password, accounts } of seedData.customers) {
    const [, own = ''] = greeting.split(`\n  ${username.padEnd(10)}${password}\n`)
    const lines = own.split('\n').slice(0, accounts.length)
    expect(lines.map((line) => line.trim().split(/ +/, 2))).toEqual(
      accounts.map(({ iban, currency }) => [iban, currency]),
    )
  }
  expect(greeting).toContain('SK0798020000001200006671  EUR  Salary account (at Neighbour Bank)\n')
})

test('lists its dialects and variations with a space after each id, and options in small letters', async () => {
  const child = start('--help')
  if (!child.stdout) throw new Error('the bank has no output')
  const help = await text(child.stdout)
  const listed = [...dialects, ...Object.values(variationGroups).flat()]
  for (const { id, title } of listed) expect(help).toMatch(new RegExp(`^  ${id}  +${escaped(title)}$`, 'm'))
  const options = [...help.matchAll(/--[a-z][\w-]*/gi)].map(([option]) => option)
  expect(options).toContain('--no-test-hooks')
  expect(options.filter((option) => /[A-Z]/.test(option))).toEqual([])
})

test('has a defect with --defect, and says what it breaks', async () => {
  const child = start('--port', '0', '--defect', 'a-refused-consent-request-has-the-status-200')
  const printed = await textUntil(child, 'It breaks')
  const url = /http:\/\/[^\s/]+/.exec(printed)?.[0] ?? ''
  const refused = await fetch(`${url}/premium/sandbox/v1/consents`, { method: 'POST' })
  expect(refused.status).toBe(200)
  expect(printed).toMatch(/defect +a-refused-consent-request-has-the-status-200: \w/)
  expect(printed).toMatch(/It breaks CON-\d+/)
  child.kill('SIGTERM')
  expect(await exitCode(child)).toBe(0)
})

test('does not start with an unknown defect, and names the nearest one', async () => {
  const child = start('--port', '0', '--defect', 'a-refused-consent-request-has-the-status-201')
  if (!child.stderr) throw new Error('the bank has no output')
  const [printed, code] = await Promise.all([text(child.stderr), exitCode(child)])
  expect(printed).toContain('Did you mean a-refused-consent-request-has-the-status-200?')
  expect(code).toBe(3)
})

test('has no test hooks with --no-test-hooks', async () => {
  const child = start('--port', '0', '--no-test-hooks')
  const greeting = await textUntil(child, 'Ctrl-C')
  const url = /http:\S+/.exec(greeting)?.[0] ?? ''
  const { status } = await fetch(`${url}/_test-hooks/clock`)
  child.kill('SIGTERM')
  expect(status).toBe(404)
  expect(greeting).not.toContain('Test hooks')
})

test.each([
  [['--prot', '1'], "unknown option '--prot'"],
  [['--port', '80.5'], '--port: expected a whole number from 0 to 65535'],
  [['--speed', '-1'], '--speed: expected a number'],
  [['--start-at', 'noon'], '--start-at: expected a time such as'],
  [['--seed', '1.5'], '--seed: expected a whole number from 0'],
  [['--variation', 'events-are-compresed'], 'Did you mean events-are-compressed?'],
  [['--dialect', 'compact'], '--dialect: expected generated-<number>'],
])('reports the error in %j', async (args, message) => {
  await expect(main(args)).rejects.toThrow(message)
})
