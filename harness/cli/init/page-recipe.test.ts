import { describe, expect, it } from 'vitest'
import { unknownRefusalOn, headlineOf, proposeCode, proposePage, refuseAtDecision } from './page-recipe.ts'

describe('proposePage', () => {
  it('recognises a login by its password field', () => {
    const html = `<form><input type=hidden name=csrf value=x><input name=login><input type=password name=pw>
      <button type=submit>Sign in</button><button type=submit name=back>Cancel</button></form>`
    expect(proposePage(html)).toEqual({
      when: 'input[name=login]',
      fill: { 'input[name=login]': '{username}', 'input[name=pw]': '{password}' },
      press: 'button[type=submit]',
      refuse: 'button[name=back]',
    })
  })

  it('recognises the first page of a login on two pages', () => {
    const html = `<form action=/search><input name=q><button>Find</button></form>
      <form action=/in><input type=email name=user><input type=submit value=Next></form>`
    expect(proposePage(html)).toMatchObject({
      fill: { 'input[name=user]': '{username}' },
      press: 'input[value=Next]',
    })
  })

  it('takes a single text field for the user name unless an earlier page asked for it', () => {
    const html = '<form><input name=who><input type=submit value=On></form>'
    expect(proposePage(html)).toEqual({
      when: 'input[name=who]',
      fill: { 'input[name=who]': '{username}' },
      press: 'input[value=On]',
    })
    expect(proposePage(html, true)).toEqual({ when: 'input[value=On]', fill: {}, press: 'input[value=On]' })
  })

  it('recognises the second page of a login on two pages', () => {
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
  ])('recognises that %s agrees and %s refuses, in either order', (agree, refuse) => {
    const buttons = [`<button name=a value=1>${agree}</button>`, `<button name=a value=0>${refuse}</button>`]
    for (const order of [buttons, [...buttons].reverse()]) {
      expect(proposePage(`<form>${order.join('')}</form>`)).toMatchObject({
        press: 'button[value="1"]',
        refuse: 'button[value="0"]',
      })
    }
  })

  it('presses the only button of a page without fields', () => {
    expect(proposePage('<form><button>Weiter</button></form>')).toEqual({
      when: 'button',
      fill: {},
      press: 'button',
    })
  })

  it('returns undefined for a page without a button to continue', () => {
    expect(proposePage('<h1>Unknown client</h1>')).toBeUndefined()
    expect(proposePage('<form><button>Cancel</button></form>')).toBeUndefined()
    expect(proposePage('{"error":"invalid_request"}')).toBeUndefined()
  })
})

describe('controls outside their form element', () => {
  it('belong to a login', () => {
    const html = `<form id=search><input name=q><button>Find</button></form><form id=in method=post></form>
      <input name=login form=in><input type=password name=pw form=in>
      <button form=in name=go>Sign in</button><button form=in name=back>Cancel</button>`
    expect(proposePage(html)).toEqual({
      when: 'input[name=login]',
      fill: { 'input[name=login]': '{username}', 'input[name=pw]': '{password}' },
      press: 'button[name=go]',
      refuse: 'button[name=back]',
    })
  })

  it('belong to a decision, and are selected by their form attribute if they have no name', () => {
    const html = `<form id=yes></form><form id=no></form>
      <button form=no>Deny</button><button form=yes>Agree</button>`
    expect(proposePage(html)).toMatchObject({ press: 'button[form=yes]', refuse: 'button[form=no]' })
  })

  it('belong to no form if their form attribute matches none', () => {
    expect(proposePage('<form id=a></form><button form=b>Agree</button>')).toBeUndefined()
  })
})

describe('unknownRefusalOn', () => {
  const unknownRefusal = (buttons: string) => {
    const html = `<form>${buttons}</form>`
    const page = proposePage(html)
    return page && unknownRefusalOn(html, page)
  }

  it('returns two buttons of which neither is recognised to refuse', () => {
    expect(unknownRefusal('<button name=a>Agree</button><button name=b>Später vielleicht</button>')).toEqual({
      when: 'button[name=a]',
      pressed: { selector: 'button[name=a]', text: 'Agree' },
      other: { selector: 'button[name=b]', text: 'Später vielleicht' },
    })
  })

  it('returns undefined if one refuses, and if there are more or fewer than two', () => {
    expect(unknownRefusal('<button name=a>Agree</button><button name=b>Deny</button>')).toBeUndefined()
    expect(unknownRefusal('<button name=a>Weiter</button>')).toBeUndefined()
    expect(
      unknownRefusal('<button name=a>1</button><button name=b>2</button><button name=c>3</button>'),
    ).toBeUndefined()
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

  it('does not treat a sentence as a code', () => {
    expect(proposeCode('<p id=code>no code today</p>')).toBeUndefined()
  })
})

describe('headlineOf', () => {
  it('returns the alert before the heading', () => {
    expect(headlineOf('<title>Bank</title><h1>Sorry</h1><p role=alert> Wrong\n password </p>')).toBe(
      'Wrong password',
    )
  })
})

it('a customer refuses on the decision page, not at the login', () => {
  const login = { when: '#user', fill: { '#user': '{username}' }, press: '#in', refuse: '#back' }
  const decision = { when: '#yes', fill: {}, press: '#yes', refuse: '#no' }
  const passed = { when: '#user', fill: { '#user': '{username}' }, press: '#in' }
  expect(refuseAtDecision([login, decision])).toEqual([passed, decision])
  expect(refuseAtDecision([login])).toEqual([login])
  expect(refuseAtDecision([passed, decision])).toEqual([passed, decision])
})
