import { describe, expect, test } from 'vitest'
import { dialects } from '../../bank/dialects/generated.ts'
import { PAYMENT_ACCOUNTS } from '../../bank/seed-data.ts'
import { profileJsonSchema, type SchemaNode } from '../../profile/json-schema.ts'
import { type ProfileInput, profileSchema } from '../../profile/schema.ts'
import { dialectProfile, referenceProfile } from './reference-profile.ts'

const IDS = dialects.map(({ id }) => id)

/** The parts of a profile that describe requests and responses. */
const BINDINGS = [
  'basePaths',
  'authorization',
  'scopes',
  'operations',
  'secondVariant',
  'payments',
  'loans',
  'webhooks',
] as const

/** Keys that no dialect changes, each by its beginning, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  scopes: 'the interface gives the scope PREMIUM_AIS',
  'operations.token.success': 'RFC 6749 §5.1 gives 200',
  'operations.token.refreshesOnlyExpired': 'the variation that renews only expired access tokens has it',
  'secondVariant.listAccounts.success': 'the first variant has other statuses',
  'secondVariant.readAccount.success': 'the first variant has other statuses',
  'secondVariant.listTransactions.success': 'the first variant has other statuses',
  'secondVariant.oauth': 'used by the variations with a separate grant for the second variant',
  'authorization.limit': 'how long the customer waits: not a property of the bank',
  'authorization.reloadMs': 'how long the customer waits: not a property of the bank',
  'operations.listAccounts.paging':
    'a list is read on without it; the pages of a list have tests of their own',
  'secondVariant.listAccounts.paging': 'as for the first variant',
  'listTransactions.paging.end': 'the variation whose pages end with an empty one has it',
  'listTransactions.paging.total': 'the independent bank of the tests has pages by offset',
  'operations.refresh.query': 'the independent bank of the tests has it',
  'authorization.kind': 'without pages nothing describes them; imported tokens have tests of their own',
  'authorization.tokens': 'imported tokens have tests of their own',
  'authorization.keep': 'where the suite keeps grants: not a property of the bank',
  'authorization.executable': 'of the browser, not of the bank',
  'authorization.headless': 'of the browser, not of the bank',
  'authorization.settleMs': 'how long the browser waits: not a property of the bank',
  'authorization.pages.*.tick': 'the pages of the bank have buttons only; checkboxes have tests of their own',
  'authorization.pages.*.tickToRefuse': 'as for the checkboxes that are ticked to agree',
  'loans.scenario.pages.*.tick': 'as on the pages of an authorization',
  'authorization.listen': 'of a person at the terminal, not of the bank',
  'authorization.deadlineMs': 'of a person at the terminal, not of the bank',
  'authorization.most': 'of a person at the terminal, not of the bank',
  'operations.deleteConsent': 'the clean-up after a run has tests of its own',
  'payments.idempotent': 'which requests are repeated has tests of its own',
  'loans.idempotent': 'which requests are repeated has tests of its own',
  'payments.facts.unknownDebtors.*.name': 'no dialect has other names of persons',
  'payments.currency': 'the bank accepts euros only, as AM03 shows',
  'payments.authentication': 'requests without a token have tests of their own',
  'payments.headers': 'headers of payments have tests of their own',
  'payments.signature': 'signatures have tests of their own',
  'payments.approval': 'the variations with approvals at a link have it',
  'payments.submission': 'the variations of a submission have them',
  'payments.environments': 'the variation with other accounts in production has it',
  'payments.customer': 'which customer authorizes: not a property of the bank',
  'loans.scenario.methodIn': 'scenarios have tests of their own',
  'loans.scenario.form': 'scenarios have tests of their own',
  'operations.createConsent.path': 'the interface gives the path',
  'operations.authorize.path': 'the interface gives the path',
  'operations.token.path': 'the interface gives the path',
  'operations.listAccounts.path': 'the interface gives the path',
  'operations.readAccount.path': 'the interface gives the path',
  'operations.listTransactions.path': 'the interface gives the path',
  'operations.refresh.path': 'the interface gives the path',
  'payments.status.path': 'the interface gives the path',
  'loans.token.path': 'the interface gives the path',
  'loans.precalculation.path': 'the interface gives the path',
  'loans.submission.path': 'the interface gives the path',
  'loans.status.path': 'the interface gives the path',
  'loans.cancellation.path': 'the interface gives the path',
  'payments.debtor': 'the bank and its accounts are the same in every dialect',
  'payments.creditor': 'the bank and its accounts are the same in every dialect',
  'payments.amount': 'the bank and its accounts are the same in every dialect',
  'payments.rejectedAtSubmission.method': 'the bank and its accounts are the same in every dialect',
  'secondVariant.listTransactions.body': 'requests for transactions need no further members',
  'loans.errorCode.*': 'the variation with a deeper code has a list',
  'loans.timing': 'the interface gives about 3 minutes; the variations of loans move it',
  'webhooks.listen': 'of the sink, not of the bank',
  'webhooks.tls': 'of the sink, not of the bank',
  'webhooks.selfSigned': 'of the sink, not of the bank',
  'webhooks.configured': 'for a bank whose settings cannot be changed',
  'webhooks.deliveryMs': 'how long the suite waits; the variations of webhooks are late',
  'webhooks.refreshMs': 'how long the suite waits; the variations of the refresh are late',
}

/** Every key of a schema, with `*` for an index. A record with arbitrary keys counts as one key. */
const keysOf = (node: SchemaNode, path: readonly string[] = []): readonly string[] => {
  const inner = [
    ...[...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap((option) => keysOf(option, path)),
    ...Object.entries(node.properties ?? {}).flatMap(([key, member]) => keysOf(member, [...path, key])),
    ...(node.items === undefined ? [] : keysOf(node.items, [...path, '*'])),
  ]
  return inner.length > 0 ? inner : [path.join('.')]
}

const valuesAt = (value: unknown, [key, ...deeper]: readonly string[]): readonly unknown[] => {
  if (key === undefined) return value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  if (key === '*') return Object.values(value).flatMap((item) => valuesAt(item, deeper))
  return valuesAt((value as Readonly<Record<string, unknown>>)[key], deeper)
}

/** Where one schema is used in several places, a key counts as changed if it is changed in one of them. */
const nameOf = (key: string): string =>
  key
    .replace(/^\w+\.listTransactions\.paging\./, 'listTransactions.paging.')
    .replace(/^payments\.(provocations|rejectedAtSubmission)\.\w+\.(\*\.)?/, 'payments.$1.')

const bare: ProfileInput = {
  ...referenceProfile(),
  authorization: { kind: 'pages' },
  operations: {},
  secondVariant: {},
  loans: {},
  webhooks: {},
  payments: { debtor: PAYMENT_ACCOUNTS.debtor, creditor: PAYMENT_ACCOUNTS.creditor },
}

/** The defaults of the schema, the bank's own profile, and the profile of each dialect. */
const profiles = [bare, referenceProfile(), ...IDS.map((id) => dialectProfile(id))].map((profile) =>
  profileSchema.parse(profile),
)

const keys = BINDINGS.flatMap((name) => {
  const node = profileJsonSchema().properties?.[name]
  return node === undefined ? [] : keysOf(node, [name])
})

const isBound = (key: string): boolean => {
  const values = profiles.map((profile) => JSON.stringify(valuesAt(profile, key.split('.'))))
  return new Set(values).size > 1
}

const bound = new Set(keys.filter(isBound).map(nameOf))
const unbound = [...new Set(keys.map(nameOf))].filter((name) => !bound.has(name))

const begins = (name: string, beginning: string): boolean =>
  name === beginning || name.startsWith(`${beginning}.`)

describe('the dialects', () => {
  test('together change every key that describes requests and responses', () => {
    const beginnings = Object.keys(EXCEPTIONS)
    const forgotten = unbound.filter((name) => !beginnings.some((beginning) => begins(name, beginning)))
    expect(forgotten).toEqual([])
    expect(bound.size).toBeGreaterThan(100)
  })

  test('change no key that is listed as an exception', () => {
    const idle = Object.keys(EXCEPTIONS).filter((one) => !unbound.some((name) => begins(name, one)))
    expect(idle).toEqual([])
  })
})
