import { expect, test } from 'vitest'
import { linkIn } from './link-header.ts'

/** Paging that has no end is a finding, and no hang. */

const LINK_HEADER =
  '</a?page=1>; rel="prev"; title="a, b; rel=next", <https://bank.example/a?page=3>; rel="last next"'

test('linkIn: the link with the relation, whatever else stands there', () => {
  expect(linkIn([['link', LINK_HEADER]], 'next')).toBe('https://bank.example/a?page=3')
  expect(linkIn([['Link', LINK_HEADER]], 'PREV')).toBe('/a?page=1')
  expect(linkIn([['link', '<?page=2>;rel=next']], 'next')).toBe('?page=2')
})

test('linkIn: the header may come several times', () => {
  const headers = [
    ['link', '</first>; rel=first'],
    ['content-type', 'application/json'],
    ['link', '</2>; crossorigin; rel="next"'],
  ] as const
  expect(linkIn(headers, 'next')).toBe('/2')
})

test.each([[[]], [[['link', '']]], [[['link', '</2>']]], [[['link', '</2>; rel="nextpage"']]]] as const)(
  'linkIn: no link in %j',
  (headers) => {
    expect(linkIn(headers, 'next')).toBeUndefined()
  },
)
