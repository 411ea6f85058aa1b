import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AILMENTS_OF_ANSWERS } from '../misfortune/ailments-of-answers.ts'
import { AILMENTS_OF_LINE } from '../misfortune/ailments-of-line.ts'
import { AILMENTS_OF_TLS } from '../misfortune/ailments-of-tls.ts'
import { openWard } from '../misfortune/ward.ts'
import { ROOT } from '../modules.ts'
import { areaOf, CODES } from './finding.ts'
import { renderFinding } from './render.ts'
import { PLAIN } from '../report/terminal/colors.ts'
import type { Ailment } from '../misfortune/ward.ts'
import type { Code, Described } from './finding.ts'

/** Every code is brought about by a target, explained, and stands on the page for those who look it up. */

vi.setConfig({ testTimeout: 60_000 })

const codes = Object.keys(CODES) as Code[]

const AILMENTS: Partial<Record<Code, Ailment>> = {
  ...AILMENTS_OF_LINE,
  ...AILMENTS_OF_TLS,
  ...AILMENTS_OF_ANSWERS,
}

test('every code is brought about', () => {
  const missing = codes
    .filter((code) => AILMENTS[code] === undefined)
    .map((code) => `${code}: bring it about in harness/misfortune/ailments-of-….ts`)
  expect(missing).toEqual([])
})

describe('an ailing target shows', () => {
  const warnings: Error[] = []
  const note = (warning: Error): number => warnings.push(warning)
  beforeAll(() => void process.on('warning', note))
  afterAll(() => {
    process.off('warning', note)
    // Nothing that the runtime complains of stands between the findings.
    expect(warnings).toEqual([])
  })

  for (const code of codes)
    test.concurrent(code, async ({ expect, onTestFinished }) => {
      const ward = openWard()
      onTestFinished(() => ward.close())
      const findings = (await AILMENTS[code]?.(ward)) ?? []
      const finding = findings.find((each) => each.code === code)
      expect(finding, findings.map((each) => renderFinding(each, PLAIN)).join('\n')).toBeDefined()
      expect(finding).toMatchObject({ area: areaOf(code), title: CODES[code].title })
      expect(finding?.cause).not.toBe('')
      if (code !== 'OWN-STEP-1') expect(findings.map((each) => each.code)).not.toContain('OWN-STEP-1')
    })
})

const PAGE = join(ROOT, '.github', 'docs', 'doctor.md')

test('every code has its row on the page', () => {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const expected = codes.map((code) => {
    const { level, title, next }: Described = CODES[code]
    return `| \`${code}\` | ${level} | ${title} | ${next} |`
  })
  const cells = (row: string): string => row.replaceAll(/ +\| +/g, ' | ').replaceAll(/ +\|$/g, ' |')
  expect(rows.map(cells), 'in .github/docs/doctor.md').toEqual(expected.map(cells))
})

test('whatever wants doing says what to do', () => {
  const mute = codes.filter((code) => (CODES[code].level === 'ok') !== (CODES[code].next === ''))
  expect(mute).toEqual([])
})
