import { expect, test } from 'vitest'
import { profileSchema } from './schema.ts'
import { sampleProfile } from './sample.ts'
import { templateProblems } from './template-checks.ts'

const problems = (changes: object): readonly string[] =>
  templateProblems(profileSchema.parse({ ...sampleProfile(), ...changes }))

test.each([
  ['headers', { 'X-Consent': '{consentID}' }, 'operations.refresh.headers.X-Consent'],
  ['query', { consent: '{consent-id}' }, 'operations.refresh.query.consent'],
  ['body', { of: ['{consentid}'] }, 'operations.refresh.body.of.0'],
])(
  'a placeholder that is not known in the %s of a refresh is told with the right one',
  (part, value, key) => {
    const [problem = '', ...others] = problems({ operations: { refresh: { [part]: value } } })
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
])('a placeholder that is not known at %s is told', (key, changes) => {
  expect(problems(changes)).toEqual([expect.stringContaining(`\`${key}\` has the unknown placeholder`)])
})

test('what is known is not complained of', () => {
  expect(
    problems({ secondVariant: {}, loans: {}, operations: { refresh: { body: { of: '{consentId}' } } } }),
  ).toEqual([])
})
