import { expect, it, test } from 'vitest'
import { crossCheck } from './cross-checks.ts'
import { sampleApplication, sampleProfile, parsedProfile } from '../testing/samples/profile.ts'
import { type ProfileInput } from './schema.ts'

const check = (changes: Partial<ProfileInput>): ReturnType<typeof crossCheck> =>
  crossCheck(parsedProfile(changes))

const shop = sampleApplication()
const [customer] = sampleProfile().customers ?? []
const token = { application: 'shop', customer: 'first customer', accessToken: 'env:T' }

it('finds nothing in a profile without a fault', () => {
  expect(check({})).toEqual({ problems: [], warnings: [] })
})

it('wants names and client ids of applications to differ', () => {
  expect(check({ applications: [shop, { ...shop }] }).problems).toEqual([
    '`applications.1.name` is the same as `applications.0.name`; each needs its own',
    '`applications.1.clientId` is the same as `applications.0.clientId`; each needs its own',
  ])
})

it('wants customers to be different people', () => {
  const customers = customer === undefined ? [] : [customer, { ...customer, name: 'second customer' }]
  expect(check({ customers }).problems).toEqual([
    '`customers.1.username` is the same as `customers.0.username`; each needs its own',
  ])
})

it('wants a customer who can log in', () => {
  expect(check({ customers: [] }).problems).toEqual([expect.stringContaining('`customers` is empty')])
})

it('wants credentials to hold where they are used', () => {
  expect(check({ environments: ['sandbox', 'production'] }).problems).toEqual([])
  expect(check({ environments: ['production'] }).problems).toEqual([
    '`environments` lacks sandbox, which `environment` names; add it where the credentials hold there',
  ])
})

it('wants the sandbox to have addresses of its own', () => {
  const basePaths = { sandbox: '/bank', production: '/Bank/' }
  expect(check({ basePaths }).problems).toEqual([
    '`basePaths.sandbox`: the sandbox address /bank is the production address /Bank (`basePaths.production`), so that a run of the sandbox could act in production; give the sandbox an address of its own',
  ])
})

it('wants no request to be sent to a client', () => {
  const [{ uri } = { uri: '' }] = shop.redirectUris ?? []
  const { origin } = new URL(uri)
  expect(check({ origins: ['https://login.bank.example', `${origin}/x`] }).problems).toEqual([
    expect.stringContaining(`\`origins.1\` is ${origin}, the origin of the redirect URI ${uri}`),
  ])
  const shown = [{ uri, delivery: 'result-screen' as const }]
  expect(check({ origins: [origin], applications: [{ ...shop, redirectUris: shown }] }).problems).toEqual([])
})

it('refuses headers that a server may prefer to the address', () => {
  expect(check({ headers: { 'X-Original-Url': 'bank.example', 'X-Gateway': '1' } }).problems).toEqual([
    expect.stringContaining('`headers.X-Original-Url` would send requests to another address'),
  ])
})

it('wants imported tokens to name what is there', () => {
  const authorization = {
    kind: 'tokens' as const,
    tokens: [{ ...token, application: 'shp', customer: 'unknown' }] as const,
  }
  expect(check({ authorization: { ...authorization, tokens: [...authorization.tokens] } }).problems).toEqual([
    '`authorization.tokens.0.application` names "shp", which `applications` does not have; did you mean "shop"?',
    '`authorization.tokens.0.customer` names "unknown", which `customers` does not have; expected one of "first customer"',
  ])
})

it('wants an imported token for the second variant only where each variant is granted by itself', () => {
  const changes = {
    authorization: { kind: 'tokens' as const, tokens: [{ ...token, variant: 'second' as const }] },
  }
  expect(check({ ...changes, secondVariant: {} }).problems).toEqual([
    expect.stringContaining('`authorization.tokens.0.variant` is second, but a token opens both variants'),
  ])
  expect(check({ ...changes, secondVariant: { oauth: { scope: 'AIS_2' } } }).problems).toEqual([])
})

it('warns of pages without a way to refuse', () => {
  const { warnings } = check({
    authorization: { kind: 'pages', pages: [{ when: 'form', press: 'button' }] },
  })
  expect(warnings).toEqual([expect.stringContaining('no page of `authorization.pages` has a `refuse`')])
})

it('knows the placeholders of a page and of the refresh request', () => {
  const page = { when: 'form', press: 'button', refuse: 'a', fill: { input: '{user} {password}' } }
  const { problems } = check({
    authorization: { kind: 'pages', pages: [page] },
    operations: { token: { refreshForm: { refresh_token: '{refreshtoken}' } } },
  })
  expect(problems).toEqual([
    '`authorization.pages.0.fill.input` has the unknown placeholder {user}; did you mean {username}?',
    '`operations.token.refreshForm.refresh_token` has the unknown placeholder {refreshtoken}; did you mean {refresh_token}?',
  ])
})

