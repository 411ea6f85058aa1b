import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { scratch } from '../scratch.ts'
import { readResultFiles } from './result-file.ts'

test('results and attachments are read as the generator asks for them', async () => {
  const directory = scratch()
  writeFileSync(join(directory, 'a-attachment.httpexchange'), '{}')
  writeFileSync(join(directory, 'b-result.json'), '{"uuid":"b"}')
  writeFileSync(join(directory, 'c-result.json.draft'), '{"uu')
  const [attachment, result, ...others] = readResultFiles(directory)
  expect(others).toEqual([])
  expect(attachment?.getContentType()).toBe('application/vnd.allure.http+json')
  expect(attachment?.getExtension()).toBe('.httpexchange')
  expect(result?.getOriginalFileName()).toBe('b-result.json')
  expect(result?.getContentType()).toBe('application/json')
  expect(result?.getContentLength()).toBe(12)
  expect(await result?.asJson()).toEqual({ uuid: 'b' })
  expect(await result?.asUtf8String()).toBe('{"uuid":"b"}')
  expect(await result?.asBuffer()).toEqual(Buffer.from('{"uuid":"b"}'))
  expect(await result?.readContent(text)).toBe('{"uuid":"b"}')
  await result?.writeTo(join(directory, 'copy'))
  expect(readFileSync(join(directory, 'copy'), 'utf8')).toBe('{"uuid":"b"}')
})

test('a run that tested nothing has no results', () => {
  expect(readResultFiles(join(scratch(), 'allure-results'))).toEqual([])
})
