import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, describeInBrowser } from '../../../testing/installed-chromium.ts'
import {
  ANNA,
  bodyOf,
  CALLBACK,
  createTestBank,
  START,
  to,
  testBrowsers,
} from '../../../testing/test-browser.ts'
import type { PageRecipe } from '../../../profile/schema/authorization.ts'
import type { Navigation } from '../page-navigation.ts'
import type { RunningBrowser } from './browser.ts'

/** A page on which accounts are chosen, and an answer is ticked and sent with one button for both answers. */
const CONSENT = `<form method="post" action="/decide">
  <label><input type="checkbox" name="account" value="1"> 1</label>
  <label><input type="checkbox" name="account" value="2" checked> 2</label>
  <label><input type="radio" name="answer" value="yes"> yes</label>
  <label><input type="radio" name="answer" value="no" checked> no</label>
  <button>Send</button></form>`

const recipe: PageRecipe = {
  pages: [
    {
      when: '[name=answer]',
      fill: {},
      press: 'button',
      tick: ['[name=account]', '[value=yes]'],
      tickToRefuse: ['[value=no]'],
    },
  ],
  code: '#code',
  limit: 5,
}

describeInBrowser('a customer in a real browser who has to choose', () => {
  const { open, close } = testBrowsers(CHROMIUM)
  let browser: RunningBrowser
  beforeAll(() => void (browser = open()))
  afterAll(close)

  const decide = async (
    decision: 'grant' | 'deny',
    page = CONSENT,
    more: Pick<Navigation, 'accounts'> & Partial<Pick<Navigation, 'recipe'>> = {},
  ) => {
    const bank = createTestBank((_, path) =>
      path === '/authorize' ? { body: page } : to(`${CALLBACK}?code=c0de`),
    )
    const { http } = bank
    const walk = { http, recipe, customer: ANNA, decision, redirectUri: CALLBACK, ...more }
    const redirectResult = await browser.walk(walk, START)
    const [, sent] = bank.asked
    return { redirectResult, form: sent && [...bodyOf(sent)] }
  }

  test('ticks accounts and the answer', async () => {
    const { redirectResult, form } = await decide('grant')
    expect(redirectResult).toMatchObject({ outcome: 'redirect', decision: 'granted' })
    expect(form).toEqual([
      ['account', '1'],
      ['account', '2'],
      ['answer', 'yes'],
    ])
  })

  test('ticks the accounts that are shared, and no other known one', async () => {
    const [page] = recipe.pages
    const picking: PageRecipe = {
      ...recipe,
      pages:
        page === undefined ? [] : [{ ...page, tick: ['[value=yes]'], tickAccounts: '[value="{choice}"]' }],
    }
    const account = (choice: string, consented: boolean) =>
      ({ iban: `SK${choice}`, bank: 'own', choice, consented }) as const
    const { form } = await decide('grant', CONSENT, {
      recipe: picking,
      accounts: [account('1', true), account('2', false)],
    })
    expect(form).toEqual([
      ['account', '1'],
      ['answer', 'yes'],
    ])
    const options = CONSENT.replace(
      /<label>.*?<label><input type="radio"/s,
      `<select name="account" multiple>
      <option value="1">1<option value="2" selected>2</select><label><input type="radio"`,
    )
    const ofList = await decide('grant', options, {
      recipe: picking,
      accounts: [account('1', true), account('2', false)],
    })
    expect(ofList.form).toEqual(form)
    await expect(
      decide('grant', CONSENT, { recipe: picking, accounts: [account('3', true)] }),
    ).rejects.toThrow('has no [value="3"] for the account SK3')
  })

  test('ticks the refusal, and nothing else', async () => {
    const { redirectResult, form } = await decide('deny')
    expect(redirectResult.decision).toBe('denied')
    expect(form).toEqual([
      ['account', '2'],
      ['answer', 'no'],
    ])
  })

  test('says which part of the recipe cannot be ticked', async () => {
    const page = CONSENT.replace('value="1"', 'value="1" disabled')
    await expect(decide('grant', page)).rejects.toThrow(/authorization\.pages\.0\.tick\)/)
  })
})
