import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { describe, expect, test } from 'vitest'
import { sampleReport, scratch } from '../testing/samples/reports.ts'
import { reportJsonSchema, writeJson, writeReports } from './write.ts'

describe('report.json', () => {
  test('holds the report', () => {
    const directory = scratch()
    writeJson(sampleReport(), directory)
    expect(JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))).toEqual(sampleReport())
  })

  test('replaces the former one whole, and leaves no draft', () => {
    const directory = scratch()
    writeJson(sampleReport(), directory)
    writeJson(sampleReport({ results: [] }), directory)
    expect(readdirSync(directory)).toEqual(['report.json'])
    expect(JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))).toMatchObject({
      counts: { requirements: { fail: 0 } },
    })
  })

  test('is not written where it would break its schema', () => {
    const directory = scratch()
    const broken = { ...sampleReport(), exitCode: 0.5 }
    expect(() => writeJson(broken, directory)).toThrow(/exitCode/)
    expect(readdirSync(directory)).toEqual([])
  })
})

test('report.schema.json is the published form of the schema', async () => {
  const text = await format(JSON.stringify(reportJsonSchema()), { parser: 'json', printWidth: 110 })
  await expect(text).toMatchFileSnapshot('./report.schema.json')
})

test('every rendering is written', async () => {
  const out = scratch()
  await writeReports(sampleReport(), out)
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.json', 'summary.md'])
})
