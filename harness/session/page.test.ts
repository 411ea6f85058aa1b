import { expect, test } from 'vitest'
import { allOf, fillControl, firstOf, pageOf, textOf, valueOf } from './page.ts'

const FORM = `<form><fieldset><input type="checkbox" name="a"><button value="first">1</button></fieldset>
  <button value="second">2</button></form>`

test('of several elements the first of the page is found, whichever part of the selector finds it', () => {
  const page = pageOf(FORM)
  expect(firstOf(page, 'button')?.attribs['value']).toBe('first')
  expect(firstOf(page, 'button[value=second], button[value=first]')?.attribs['value']).toBe('first')
})

test('nothing is found where there is nothing', () => {
  expect(firstOf(pageOf(FORM), '#code')).toBe(undefined)
  expect(firstOf(pageOf(''), 'form')).toBe(undefined)
})

test('a page is looked at anew each time, and each page by itself', () => {
  const page = pageOf(FORM)
  const chosen = 'fieldset:has(input[checked]) button'
  expect(firstOf(page, chosen)).toBe(undefined)
  for (const { attribs } of allOf(page, 'input')) attribs['checked'] = 'checked'
  expect(firstOf(page, chosen)?.attribs['value']).toBe('first')
  expect(firstOf(pageOf(FORM), chosen)).toBe(undefined)
})

test('what is inside of an element is looked for there alone', () => {
  const page = pageOf(FORM)
  const [fieldset] = allOf(page, 'fieldset')
  const values = fieldset && allOf(fieldset, 'button').map(({ attribs }) => attribs['value'])
  expect(values).toEqual(['first'])
  expect(fieldset && allOf(fieldset, 'fieldset')).toEqual([])
})

test('a control has the text that was typed into it, and an element the text that it shows', () => {
  const page = pageOf('<input name="user" value="a"><textarea>b</textarea><output>c <b>d</b></output>')
  fillControl(page, '[name=user], textarea', 'typed')
  fillControl(page, '#nowhere', 'lost')
  expect(allOf(page, 'input, textarea').map(valueOf)).toEqual(['typed', 'b'])
  expect(allOf(page, 'output').map(textOf)).toEqual(['c d'])
})
