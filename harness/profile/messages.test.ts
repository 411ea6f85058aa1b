import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeIssues } from './messages.ts'
import { sampleApplication, sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from './schema.ts'

const linesOf = (input: unknown): readonly string[] => {
  const { error } = profileSchema.safeParse(input)
  return error === undefined ? [] : describeIssues(error.issues, input)
}

const sampleWith = (changes: object): unknown => ({ ...sampleProfile(), ...changes })

const applicationWith = (changes: object): unknown =>
  sampleWith({ applications: [{ ...sampleApplication(), ...changes }] })

const customerWith = (iban: string): object => ({
  customers: [{ name: 'first customer', accounts: [{ iban }] }],
})

it('names the key that was meant', () => {
  const { applications, ...rest } = sampleProfile()
  expect(linesOf({ ...rest, aplications: applications })).toContain(
    'unknown key `aplications`; did you mean `applications`?',
  )
})

it('prefers a key that is not there yet', () => {
  expect(linesOf(applicationWith({ clientIdd: 'x', clientId: undefined }))).toContain(
    'unknown key `applications.0.clientIdd`; did you mean `clientId`?',
  )
})

it('lists what is known where nothing is near', () => {
  expect(linesOf(sampleWith({ deadlines: { zzzzzzzz: 1 } }))).toEqual([
    'unknown key `deadlines.zzzzzzzz`; take it out (known here: requestMs, runMs, currentMs)',
  ])
})

it('knows the keys of the kind of authorization that was chosen', () => {
  const token = { application: 'shop', customer: 'first customer', accessToken: 'env:T' }
  expect(linesOf(sampleWith({ authorization: { kind: 'tokens', tokens: [token], limt: 3 } }))).toEqual([
    'unknown key `authorization.limt`; take it out (known here: kind, tokens)',
  ])
})

it.each([
  [{ name: '' }, '`name` is empty; write for instance `name: "Example Bank, sandbox"`'],
  [{ name: 5 }, '`name`: expected text; received 5; put it between quotes'],
  [{ name: ['x'] }, '`name`: expected text; received a list'],
  [
    { environment: 'prod' },
    '`environment`: expected one of sandbox, production; received "prod"; did you mean production?',
  ],
  [
    { authorization: { kind: 'page' } },
    '`authorization.kind`: expected one of pages, browser, person, tokens; received "page"; did you mean pages?',
  ],
  [{ authorization: {} }, '`authorization.kind` is missing; write for instance `kind: "pages"`'],
  [
    { allow: { sandbox: ['raed'] } },
    '`allow.sandbox.0`: expected one of read, consent, notify, apply, pay; received "raed"; did you mean read?',
  ],
  [{ deadlines: { requestMs: 1.5 } }, '`deadlines.requestMs`: expected a whole number; received 1.5'],
  [{ deadlines: { requestMs: 0 } }, '`deadlines.requestMs`: expected at least 1; received 0'],
  [{ deadlines: { runMs: 3e9 } }, '`deadlines.runMs`: expected at most 2147483647; received 3000000000'],
  [
    { basePaths: { sandbox: 'premium' } },
    '`basePaths.sandbox`: a path begins with a slash and has no query; received "premium"',
  ],
  [
    { baseUrl: 'bank' },
    '`baseUrl`: expected an http or https URL such as https://api.bank.example, received "bank"',
  ],
  [
    { origins: ['bank'] },
    '`origins.0`: expected an http or https URL such as https://api.bank.example, received "bank"',
  ],
  [{ customers: 'anna' }, '`customers`: expected a list; received text'],
  [{ headers: 'X-Key: x' }, '`headers`: expected an object of keys and values; received text'],
  [
    { headers: { 'X Key': 'x' } },
    '`headers.X Key` is a wrong key: the name of a header has letters, digits and hyphens',
  ],
  [
    { headers: { Accept: 'a\nb' } },
    '`headers.Accept`: the value of a header has no line break or control character; received text (not shown)',
  ],
  [{ notApplicable: { loans: '' } }, '`notApplicable.loans` is empty'],
  [
    customerWith('SK2998010000002600001128'),
    '`customers.0.accounts.0.iban`: expected an IBAN (ISO 13616), and its check digits do not fit the rest; received "SK2998010000002600001128"',
  ],
  [
    customerWith('SK489801000000260000112'),
    '`customers.0.accounts.0.iban`: expected an IBAN (ISO 13616), and "SK489801000000260000112" has 23 characters; those of SK have 24',
  ],
  [
    customerWith('SK29 9801 0000 0026 0000 1129'),
    '`customers.0.accounts.0.iban`: expected an IBAN (ISO 13616), and it has blanks; write it without; received "SK29 9801 0000 0026 0000 1129"',
  ],
])('says what stood there and what was expected: %o', (changes, line) => {
  expect(linesOf(sampleWith(changes))).toEqual([line])
})

it.each([
  [
    { redirectUris: [] },
    '`applications.0.redirectUris` is empty; write for instance `redirectUris: [{"uri":"https://client.example/callback"}]`',
  ],
  [
    { redirectUris: [{ uri: 'callback' }] },
    '`applications.0.redirectUris.0.uri`: expected a URL such as "https://client.example/callback"; received "callback"',
  ],
  [
    { redirectUris: [{ uri: 'https://client.example/#x' }] },
    '`applications.0.redirectUris.0.uri`: a redirect URI has no fragment (RFC 6749 §3.1.2); received "https://client.example/#…"',
  ],
  [
    { clientSecret: null },
    '`applications.0.clientSecret` has no value (in YAML, a value that begins with # needs quotes); write for instance `clientSecret: "env:BANK_CLIENT_SECRET"`',
  ],
  [
    { clientSecret: 48151623 },
    '`applications.0.clientSecret`: expected text; received a number (not shown); put it between quotes',
  ],
  [
    { clientId: 'pl:anted' },
    '`applications.0.clientId`: a client id with a colon cannot be sent by HTTP Basic (RFC 7617 §2)',
  ],
])('says what is wrong with an application: %o', (changes, line) => {
  expect(linesOf(applicationWith(changes))).toEqual([line])
})

it.each([[undefined], [null], [[]], ['x'], [5]])('wants an object, not %o', (input) => {
  expect(linesOf(input)[0]).toMatch(/^a profile is an object of keys and values; received /)
})

it('does not show a secret that has become part of a key', () => {
  const [line] = linesOf(applicationWith({ 'clientSecret:planted': null }))
  expect(line).toBe('unknown key `applications.0.clientSecret…`; did you mean `clientSecret`?')
})

it('has a line for every issue, whatever the input', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(profileSchema.shape), 'x'), fc.jsonValue()),
      (input) => {
        const lines = linesOf(input)
        expect(lines.length).toBeGreaterThan(0)
        for (const line of lines) expect(line).not.toMatch(/undefined|\[object/)
      },
    ),
    { numRuns: 300 },
  )
})
