import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { scratch } from '../scratch.ts'
import { openResultFiles } from './result-file.ts'

const RESULT = '{"uuid":"b","attachments":[]}'

test('results and attachments are read as the generator asks for them', async () => {
  const directory = scratch()
  writeFileSync(join(directory, 'a-attachment.httpexchange'), '{}')
  writeFileSync(join(directory, 'b-result.json'), RESULT)
  writeFileSync(join(directory, 'c-result.json.draft'), '{"uu')
  const [attachment, result, ...others] = openResultFiles(directory).next()
  expect(others).toEqual([])
  expect(attachment?.getContentType()).toBe('application/vnd.allure.http+json')
  expect(attachment?.getExtension()).toBe('.httpexchange')
  expect(result?.getOriginalFileName()).toBe('b-result.json')
  expect(result?.getContentType()).toBe('application/json')
  expect(result?.getContentLength()).toBe(RESULT.length)
  expect(await result?.asJson()).toEqual({ uuid: 'b', attachments: [] })
  expect(await result?.asUtf8String()).toBe(RESULT)
  expect(await result?.asBuffer()).toEqual(Buffer.from(RESULT))
  expect(await result?.readContent(text)).toBe(RESULT)
  await result?.writeTo(join(directory, 'copy'))
  expect(readFileSync(join(directory, 'copy'), 'utf8')).toBe(RESULT)
})

test('a run that tested nothing has no results', () => {
  expect(openResultFiles(join(scratch(), 'allure-results')).next()).toEqual([])
})

test('a file that several results name is a file of its own to each, and says what it is a copy of', async () => {
  const directory = scratch()
  const source = 'exchange-1-attachment.httpexchange'
  writeFileSync(join(directory, source), '{"exchange":1}')
  for (const uuid of ['b', 'c', 'd'])
    writeFileSync(
      join(directory, `${uuid}-result.json`),
      JSON.stringify({ uuid, attachments: [{ name: 'x', source }] }),
    )
  const results = openResultFiles(directory)
  const files = new Map(results.next().map((file) => [file.getOriginalFileName(), file]))
  const named: string[] = []
  for (const uuid of ['b', 'c', 'd']) {
    const result = await files
      .get(`${uuid}-result.json`)
      ?.asJson<{ attachments: { name: string; source: string }[] }>()
    const [attachment] = result?.attachments ?? []
    expect(attachment?.name).toBe('x')
    expect(await files.get(attachment?.source ?? '')?.asUtf8String()).toBe('{"exchange":1}')
    named.push(attachment?.source ?? '')
  }
  expect(new Set(named).size).toBe(3)
  expect(new Map(results.copies)).toEqual(new Map(named.slice(1).map((copy) => [copy, source])))
})

test('what comes later is read later, and nothing twice', async () => {
  const directory = scratch()
  const results = openResultFiles(directory)
  const source = 'exchange-1-attachment.httpexchange'
  const write = (uuid: string): void =>
    writeFileSync(join(directory, `${uuid}-result.json`), JSON.stringify({ uuid, attachments: [{ source }] }))
  const namesOf = (files: readonly { getOriginalFileName(): string }[]): readonly string[] =>
    files.map((file) => file.getOriginalFileName()).sort()

  writeFileSync(join(directory, source), '{"exchange":1}')
  write('b')
  expect(namesOf(results.next())).toEqual(['b-result.json', source])
  expect(results.next()).toEqual([])

  write('c')
  const later = results.next()
  expect(namesOf(later)).toEqual([`c-${source}`, 'c-result.json'])
  const copy = later.find((file) => file.getOriginalFileName() === `c-${source}`)
  expect(await copy?.asUtf8String()).toBe('{"exchange":1}')
  expect([...results.copies]).toEqual([[`c-${source}`, source]])
})

test('a result that is seen before the file that it shares is shown that file all the same', async () => {
  const directory = scratch()
  const source = 'exchange-1-attachment.httpexchange'
  writeFileSync(join(directory, source), '{"exchange":1}')
  for (const uuid of ['a', 'b'])
    writeFileSync(
      join(directory, `0${uuid}-result.json`),
      JSON.stringify({ uuid, attachments: [{ source }] }),
    )
  const files = openResultFiles(directory).next()
  const contents = await Promise.all(
    files.filter((file) => file.getExtension() === '.httpexchange').map((file) => file.asUtf8String()),
  )
  expect(contents).toEqual(['{"exchange":1}', '{"exchange":1}'])
})
