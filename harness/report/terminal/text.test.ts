import { expect, test } from 'vitest'
import { atRightEdge, colorsFor, folded, paragraph, table, wrap } from './text.ts'

const isColored = (isTTY: boolean | undefined, environment: Readonly<Record<string, string>>): boolean =>
  colorsFor(isTTY === undefined ? {} : { isTTY }, environment).red('x') !== 'x'

test('colours are for terminals that show them', () => {
  expect(isColored(true, {})).toBe(true)
  expect(isColored(true, { NO_COLOR: '' })).toBe(true)
  expect(isColored(true, { NO_COLOR: '1' })).toBe(false)
  expect(isColored(true, { TERM: 'dumb' })).toBe(false)
  expect(isColored(false, {})).toBe(false)
  expect(isColored(undefined, {})).toBe(false)
})

test('text breaks between words, and never inside a path, a request or a command', () => {
  expect(wrap('a token is bound to its client', 12)).toEqual(['a token is', 'bound to its', 'client'])
  expect(wrap('see reports/latest/evidence.jsonl there', 12)).toEqual([
    'see',
    'reports/latest/evidence.jsonl',
    'there',
  ])
  expect(wrap('it answers GET /v1/accounts with 200', 20)).toEqual([
    'it answers',
    'GET /v1/accounts',
    'with 200',
  ])
  expect(wrap('resume it (npm test -- --resume --out reports/bank), or wait', 20)).toEqual([
    'resume it',
    '(npm test -- --resume --out reports/bank),',
    'or wait',
  ])
  expect(wrap('npx --package ./x.tgz bank-conformance run --only PAY-09 judges it', 20)).toEqual([
    'npx --package ./x.tgz bank-conformance run --only PAY-09',
    'judges it',
  ])
  expect(wrap('the range AUT-42 … AUT-45 of ids', 18)).toEqual(['the range', 'AUT-42 … AUT-45 of', 'ids'])
  expect(wrap('{"a":1,"b":["c","d"],"e":"f,g"}', 17)).toEqual(['{"a":1,', '"b":["c","d"],', '"e":"f,g"}'])
  expect(wrap('{"a":1,"b":2}', 80)).toEqual(['{"a":1,"b":2}'])
  expect(wrap('', 10)).toEqual([''])
  expect(wrap('a b', Number.POSITIVE_INFINITY)).toEqual(['a b'])
})

test('further lines of a paragraph are aligned with its text', () => {
  expect(paragraph('  - ', 'a token is bound', 14)).toEqual(['  - a token is', '    bound'])
  expect(paragraph('für 😀 ', 'a b', 8)).toEqual(['für 😀 a', '       b'])
})

test('a text is folded line by line, below its labels and its indents', () => {
  expect(folded('a sentence that is long\n  label  some words of text\n    indented words here', 18)).toBe(
    [
      'a sentence that',
      '  is long',
      '  label  some',
      '         words of',
      '         text',
      '    indented',
      '      words here',
    ].join('\n'),
  )
})

test('what does not fit at the right edge is on a line of its own, below the text', () => {
  expect(atRightEdge('    label  text', 'npm run show', 40, 11)).toEqual([
    '    label  text             npm run show',
  ])
  expect(atRightEdge('    label  text', 'npm run show', 20, 11)).toEqual([
    '    label  text',
    '           npm run show',
  ])
})

test('the columns of a table are aligned', () => {
  expect(
    table([
      ['', 'pass', 'fail'],
      ['consent', '22', ''],
      ['all', '455', '5'],
    ]),
  ).toEqual(['          pass   fail', 'consent     22', 'all        455      5'])
})
