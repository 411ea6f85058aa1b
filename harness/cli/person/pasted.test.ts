import { describe, expect, test } from 'vitest'
import { readPasted } from './pasted.ts'

/** The text that a person types or pastes at the end of an authorization. */

const ASKED = {
  link: 'https://bank.example/authorize?client_id=shop&state=s',
  redirectUri: 'https://client.example/callback',
  isShown: false,
}
const ADDRESS = 'https://client.example/callback?code=abc-123.XYZ&state=s%20t'

const read = (text: string, asked: Partial<typeof ASKED> = {}) => readPasted(text, { ...ASKED, ...asked })

describe('an address', () => {
  const expected = { handover: { by: 'address', address: ADDRESS, code: 'abc-123.XYZ' } }

  test.each([
    ['as it is', ADDRESS],
    ['with blanks around it', `  ${ADDRESS}\n`],
    ['in brackets', `<${ADDRESS}>`],
    ['in quotes', `"${ADDRESS}"`],
    ['broken over lines', `${ADDRESS.slice(0, 30)}\n   ${ADDRESS.slice(30)}`],
    ['as its query alone', '?code=abc-123.XYZ&state=s%20t'],
    ['as its query without the mark', 'code=abc-123.XYZ&state=s%20t'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual(expected)
  })

  test('with an error has no code', () => {
    const address = 'https://client.example/callback?error=access_denied&state=s'
    expect(read(address)).toEqual({ handover: { by: 'address', address } })
  })

  test('keeps its fragment, which may contain a token', () => {
    const address = 'https://client.example/callback#access_token=t'
    expect(read(address)).toEqual({ handover: { by: 'address', address } })
  })

  test('contains the query of the redirect URI if only a query is pasted', () => {
    const redirectUri = 'https://client.example/return?channel=bank'
    const address = 'https://client.example/return?channel=bank&code=abcdef'
    expect(read('code=abcdef', { redirectUri })).toMatchObject({ handover: { address } })
    expect(read('?channel=bank&code=abcdef', { redirectUri })).toMatchObject({ handover: { address } })
  })
})

test('a single word is a code', () => {
  expect(read('q7-Zx92_abc')).toEqual({ handover: { by: 'code', code: 'q7-Zx92_abc' } })
})

test.each(['', '   ', 'skip', 'SKIP'])('%o skips this authorization', (text) => {
  expect(read(text)).toEqual({ handover: { by: 'skipped' } })
})

test.each(['stop', ' Stop '])('%o ends all prompts', (text) => {
  expect(read(text)).toEqual({ isStop: true })
})

test.each([
  [ASKED.link, 'this is the link to open'],
  ['https://elsewhere.example/', '"https://elsewhere.example/" has neither a code nor an error'],
  ['what is meant here', '"what is meant here" is neither a URL nor a code'],
  ['no', '"no" is neither a URL nor a code'],
])('%o is quoted in the message, with the next step', (text, problem) => {
  expect(read(text)).toEqual({ problem: expect.stringContaining(problem) as string })
})

test('possible secrets are not quoted', () => {
  const { problem } = read('https://bank.example/page?session=topsecretsession&x=1') as { problem: string }
  expect(problem).toContain('session=…')
  expect(problem).not.toContain('topsecretsession')
  expect(JSON.stringify(read('my password is hunter2hunter2hunter2'))).not.toContain('hunter2hunter2')
})
