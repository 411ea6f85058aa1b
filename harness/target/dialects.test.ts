import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dialects } from '../bank/dialects.ts'
import { PAYMENT_ACCOUNTS } from '../bank/residents.ts'
import { ROOT } from '../modules.ts'
import { profileJsonSchema } from '../profile/json-schema.ts'
import { profileSchema } from '../profile/schema.ts'
import { dialectProfile } from './dialects.ts'
import { referenceProfile } from './reference-profile.ts'
import type { SchemaNode } from '../profile/json-schema.ts'
import type { ProfileInput } from '../profile/schema.ts'

const IDS = dialects.map(({ id }) => id)

/** What a profile binds of the wire. */
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

/** Keys that no dialect changes, each by its beginning, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  scopes: 'the interface gives the scope PREMIUM_AIS',
  'operations.token.success': 'RFC 6749 §5.1 gives 200',
  'secondVariant.listAccounts.success': 'the first variant has other statuses',
  'secondVariant.readAccount.success': 'the first variant has other statuses',
  'secondVariant.listTransactions.success': 'the first variant has other statuses',
  'authorization.limit': 'a patience of the customer, and no word of the bank',
  'listTransactions.paging.total': 'the independent bank of the rehearsal has pages by offset',
  'operations.refresh.query': 'the independent bank of the rehearsal has it',
  'authorization.kind':
    'without pages there is nothing to be told of them; imported tokens are rehearsed by themselves',
  'authorization.tokens': 'imported tokens are rehearsed by themselves',
  'authorization.keep': 'where the suite keeps grants, and no word of the bank',
  'authorization.executable': 'of the browser, not of the bank',
  'authorization.headless': 'of the browser, not of the bank',
  'authorization.settleMs': 'a patience of the browser, and no word of the bank',
  'authorization.pages.*.tick': 'the pages of the bank have buttons alone; boxes have tests of their own',
  'authorization.pages.*.tickToRefuse': 'as the boxes that are ticked to agree',
  'loans.scenario.pages.*.tick': 'as on the pages of an authorization',
  'authorization.listen': 'of a person at the terminal, not of the bank',
  'authorization.deadlineMs': 'of a person at the terminal, not of the bank',
  'authorization.most': 'of a person at the terminal, not of the bank',
  'operations.deleteConsent': 'the clean-up behind a run has tests of its own',
  'payments.currency': 'the bank takes euros alone, which AM03 shows',
  'loans.timing': 'the interface gives about 3 minutes; the variations of loans move it',
  'webhooks.listen': 'of the sink, not of the bank',
  'webhooks.tls': 'of the sink, not of the bank',
  'webhooks.selfSigned': 'of the sink, not of the bank',
  'webhooks.configured': 'of a bank whose settings nobody can change',
  'webhooks.deliveryMs': 'a patience; the variations of webhooks are late',
  'webhooks.refreshMs': 'a patience; the variations of the refresh are late',
}

/** Every key below a schema, with `*` for any index. What is written by its author's own names ends with their record. */
const keysOf = (node: SchemaNode, path: readonly string[] = []): readonly string[] => {
  const inner = [
    ...(node.oneOf ?? []).flatMap((option) => keysOf(option, path)),
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

/** Where one schema stands in several places, one key of it is bound if it is in any of them. */
const nameOf = (key: string): string =>
  key
    .replace(/^\w+\.listTransactions\.paging\./, 'listTransactions.paging.')
    .replace(/^payments\.(provocations|rejectedAtSubmission)\.\w+\./, 'payments.$1.')

const bare: ProfileInput = {
  ...referenceProfile(),
  ...{ authorization: { kind: 'pages' }, operations: {}, secondVariant: {}, loans: {}, webhooks: {} },
  payments: { debtor: PAYMENT_ACCOUNTS.debtor, creditor: PAYMENT_ACCOUNTS.creditor },
}

/** As the schema itself has it, as the bank's own profile has it, and as each dialect has it. */
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
  test('bind every key of the wire otherwise, one or another', () => {
    const beginnings = Object.keys(EXCEPTIONS)
    const forgotten = unbound.filter((name) => !beginnings.some((beginning) => begins(name, beginning)))
    expect(forgotten).toEqual([])
    expect(bound.size).toBeGreaterThan(100)
  })

  test('bind no key that is said to be excepted', () => {
    const idle = Object.keys(EXCEPTIONS).filter((one) => !unbound.some((name) => begins(name, one)))
    expect(idle).toEqual([])
  })

  test.each(IDS)('the file of the %s dialect says what its profile says', (id) => {
    const file = parse(
      readFileSync(join(ROOT, 'harness', 'rehearsal', `${id}-bank.yaml`), 'utf8'),
    ) as ProfileInput
    const { payments, loans, ...others } = dialectProfile(id)
    for (const name of ['basePaths', 'authorization', 'operations', 'secondVariant'] as const)
      expect(file[name]).toEqual(others[name])
    // Whoever writes a file has names of their own for the applications.
    expect({ ...file.payments, application: payments?.application }).toEqual(payments)
    expect({ ...file.loans, application: loans?.application }).toEqual(loans)
  })
})
