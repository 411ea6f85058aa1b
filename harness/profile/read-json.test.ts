import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileFault } from './file-fault.ts'
import { findJsonFault, readJson } from './read-json.ts'

const isAccepted = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Texts that are nearly JSON: one with a piece taken out, put in or doubled. */
const nearlyJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', ',', '"', '}', ']', '{', '\\', '\n', '-', '0', 'e', '.', ' '),
  )
  .map(([text, at, cut, piece]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + piece + text.slice(from + cut)
  })

describe('readJson', () => {
  it('accepts what JSON.parse accepts, but no key twice', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearlyJson, fc.string()), (text) => {
        const fault = findJsonFault(text)
        fc.pre(fault?.what !== 'a key stands twice')
        expect(fault === undefined).toBe(isAccepted(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('points into the text', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const { offset } = findJsonFault(text) ?? { offset: 0 }
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  it.each([
    ['{"a": planted}', 'a value is expected', 1, 7],
    ['{\n "a": "x"\n "b": "planted"}', 'a comma or } is expected', 3, 2],
    ['{"a": 1,}', 'a key between double quotes is expected', 1, 9],
    ['{"a" 1}', 'a colon is expected', 1, 6],
    ["{'a': 1}", 'a key between double quotes is expected', 1, 2],
    ['[1 2]', 'a comma or ] is expected', 1, 4],
    ['{"a": "planted', 'a text is not closed', 1, 7],
    ['{"a": 007}', 'a value is expected', 1, 7],
    ['{"a": 1', 'it ends too early', 1, 8],
    ['{} {}', 'the file goes on behind its end', 1, 4],
    ['{"a": 1, "a": 2}', 'a key stands twice', 1, 10],
    ['', 'it ends too early', 1, 1],
  ])('says what is wrong with %o and where', (text, what, line, column) => {
    const read = (): unknown => readJson(text)
    expect(read).toThrow(FileFault)
    expect(read).toThrow(what)
    expect(read).toThrow(`(line ${line}, column ${column})`)
    expect(read).not.toThrow('planted')
  })
})
