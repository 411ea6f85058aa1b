import { expect, test } from 'vitest'
import { PLAIN } from '../../report/terminal/text.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleReport } from '../../testing/samples/reports.ts'
import { renderRequirement, renderShort, renderWhole } from './render.ts'

test('an exchange is printed with request, answer and command', () => {
  const text = renderWhole(sampleExchange({ headers: [['content-type', 'application/json']] }), PLAIN)
  expect(text.split('\n').map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      'POST http://127.0.0.1/token',
      '200',
      'content-type: application/json',
      '"access_token": "t0ken",',
      "curl -i -X POST 'http://127.0.0.1/token'",
    ]),
  )
})

test('text of a target cannot change the terminal, and a long body is cut', () => {
  const text = renderWhole(sampleExchange({ body: `\u001b[2J${'x'.repeat(10_000)}` }), PLAIN)
  expect(text).not.toContain('\u001b')
  expect(text).toContain('… (10004 bytes; all of it is in the evidence)')
  expect(text.length).toBeLessThan(6_000)
})

test('the failures of a requirement are printed with the exchanges that show them', () => {
  const failed = sampleReport().requirements.find(({ verdict }) => verdict === 'fail')
  if (failed === undefined) throw new Error('the sample has no failure')
  const id = failed.checks.find(({ violation }) => violation !== undefined)?.violation?.exchange ?? ''
  const text = renderRequirement(failed, (one) => sampleExchange({ id: one }), 'reports/latest', PLAIN)
  expect(text).toContain(`npm run show -- ${id}`)
  expect(text).toContain('POST http://127.0.0.1/token')
  expect(renderShort(sampleExchange({ id }))).toBe(`  ${id}   POST /token → 200`)
})

test('of a requirement without a failure the first exchange is printed with its command, and some of the others are listed', () => {
  const passed = sampleReport().requirements.find(({ id }) => id === 'TOK-03')
  const [check] = passed?.checks ?? []
  if (passed === undefined || check === undefined) throw new Error('the sample has no pass')
  const exchanges = Array.from({ length: 14 }, (_, at) => `tokens/a-scenario/${at + 1}`)
  const requirement = { ...passed, checks: [{ ...check, exchanges }] }
  const text = renderRequirement(requirement, (id) => sampleExchange({ id }), 'reports/latest', PLAIN)
  const lines = text.split('\n')
  expect(lines[1]).toBe('  tokens/a-scenario/2   POST /token → 200')
  expect(lines.slice(10, 13)).toEqual([
    '  tokens/a-scenario/11   POST /token → 200',
    '  … and 3 more, in report.json',
    '',
  ])
  expect(lines[13]).toMatch(/^tokens\/a-scenario\/1 /)
  expect(text).toContain("curl -i -X POST 'http://127.0.0.1/token'")
})