it('asks for what the recipe types, and for nothing where a person logs in', () => {
  const page = { when: 'form', press: 'button', refuse: 'a', fill: { input: '{username}' } }
  const customers = [{ name: 'first customer' }]
  const authorization = { kind: 'pages' as const, pages: [page] }
  expect(check({ authorization, customers }).problems).toEqual([
    '`customers.0.username` is missing, and `authorization.pages` type it; write for instance `username: "env:BANK_USERNAME"`',
  ])
  expect(check({ authorization: { kind: 'person' }, customers }).problems).toEqual([])
})

it('knows what else a recipe types of its customers, and asks for it of each', () => {
  const page = { when: 'form', press: 'button', refuse: 'a', fill: { input: '{tan}', b: '{tam}' } }
  const customers = [
    { name: 'one', username: 'a', fields: { tan: '1' } },
    { name: 'other', username: 'b' },
  ]
  expect(check({ authorization: { kind: 'pages', pages: [page] }, customers }).problems).toEqual([
    '`authorization.pages.0.fill.b` has the unknown placeholder {tam}; did you mean {tan}?',
    '`customers.1.fields.tan` is missing, and `authorization.pages` type it; write for instance `tan: "env:BANK_TAN"`',
  ])
})

it('takes a page for one on which a customer refuses, whether by a button or by what is ticked', () => {
  const page = { when: 'form', press: 'button', tickToRefuse: ['[value=no]'] as [string] }
  expect(check({ authorization: { kind: 'pages', pages: [page] } }).warnings).toEqual([])
})

it('warns of what may be done', () => {
  expect(check({ allow: { sandbox: ['consent'], production: ['read', 'pay'] } }).warnings).toEqual([
    expect.stringContaining('`allow.sandbox` lacks read'),
    '`allow.production` has pay: a run in production moves money',
  ])
})

it('knows an id and a chapter by their look', () => {
  expect(
    check({
      notApplicable: { loans: 'no loans', 'PAY-09': 'no payments', 'second variant': 'none', FAC: 'none' },
    }).problems,
  ).toEqual([])
  expect(check({ notApplicable: { pay9: 'no payments' } }).problems).toEqual([
    expect.stringContaining('`notApplicable` names "pay9"; expected the id of a requirement such as PAY-09'),
  ])
})

it('warns of a gateway that takes the header of the interface', () => {
  expect(check({ headers: { authorization: 'Basic env:X' } }).warnings).toEqual([
    expect.stringContaining('`headers.authorization` conflicts with the interface'),
  ])
})

const revoke = { url: '/revoke', body: { token: '{token}' } }

it('accepts the placeholder in the url, in a header and in the body', () => {
  for (const revokeToken of [
    revoke,
    { url: '/revoke/{token}' },
    { url: '/r', headers: { 'X-T': 'a {token}' } },
  ]) {
    expect(check({ testHooks: { revokeToken } }).problems).toEqual([])
  }
})

it('refuses an account that a page cannot pick, and a selector that picks by nothing known', () => {
  const picking = (tickAccounts: string) => {
    const [customer] = sampleProfile().customers ?? []
    return check({
      customers: customer && [{ ...customer, accounts: [{ iban: 'SK2998010000002600001129' }] }],
      authorization: { kind: 'pages', pages: [{ when: 'form', press: 'button', tickAccounts }] },
    }).problems
  }
  expect(picking('input[value="{iban}"]')).toEqual([])
  expect(picking('input[value="{choice}"]')).toEqual([
    '`customers.0.accounts.0.choice` is missing, and `authorization.pages.0.tickAccounts` picks the account by it; add what the page has there',
  ])
  expect(picking('input[value="{iban}{acountId}"]')).toEqual([
    '`authorization.pages.0.tickAccounts` has the unknown placeholder {acountId}; did you mean {accountId}?',
  ])
  expect(() => picking('input[name=account]')).toThrow('the selector names the account by {iban}')
})

it('refuses accounts of a customer who has none', () => {
  const customers = [
    { name: 'first', hasAccounts: false, accounts: [{ iban: 'SK2998010000002600001129' }] },
    { name: 'second', username: 'b', hasAccounts: false },
  ]
  expect(check({ customers }).problems.join()).toContain(
    '`customers.0.hasAccounts` is false, and `customers.0.accounts` names accounts',
  )
  expect(check({ customers }).problems.join()).not.toContain('`customers.1.hasAccounts`')
})

