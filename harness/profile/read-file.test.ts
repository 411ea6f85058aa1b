import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { pace } from '../testing/pace.ts'
import { FileFault, readJson, readProfileFile, readYaml } from './read-file.ts'

const isAccepted = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const faultIn = (text: string): string => {
  try {
    readJson(text)
    return ''
  } catch (error) {
    return String(error)
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
        const fault = faultIn(text)
        fc.pre(!fault.includes('a key occurs twice'))
        expect(fault === '').toBe(isAccepted(text))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['{"a": planted}', 'outside of double quotes (line 1, column 7)'],
    ['{\n "a": "x"\n "b": "planted"}', 'a comma, a colon or a bracket is missing (line 3, column 2)'],
    ['{"a": 1,}', 'the last item no comma'],
    ['{"a" 1}', 'a colon or a bracket is missing (line 1, column 6)'],
    ["{'a': 1}", 'keys and texts need double quotes'],
    ['[1 2]', 'outside of double quotes (line 1, column 2)'],
    ['{"a": "planted', 'a quote, a comma, a colon or a bracket is missing (line 1, column 15)'],
    ['{"a": 007}', 'a number in another form, stands outside of double quotes (line 1, column 7)'],
    ['{"a": 1', 'a bracket is missing (line 1, column 8)'],
    ['{} {}', 'unexpected text'],
    ['{"a": 1, "a": 2}', 'a key occurs twice (line 1, column 10)'],
    ['', 'it is not valid JSON'],
  ])('says what is wrong with %o and where', (text, what) => {
    const read = (): unknown => readJson(text)
    expect(read).toThrow(FileFault)
    expect(read).toThrow(what)
    expect(read).not.toThrow('planted')
  })
})

describe('readYaml', () => {
  it('reads what was written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]\w*$/), fc.jsonValue()), (any) => {
        // JSON has no negative zero, and YAML has one.
        const value = JSON.parse(JSON.stringify(any)) as unknown
        expect(readYaml(stringify(value))).toEqual(value)
      }),
    )
  })

  it.each([
    ['a: *planted', 'a text that begins with * needs quotes', 1, 4],
    ['a: !planted x', 'a text that begins with ! needs quotes', 1, 4],
    ['a: @planted', 'a text that begins with @', 1, 4],
    ['a: "planted', 'a quote, a comma, a colon or a bracket is missing', 1, 12],
    ['a: 1\na: planted', 'a key occurs twice', 2, 1],
    ['a: b: planted', 'a text with a colon and a blank needs quotes', 1, 4],
    ['a:\n\tb: planted', 'a line is indented with a tab', 2, 1],
    ['a: "\\planted"', 'an unknown escape', 1, 5],
    ['a: 1\n---\nb: planted', 'the file has more than one document', 2, 1],
    ['? [planted]\n: 1', 'a key is not a text', 1, 3],
    ['a: [planted', 'a bracket is not closed', 1, 12],
  ])('says what is wrong with %o and where', (text, what, line, column) => {
    const read = (): unknown => readYaml(text)
    expect(read).toThrow(FileFault)
    expect(read).toThrow(what)
    expect(read).toThrow(`(line ${line}, column ${column})`)
    expect(read).not.toThrow('planted')
  })

  it('refuses aliases that grow without measure', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef'])
      bomb.push(`${to}: &${to} [${`*${from}, `.repeat(9)}]`)
    expect(() => readYaml(bomb.join('\n'))).toThrow('its aliases cannot be put in place')
  })

  it.each([
    ['lines', Array.from({ length: 50_000 }, (_, at) => `k${at}: 1`).join('\n')],
    ['braces', `{${Array.from({ length: 40_000 }, (_, at) => `k${at}: 1`).join(', ')}}`],
    ['aliases', `a: &a 1\nb: [${'*a,'.repeat(150_000)}]`],
    ['quotes', `[${'"",'.repeat(150_000)}]`],
  ])('refuses too many values in %s at once', (_, text) => {
    const startedAt = performance.now()
    expect(() => readYaml(text)).toThrow('it has more than 10000 values')
    // The parser takes a minute or more.
    expect(performance.now() - startedAt).toBeLessThan(5_000 * pace)
  })

  it('says nothing but a FileFault, whatever it reads', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          readYaml(text)
        } catch (error) {
          expect(error).toBeInstanceOf(FileFault)
        }
      }),
    )
  })
})

describe('readProfileFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profile-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('does not read a device', async () => {
    await expect(readProfileFile('/dev/zero')).rejects.toThrow('is not a regular file')
  })

  it.each(['large.yaml', 'large.json'])(
    'refuses a file that is too large without reading it: %s',
    async (name) => {
      const file = join(folder, name)
      // Larger than any text of Node.
      writeFileSync(file, '{')
      truncateSync(file, 600 * 1024 * 1024)
      await expect(readProfileFile(file)).rejects.toThrow(
        `the profile ${file} has 629145600 bytes; at most 1 MiB are read`,
      )
    },
  )
})
