import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reportCheck } from '../assemble.ts'
import { CATALOGUE, exchange, found, planned, REJECTION } from '../sample.ts'
import { scratch } from '../scratch.ts'
import { createResultWriter } from './result-writer.ts'
import type { TestResult } from 'allure-js-commons'
import type { CheckResult } from '../../check/result.ts'

const write = (result: CheckResult, has: (id: string) => boolean = () => true) => {
  const directory = join(scratch(), 'allure-results')
  const row = CATALOGUE.find(({ id }) => id === 'PAY-09')
  if (row === undefined) throw new Error('PAY-09 is in the sample')
  const check = planned('PAY-09/1')
  const report = reportCheck(check, [result], { level: 'MUST', reproduce: 'npm test' })
  const lookup = (id: string) => (has(id) ? exchange(id) : undefined)
  createResultWriter(directory, lookup)({ row, check, report, target: 'bank', startedAt: 0, block: '' })
  const names = readdirSync(directory)
  const name = names.find((one) => one.endsWith('-result.json')) ?? ''
  return { directory, names, result: JSON.parse(readFileSync(join(directory, name), 'utf8')) as TestResult }
}

describe('a result on disk', () => {
  test('has each exchange in a file of its own, the one that shows the violation marked', () => {
    const exchanges = ['payments/a-rejection/3', REJECTION.exchange]
    const { directory, names, result } = write(found('PAY-09/1', 'fail', { exchanges, violation: REJECTION }))
    expect(result.attachments.map(({ name }) => name)).toEqual([
      '3  GET /payments/7F…/status?… → 200',
      '✗ 4  GET /payments/7F…/status?… → 200',
    ])
    for (const { source, type } of result.attachments) {
      expect(type).toBe('application/vnd.allure.http+json')
      expect(JSON.parse(readFileSync(join(directory, source), 'utf8'))).toMatchObject({ schemaVersion: 1 })
    }
    expect(names).toHaveLength(3)
  })

  test('shows exchanges in the order in which they were sent', () => {
    const { result } = write(found('PAY-09/1', 'pass', { exchanges: ['s/1', 's/10', 's/2'] }))
    expect(result.attachments.map(({ name }) => name.split(' ')[0])).toEqual(['1', '2', '10'])
  })

  test('shows the last exchanges of very many, and the one that counts', () => {
    const exchanges = Array.from({ length: 100 }, (_, index) => `s/${index}`)
    const violation = { ...REJECTION, exchange: 's/7' }
    const { result } = write(found('PAY-09/1', 'fail', { exchanges, violation }))
    expect(result.attachments).toHaveLength(24)
    expect(result.attachments[0]?.name).toMatch(/^✗ 7 /)
    expect(result.attachments.at(-1)?.name).toMatch(/^99 /)
    expect(result.descriptionHtml).toContain('The last 24 of 100 exchanges are shown')
  })

  test('looks an exchange up once for all results, and one that is not there yet again', () => {
    const asked: string[] = []
    const lookup = (id: string) => {
      asked.push(id)
      return id === 's/1' || asked.length > 2 ? exchange(id) : undefined
    }
    const [row] = CATALOGUE
    if (row === undefined) throw new Error('the sample has rows')
    const report = reportCheck(
      planned('PAY-09/1'),
      [found('PAY-09/1', 'pass', { exchanges: ['s/1', 's/2'] })],
      {
        ...{ level: 'MUST', reproduce: 'npm test' },
      },
    )
    const directory = join(scratch(), 'allure-results')
    const writeOne = createResultWriter(directory, lookup)
    const one = { row, report, target: 'bank', startedAt: 0, block: '' }
    writeOne(one)
    writeOne(one)
    expect(asked).toEqual(['s/1', 's/2', 's/2'])
    expect(readdirSync(directory)).toHaveLength(2 + 2)
  })

  test('does without an exchange that is not in the evidence', () => {
    const { result } = write(found('PAY-09/1', 'pass'), () => false)
    expect(result.attachments).toEqual([])
  })
})
