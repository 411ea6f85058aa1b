import { expect, test } from 'vitest'
import { hearForm, hearParameters, isMarked, sayPage, sayParameters, withMarks } from './forms.ts'
import { words } from './conversions.ts'
import type { Markup, Parameters } from './vocabulary.ts'

const PARAMETERS: Parameters = {
  cursor: 'page[after]',
  scope: { at: 'scope', as: words({ PISP: 'pay me' }) },
}

const address = new URL('http://bank.example/')

test('parameters are renamed, and the others keep their escapes', () => {
  const heard = hearParameters('pageSize=%31%30&page%5Bafter%5D=%7e&scope=pay+me', PARAMETERS)
  expect(heard).toBe('pageSize=%31%30&cursor=%7e&scope=PISP')
})

test("the bank's name is ignored if the dialect has another", () => {
  expect(hearParameters('cursor=1&pageSize=10', PARAMETERS)).toBe('pageSize=10')
})

test('a translated query is translated back', () => {
  const turn = { here: address, there: address }
  const own = 'pageSize=10&cursor=a%2Fb&scope=PISP'
  const said = sayParameters(own, PARAMETERS, turn)
  expect([...new URLSearchParams(said)]).toEqual([
    ['pageSize', '10'],
    ['page[after]', 'a/b'],
    ['scope', 'pay me'],
  ])
  expect(hearParameters(said, PARAMETERS)).toBe(own)
})

test('required parameters are checked, and added if they are missing', () => {
  const marks = { view: 'all' }
  expect(['view=all&a=1', 'view=some', ''].map((query) => isMarked(query, marks))).toEqual([
    true,
    false,
    false,
  ])
  expect(['', 'a=1', 'view=all'].map((query) => withMarks(query, marks))).toEqual([
    'view=all',
    'a=1&view=all',
    'view=all',
  ])
})

const MARKUP: Markup = {
  fields: { username: 'user', decision: 'verdict' },
  values: { decision: { grant: 'yes', deny: 'no' } },
  rewrites: [[/<output id="code">([^<]*)<\/output>/, '<b class="code">$1</b>']],
}

test('a page has other fields, and its forms keep their addresses', async () => {
  const page = '<form action="next?a=1&amp;b=2"><input name="username"><button name="decision" value="grant">'
  const response = new Response(`${page}<output id="code">x</output>`, {
    status: 403,
    headers: { 'content-type': 'text/html' },
  })
  const said = await sayPage(response, MARKUP, new URL('http://bank.example/auth/visits/1'))
  expect(said.status).toBe(403)
  expect(await said.text()).toBe(
    '<form action="/auth/visits/next?a=1&amp;b=2"><input name="user"><button name="verdict" value="yes"><b class="code">x</b>',
  )
})

test('a form is accepted only with the names of the page', () => {
  expect(hearForm('user=a%26b&verdict=no&csrf=1', MARKUP)).toBe('username=a%26b&decision=deny&csrf=1')
  expect(hearForm('username=a&verdict=grant', MARKUP)).toBe('decision=')
})
