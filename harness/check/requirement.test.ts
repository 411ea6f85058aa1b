import { expect, test } from 'vitest'
import { chapterRows, should } from './requirement.ts'

const row = (id: string) => should(id, { claim: 'a claim', quote: 'a quote', place: 'a place' })

test('two requirements of a chapter have different ids', () => {
  expect(() => chapterRows('tokens', { one: row('TOK-08'), other: row('TOK-09') })).not.toThrow()
  expect(() =>
    chapterRows('tokens', { one: row('TOK-08'), high: row('TOK-09'), other: row('TOK-08') }),
  ).toThrow('two requirements have the id TOK-08; the next free one is TOK-10')
})
