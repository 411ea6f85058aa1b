import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf, firstOf, formOf, pageOf, tick, type Page } from './html-page.ts'
import { load } from 'cheerio/slim'

const FORM = `<form><fieldset><input type="checkbox" name="a"><button value="first">1</button></fieldset>
  <button value="second">2</button></form>`

test('of several elements the first of the page is found, whichever part of the selector finds it', () => {
  const page = pageOf(FORM)
  expect(firstOf(page, 'button')?.attribs['value']).toBe('first')
  expect(firstOf(page, 'button[value=second], button[value=first]')?.attribs['value']).toBe('first')
})

const attribute = (name: string, value: string): string => ` ${name}="${value}"`
const word = fc.constantFrom('', 'a', 'b c', 'ž&amp;1')
const flag = (name: string) => fc.constantFrom('', ` ${name}`)

const input = fc
  .tuple(
    fc.constantFrom('', 'text', 'Hidden', 'checkbox', 'radio', 'RADIO', 'submit', 'Button', 'file', 'image'),
    fc.option(word, { nil: undefined }),
    fc.option(word, { nil: undefined }),
    flag('checked'),
    flag('disabled'),
  )
  .map(
    ([type, name, value, checked, disabled]) =>
      `<input${type && attribute('type', type)}${name === undefined ? '' : attribute('name', name)}${
        value === undefined ? '' : attribute('value', value)
      }${checked}${disabled}>`,
  )

const choice = fc
  .tuple(
    word,
    flag('multiple'),
    flag('disabled'),
    fc.array(fc.tuple(word, flag('selected')), { maxLength: 3 }),
  )
  .map(
    ([name, multiple, disabled, options]) =>
      `<select name="${name}"${multiple}${disabled}>${options
        .map(([value, selected]) => `<option value="${value}"${selected}>${value}</option>`)
        .join('')}</select>`,
  )

const area = fc
  .tuple(word, fc.constantFrom('', 'one', 'one\ntwo\r\nthree'), flag('disabled'))
  .map(([name, text, disabled]) => `<textarea name="${name}"${disabled}>${text}</textarea>`)

const button = fc.constant('<button name="go" value="1">Go</button>')

const sentBy = (page: Page) => {
  const form = firstOf(page, 'form')
  return form && fieldsOf(page, form)
}

test('the fields of a form are those that cheerio serializes, in the same order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(input, choice, area, button), { maxLength: 6 }), (controls) => {
      const html = `<form><p>${controls.join('</p><p>')}</p></form><input name="outside" value="1">`
      expect(sentBy(pageOf(html))).toEqual(
        load(html)('form')
          .serializeArray()
          .map(({ name, value }) => [name, value]),
      )
    }),
    { numRuns: 300 },
  )
})

const CONSENT = `<form><input type="radio" name="answer" value="no" checked><input type="RADIO" name="answer" value="yes">
  <input type="radio" name="other" value="1" checked>
  <input type="checkbox" name="account" value="1"><input type="checkbox" name="account" value="2" checked></form>`

test('all that a selector finds is ticked, and of radio buttons with one name one alone', () => {
  const page = pageOf(CONSENT)
  tick(page, ['[name=account]', '[value=yes]'])
  expect(sentBy(page)).toEqual([
    ['answer', 'yes'],
    ['other', '1'],
    ['account', '1'],
    ['account', '2'],
  ])
})

const FORMS = `<form id="login"><p><button name="inside">1</button></p><button name="named" form="other">2</button></form>
  <form id="other"><input name="user"></form><button name="outside">3</button><button name="lost" form="none">4</button>`

test.each([
  ['[name=inside]', 'login'],
  ['[name=named]', 'other'],
  ['#other', 'other'],
  ['[name=outside]', undefined],
  ['[name=lost]', undefined],
])('%s belongs to the form %s', (selector, form) => {
  const page = pageOf(FORMS)
  const pressed = firstOf(page, selector)
  expect(pressed && formOf(page, pressed)?.attribs['id']).toBe(form)
})
