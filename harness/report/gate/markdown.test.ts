import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeSpan, escapeMarkdown } from './markdown.ts'

test('what would be a link, an image or markup is text', () => {
  expect(escapeMarkdown('<consent_id> *or* ![x](http://a.b)')).toBe(
    '\\<consent\\_id\\> \\*or\\* \\!\\[x\\]\\(http\\:\\/\\/a\\.b\\)',
  )
})

test('every mark that Markdown reads is escaped', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(escapeMarkdown(text).replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/)
    }),
  )
})

test('a code span ends where its text ends', () => {
  expect(codeSpan('npm test')).toBe('` npm test `')
  expect(codeSpan('a `b` ``c``')).toBe('``` a `b` ``c`` ```')
})
