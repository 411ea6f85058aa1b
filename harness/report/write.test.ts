import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { sampleReport, scratch } from '../testing/samples/reports.ts'
import { reportSchema } from './schema.ts'
import { writeJson, writeReports } from './write.ts'

const refuse = (fault: string): never => {
  throw new Error(fault)
}

describe('report.json', () => {
  test('replaces the former one whole, and leaves no draft', () => {
    const directory = scratch()
    writeJson(sampleReport(), directory, refuse)
    writeJson(sampleReport({ results: [] }), directory, refuse)
    expect(readdirSync(directory)).toEqual(['report.json'])
    expect(JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))).toMatchObject({
      counts: { requirements: { fail: 0 } },
    })
  })

  test('that does not match its schema is written with what there is, as an error of the harness', () => {
    const directory = scratch()
    const faults: string[] = []
    const { run, ...rest } = sampleReport()
    writeJson({ ...rest, run: { ...run, durationMs: -1 } }, directory, (fault) => void faults.push(fault))
    expect(faults.join()).toContain('durationMs')
    expect(JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))).toEqual({
      ...rest,
      run: { ...run, durationMs: -1 },
      conclusion: 'harness-error',
      gate: 'harness-error',
      exitCode: 5,
    })
  })
})

test('report.schema.json is the published form of the schema', async () => {
  const schema = { title: 'report.json of the conformance suite', ...z.toJSONSchema(reportSchema) }
  const text = await format(JSON.stringify(schema), { parser: 'json', printWidth: 110 })
  await expect(text).toMatchFileSnapshot('./report.schema.json')
})

test('every rendering is written', async () => {
  const out = scratch()
  await writeReports(sampleReport(), out, refuse)
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.json', 'summary.md'])
})
