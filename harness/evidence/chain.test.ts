import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { CHAIN_START, digestOfLine, examineChain, openChain } from './chain.ts'

let file = ''
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-'))
  file = join(folder, 'lines.jsonl')
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const linesOf = (): Buffer[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line))

const write = (...names: readonly string[]): void => {
  const chain = openChain(file)
  for (const name of names) chain.append(JSON.stringify({ name }))
  chain.close()
}

test('each line carries the digest of the line before it, with its line end', () => {
  write('žltá', 'two')
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = linesOf()
  expect(JSON.parse(String(first))).toEqual({ prev: CHAIN_START, name: 'žltá' })
  const digest = createHash('sha256')
    .update(`${String(first)}\n`)
    .digest('hex')
  expect(JSON.parse(String(second))).toEqual({ prev: digest, name: 'two' })
  expect(examineChain(linesOf())).toEqual({ lines: 2, heads: [digestOfLine(second)] })
})

test('a chain continues where an earlier writer ended, also another process', () => {
  write('one')
  const foreign = `${JSON.stringify({ prev: digestOfLine(linesOf()[0] ?? Buffer.alloc(0)), name: 'x'.repeat(200_000) })}\n`
  appendFileSync(file, foreign)
  write('three')
  rmSync(file)
  write('a new file')
  expect(examineChain(linesOf())).toMatchObject({ lines: 1 })
  writeFileSync(file, '')
  write('one', 'two')
  appendFileSync(file, `${JSON.stringify({ prev: digestOfLine(linesOf()[1] ?? Buffer.alloc(0)) })}\n`)
  write('four')
  expect(examineChain(linesOf())).toMatchObject({ lines: 4 })
  expect(examineChain(linesOf()).broken).toBeUndefined()
})

test('a second chain in the same file is a break', () => {
  write('one', 'two')
  const first = readFileSync(file)
  rmSync(file)
  write('three')
  writeFileSync(file, Buffer.concat([first, readFileSync(file)]))
  expect(examineChain(linesOf()).broken).toEqual({ line: 3 })
})

const change = (edit: (lines: Buffer[]) => Buffer[]) => {
  write('one', 'two', 'three', 'four')
  return examineChain(edit(linesOf())).broken
}

test('a changed line is found by the line after it', () => {
  expect(
    change((lines) => lines.map((line, at) => (at === 1 ? Buffer.from(`${String(line)} `) : line))),
  ).toEqual({
    line: 3,
  })
})

test('a removed line, and moved lines', () => {
  expect(change((lines) => lines.filter((_, at) => at !== 1))).toEqual({ line: 2 })
  rmSync(file)
  const [one, two, three, four] = [0, 1, 2, 3]
  const order = [one, three, two, four]
  expect(change((lines) => order.map((at) => lines[at] ?? Buffer.alloc(0)))).toEqual({ line: 2, follows: 3 })
})

test('an added line', () => {
  const added = Buffer.from('{"name":"added"}')
  expect(change((lines) => lines.toSpliced(2, 0, added))).toEqual({ line: 3 })
})
