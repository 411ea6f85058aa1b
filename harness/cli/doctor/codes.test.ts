import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { PLAIN } from '../../report/terminal/text.ts'
import { CODES, type Code } from '../../connection/first-contact/codes.ts'
import { areaOf } from '../../connection/first-contact/finding.ts'
import { RESPONSE_FAULTS } from '../../testing/faults/response-fault-cases.ts'
import { NETWORK_FAULTS } from '../../testing/faults/network-fault-cases.ts'
import { TLS_FAULTS } from '../../testing/faults/tls-fault-cases.ts'
import { openFaultTargets, type FaultCase } from '../../testing/faults/fault-targets.ts'
import { renderFinding } from './diagnose.ts'

/** Every code is caused by a faulty target, explained, and listed in the documentation. */

const codes = Object.keys(CODES) as Code[]

const FAULT_CASES: Partial<Record<Code, FaultCase>> = {
  ...NETWORK_FAULTS,
  ...TLS_FAULTS,
  ...RESPONSE_FAULTS,
}

test('every code has a fault case', () => {
  const missing = codes
    .filter((code) => FAULT_CASES[code] === undefined)
    .map((code) => `${code}: add a fault case that causes it`)
  expect(missing).toEqual([])
})

describe('a faulty target shows', () => {
  const warnings: Error[] = []
  const note = (warning: Error): number => warnings.push(warning)
  beforeAll(() => void process.on('warning', note))
  afterAll(() => {
    process.off('warning', note)
    // A warning of Node would be printed among the findings.
    expect(warnings).toEqual([])
  })

  for (const code of codes)
    test.concurrent(code, async ({ expect, onTestFinished }) => {
      const targets = openFaultTargets()
      onTestFinished(() => targets.close())
      const findings = (await FAULT_CASES[code]?.(targets)) ?? []
      const finding = findings.find((each) => each.code === code)
      expect(finding, findings.map((each) => renderFinding(each, PLAIN, 80)).join('\n')).toBeDefined()
      expect(finding).toMatchObject({ area: areaOf(code), title: CODES[code].title })
      expect(finding?.cause).not.toBe('')
      if (code !== 'OWN-STEP-1') expect(findings.map((each) => each.code)).not.toContain('OWN-STEP-1')
    })
})

const PAGE = join(ROOT, 'docs', 'doctor.md')

test('every code has its row in the documentation', () => {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const expected = codes.map((code) => {
    const { level, title, next } = CODES[code]
    return `| \`${code}\` | ${level} | ${title} | ${next} |`
  })
  const cells = (row: string): string => row.replaceAll(/ +\| +/g, ' | ').replaceAll(/ +\|$/g, ' |')
  expect(rows.map(cells), 'in docs/doctor.md').toEqual(expected.map(cells))
})

test('every code but those of level ok has a next step', () => {
  const wrong = codes.filter((code) => (CODES[code].level === 'ok') !== (CODES[code].next === ''))
  expect(wrong).toEqual([])
})
