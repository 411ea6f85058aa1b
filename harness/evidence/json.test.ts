import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEEPEST_JSON, isJsonText, parseJson } from './json.ts'

const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels)

describe('JSON of a target', () => {
  test('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('may be nested up to the limit', () => {
    expect(isJsonText(nested(DEEPEST_JSON))).toBe(true)
    expect(() => parseJson(nested(DEEPEST_JSON + 1))).toThrow('JSON nested deeper than 100 levels')
    expect(() => parseJson('{"a":'.repeat(100_000))).toThrow('JSON nested deeper than 100 levels')
  })

  test('may have any number of brackets in strings, and of members on one level', () => {
    const brackets = JSON.stringify({ 'a"\\': '['.repeat(1000), b: '\\"[['.repeat(1000) })
    expect(parseJson(brackets)).toEqual(JSON.parse(brackets))
    expect(isJsonText(`[${'[],'.repeat(1000)}[]]`)).toBe(true)
    expect(() => parseJson(String.raw`["\\","\"",${nested(DEEPEST_JSON)}]`)).toThrow('nested deeper')
    expect(() => parseJson(`"${'['.repeat(1000)}`)).toThrow('Unterminated string')
  })
})
