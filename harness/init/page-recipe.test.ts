import { describe, expect, it } from 'vitest'
import { headlineOf, proposeCode, proposePage } from './page-recipe.ts'

describe('proposePage', () => {
  it('knows a login by its password', () => {
    const html = `<form><input type=hidden name=csrf value=x><input name=login><input type=password name=pw>
      <button type=submit>Sign in</button><button type=submit name=back>Cancel</button></form>`
    expect(proposePage(html)).toEqual({
      when: 'input[name=login]',
      fill: { 'input[name=login]': '{username}', 'input[name=pw]': '{password}' },
      press: 'button[type=submit]',
      refuse: 'button[name=back]',
    })
  })

  it('knows the first half of a login in two pages', () => {
    const html = `<form action=/search><input name=q><button>Find</button></form>
      <form action=/in><input type=email name=user><input type=submit value=Next></form>`
    expect(proposePage(html)).toMatchObject({
      fill: { 'input[name=user]': '{username}' },
      press: 'input[value=Next]',
    })
  })

  it('knows it by whatever name, where nothing else is to be typed and nobody has said who they are', () => {
    const html = '<form><input name=who><input type=submit value=On></form>'
    expect(proposePage(html)).toEqual({
      when: 'input[name=who]',
      fill: { 'input[name=who]': '{username}' },
      press: 'input[value=On]',
    })
    expect(proposePage(html, true)).toEqual({ when: 'input[value=On]', fill: {}, press: 'input[value=On]' })
  })

  it('knows the second half of a login in two pages', () => {
    const html = '<form><input type=password id=secret><button>Pokračovať</button></form>'
    expect(proposePage(html)).toEqual({
      when: 'input#secret',
      fill: { 'input#secret': '{password}' },
      press: 'button',
    })
  })

  it.each([
    ['Grant access', 'Deny'],
    ['Súhlasím', 'Nesúhlasím'],
    ['Povoliť', 'Zamietnuť'],
    ['Souhlasím', 'Odmítnout'],
    ['I agree', 'I disagree'],
  ])('tells %s from %s, in whatever order they stand', (agree, refuse) => {
    const buttons = [`<button name=a value=1>${agree}</button>`, `<button name=a value=0>${refuse}</button>`]
    for (const order of [buttons, [...buttons].reverse()]) {
      expect(proposePage(`<form>${order.join('')}</form>`)).toMatchObject({
        press: 'button[value="1"]',
        refuse: 'button[value="0"]',
      })
    }
  })

  it('presses the one button of a page that only tells something', () => {
    expect(proposePage('<form><button>Weiter</button></form>')).toEqual({
      when: 'button',
      fill: {},
      press: 'button',
    })
  })

  it('gives up where nobody could go on', () => {
    expect(proposePage('<h1>Unknown client</h1>')).toBeUndefined()
    expect(proposePage('<form><button>Cancel</button></form>')).toBeUndefined()
    expect(proposePage('{"error":"invalid_request"}')).toBeUndefined()
  })
})

describe('proposeCode', () => {
  it.each([
    ['<p>Your code:</p><output id=code>4f9c1a77</output>', '#code'],
    ['<input readonly name=authCode value=4f9c1a77>', 'input[name=authCode]'],
    ['<p class="big code-box">4f9c.1a-77</p>', 'p.code-box'],
    ['<p>Your code: <code>4f9c1a77</code></p>', 'code'],
  ])('finds it in %s', (html, selector) => {
    expect(proposeCode(html)).toBe(selector)
  })

  it('does not take words for a code', () => {
    expect(proposeCode('<p id=code>no code today</p>')).toBeUndefined()
  })
})

describe('headlineOf', () => {
  it('says what a person reads first', () => {
    expect(headlineOf('<title>Bank</title><h1>Sorry</h1><p role=alert> Wrong\n password </p>')).toBe(
      'Wrong password',
    )
  })
})