it('accepts one form of an amount, and refuses a booking without any', () => {
  const problemsOf = (body: Readonly<Record<string, string>>): readonly string[] =>
    check({ testHooks: { bookTransaction: { url: '/bookings/{iban}', body } } }).problems
  expect(problemsOf({ cents: '{amountMinor}' })).toEqual([])
  expect(problemsOf({ sum: '{amount}' })).toEqual([])
  expect(problemsOf({ sum: '1.00' })).toEqual([
    '`testHooks.bookTransaction` passes {amount} on nowhere; put it into its url, a header or the body',
  ])
})

it('refuses an unknown placeholder, and one that is passed on nowhere', () => {
  const { problems } = check({
    testHooks: { revokeToken: { url: '/revoke', body: { a: [{ b: '{tokn}' }] } } },
  })
  expect(problems).toEqual([
    '`testHooks.revokeToken.body.a.0.b` has the unknown placeholder {tokn}; did you mean {token}?',
    '`testHooks.revokeToken` passes {token} on nowhere; put it into its url, a header or the body',
  ])
})

it('has only the environment to put in place where the clock is read', () => {
  const { problems } = check({ testHooks: { readClock: { url: '/clock/{milliseconds}' } } })
  expect(problems).toEqual([expect.stringContaining('known here: {environment}')])
})

it('refuses credentials in an address without showing them', () => {
  const { problems } = check({
    testHooks: { revokeToken: { ...revoke, url: 'https://user:planted@bank.example/x?a=b' } },
  })
  expect(problems).toEqual([expect.stringContaining('`testHooks.revokeToken.url`: ')])
  expect(problems.join()).not.toContain('planted')
})

it.each(['file:///etc/x', 'mailto:x', '//bank.example/x'])('refuses the address %s', (url) => {
  expect(check({ testHooks: { revokeToken: { ...revoke, url } } }).problems).toHaveLength(1)
})

it('warns of a test hook that stands elsewhere', () => {
  const revokeToken = { ...revoke, url: 'https://hooks.bank.example/revoke?x=1' }
  expect(check({ testHooks: { revokeToken } }).warnings).toEqual([
    "`testHooks.revokeToken.url` is at https://hooks.bank.example, which is not the target's; add it to `origins`, or the test hook is never called",
  ])
  expect(check({ testHooks: { revokeToken }, origins: ['https://hooks.bank.example/'] }).warnings).toEqual([])
})

it('warns of a clock that can be moved but not read', () => {
  const advanceClock = { url: '/clock/{milliseconds}' }
  expect(check({ testHooks: { advanceClock } }).warnings).toEqual([
    expect.stringContaining('`testHooks.advanceClock` is given without `testHooks.readClock`'),
  ])
})

it('refuses a body that is no JSON', () => {
  const { problems } = check({
    testHooks: { revokeToken: { ...revoke, body: { token: '{token}', n: 10n } } },
  })
  expect(problems).toEqual([
    expect.stringContaining('`testHooks.revokeToken.body` cannot be written as JSON'),
  ])
})

test.each([
  ['headers', { 'X-Consent': '{consentID}' }, 'operations.refresh.headers.X-Consent'],
  ['query', { consent: '{consent-id}' }, 'operations.refresh.query.consent'],
  ['body', { of: ['{consentid}'] }, 'operations.refresh.body.of.0'],
])(
  'a placeholder that is not known in the %s of a refresh is reported with the right one',
  (part, value, key) => {
    const [problem = '', ...others] = check({ operations: { refresh: { [part]: value } } }).problems
    expect(problem).toContain(`\`${key}\` has the unknown placeholder {`)
    expect(problem).toContain('did you mean {consentId}?')
    expect(others).toEqual([])
  },
)

test.each([
  ['operations.readAccount.path', { operations: { readAccount: { path: '/a/{account-id}/{accountid}' } } }],
  ['operations.createConsent.path', { operations: { createConsent: { path: '/{tenant}/consents' } } }],
  [
    'operations.listTransactions.query.from',
    { operations: { listTransactions: { query: { from: '{date}' } } } },
  ],
  [
    'secondVariant.readAccount.picked.pan',
    { secondVariant: { readAccount: { picked: { id: '{accountId}', pan: '{iban}' } } } },
  ],
  ['loans.status.path', { loans: { status: { path: '/{applicationId}/{application-id}' } } }],
  ['loans.token.form.audience', { loans: { token: { form: { audience: '{baseUrl}' } } } }],
])('a placeholder that is not known at %s is reported', (key, changes) => {
  expect(check(changes).problems).toEqual([expect.stringContaining(`\`${key}\` has the unknown placeholder`)])
})
