import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { scratch } from '../samples/reports.ts'
import { filesIn, formsOf, leaksIn, leaksInFolder } from '../leaks.ts'

/** The scan for leaks finds secrets that were planted. */

const SECRET = 'Kanárik <37> & "žltý"/+tajný'
const CANARIES = [{ name: 'planted', value: SECRET }]
const FILLING = 'x'.repeat(100)

const leaks = (content: string | Buffer) => leaksIn('sample', Buffer.from(content), CANARIES)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

test.each([...formsOf(SECRET)].map(([text, form]) => [form, text] as const))(
  'finds it as %s',
  (form, text) => {
    expect(leaks(`${FILLING} ${text} ${FILLING}`)).toContainEqual({
      place: 'sample',
      canary: 'planted',
      form,
    })
  },
)

test('finds it in a Basic credential, after an identifier of any length', () => {
  for (const id of ['a', 'ab', 'abc', 'abcd', 'client-7'])
    expect(leaks(`Authorization: Basic ${base64(`${id}:${SECRET}`)}`)).not.toEqual([])
})

test('finds it in compressed and encoded content', () => {
  const json = JSON.stringify({ headers: [['X-Key', SECRET]], filling: FILLING })
  for (const content of [
    gzipSync(json),
    deflateSync(json),
    `d("data/a.json","${base64(json)}")`,
    `d("data/a.json","${gzipSync(json).toString('base64')}")`,
    `{"outer":"${base64(`{"inner":"${base64(json)}"}`)}"}`,
  ])
    expect(leaks(content)).not.toEqual([])
})

test('finds it in every file of a folder, whatever its name', () => {
  const folder = scratch()
  mkdirSync(join(folder, 'a', '.hidden'), { recursive: true })
  writeFileSync(join(folder, 'a', '.hidden', 'no-suffix'), SECRET)
  writeFileSync(join(folder, 'clean.json'), FILLING)
  expect(filesIn(folder).length).toBe(2)
  expect(leaksInFolder(folder, CANARIES)).toContainEqual({
    place: join('a', '.hidden', 'no-suffix'),
    canary: 'planted',
    form: 'raw',
  })
})

test('finds nothing in content without a secret', () => {
  expect(leaks(`${FILLING} ${base64(FILLING)} Kanárik žltý`)).toEqual([])
  expect(leaks(brotliCompressSync(FILLING))).toEqual([])
})
