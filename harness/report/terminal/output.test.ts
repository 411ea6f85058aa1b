import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable } from '../run-observer.ts'
import { guardOutput, withoutCommands, writeCommand } from './output.ts'

/** What a stream shows of the texts that are written to it. */
const shownOf = (texts: readonly (string | Uint8Array)[], isTTY: boolean): string => {
  let shown = ''
  const stream = {
    isTTY,
    write: (chunk: string | Uint8Array) => {
      shown += String(chunk)
      return true
    },
  }
  guardOutput(stream)
  for (const text of texts) stream.write(text)
  return shown
}

/** The commands of CI servers, as these find them, where characters that nobody sees do not count. */
const isCommand = (text: string): boolean => {
  const seen = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return [
    /##vso\[/i,
    /##\[/,
    /##teamcity\[/i,
    /section_(?:start|end):\d*/i,
    /^\s*::/m,
    /::(?:error|set-output|stop-commands)( .*)?::/i,
  ].some((command) => command.test(seen))
}

test.each([
  ['type ##vso[task.complete result=Succeeded;]ok', 'type ##vso\\u005btask.complete result=Succeeded;]ok'],
  ['a ##[set-output name=conclusion;]conforms', 'a ##\\u005bset-output name=conclusion;]conforms'],
  ["##teamcity[buildStatus status='SUCCESS']", "##teamcity\\u005bbuildStatus status='SUCCESS']"],
  ['a\n  ::set-output name=x::y', 'a\n  :\\u003aset-output name=x::y'],
  ['received ::error title=x::y', 'received ::error title=x:\\u003ay'],
  ['section_start:1:x', 'section_start\\u003a1:x'],
  ['#\u200d#vso[x]', '#\u200d#vso\\u005bx]'],
  ['a ::set-output\u200d::x', 'a ::set-output\u200d:\\u003ax'],
])('a command of a CI server in a line is text: %j', (text, shown) => {
  expect(isCommand(text)).toBe(true)
  expect(withoutCommands(text)).toBe(shown)
})

test.each(['http://[::1]:8080/', '## A heading [1]', 'a # b ## c', 'listens on :::8080', 'const x = [1]'])(
  'what is no command stays as it is: %s',
  (text) => {
    expect(shownOf([text], false)).toBe(text)
  },
)

const part = fc.oneof(
  fc.constantFrom('#', '##', '##vso', '##teamcity[', '[', ':', '::', '::error ', 'set-output', 'section_'),
  fc.constantFrom(
    'start:',
    'END',
    '1',
    'a',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u200d',
    '\u00ad',
    '\u001b[1m',
    '\u2028',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

test('no line has a command that is not ours, however it is written', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (texts, isTTY) => {
      expect(isCommand(shownOf(texts, isTTY))).toBe(false)
    }),
    { numRuns: 3000 },
  )
})

test('of a text without control characters nothing else is changed', () => {
  fc.assert(
    fc.property(
      fc.array(part).map((texts) => printable(texts.join(''))),
      fc.boolean(),
      (text, isTTY) => {
        const shown = shownOf([text], isTTY)
        const decoded = shown.replaceAll(/\\u00(5b|3a)/g, (_, code: string) => (code === '5b' ? '[' : ':'))
        expect(decoded).toBe(
          text.replaceAll(/\\u00(5b|3a)/g, (_, code: string) => (code === '5b' ? '[' : ':')),
        )
      },
    ),
  )
})

test('in a pipe no control character is left, and on a terminal only those that draw', () => {
  const text = '\u001b[31mred\u001b[0m\r\u001b]0;title\u0007\u009b2J'
  expect(shownOf([text], false)).not.toMatch(/\p{Cc}/u)
  expect(shownOf([text], true)).toBe('\u001b[31mred\u001b[0m\r\\u001b]0;title\\u0007\\u009b2J')
})

test('bytes are read as UTF-8, also where a character is split', () => {
  const bytes = Buffer.from('é ##vso[x]')
  expect(shownOf([bytes.subarray(0, 1), bytes.subarray(1, 7), bytes.subarray(7)], false)).toBe(
    'é ##vso\\u005bx]',
  )
})

test('what is printed as JSON stays JSON', () => {
  const text = JSON.stringify({ a: '##vso[task.x]', b: '::error::\u009b' })
  expect(JSON.parse(shownOf([text], false))).toEqual({ a: '##vso[task.x]', b: '::error::\u009b' })
})

test('a command of ours is written as it is', () => {
  const written: string[] = []
  const stream = { isTTY: false, write: (chunk: string | Uint8Array) => written.push(String(chunk)) > 0 }
  guardOutput(stream)
  writeCommand('::error title=x::y', stream)
  expect(written).toEqual(['::error title=x::y\n'])
})
