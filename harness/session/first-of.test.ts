import { load } from 'cheerio/slim'
import { expect, test } from 'vitest'
import { firstOf } from './first-of.ts'

const FORM = `<form><fieldset><input type="checkbox" name="a"><button value="first">1</button></fieldset>
  <button value="second">2</button></form>`

test('of several elements the first of the page is found, whichever part of the selector finds it', () => {
  const $ = load(FORM)
  expect(firstOf($, 'button').attr('value')).toBe('first')
  expect(firstOf($, 'button[value=second], button[value=first]').attr('value')).toBe('first')
})

test('nothing is found where there is nothing', () => {
  expect(firstOf(load(FORM), '#code').length).toBe(0)
  expect(firstOf(load(''), 'form').length).toBe(0)
})

test('a page is looked at anew each time, and each page by itself', () => {
  const $ = load(FORM)
  const chosen = 'fieldset:has(input[checked]) button'
  expect(firstOf($, chosen).length).toBe(0)
  firstOf($, 'input').attr('checked', 'checked')
  expect(firstOf($, chosen).attr('value')).toBe('first')
  expect(firstOf(load(FORM), chosen).length).toBe(0)
})
