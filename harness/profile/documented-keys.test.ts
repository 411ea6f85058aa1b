import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../plan/root.ts'
import { TEST_HOOK_ARGUMENTS } from './test-hook-checks.ts'
import { profileJsonSchema, type SchemaNode } from './json-schema.ts'

/** The pages have every key of testHooks, webhooks, customers, operations and loans in the schema. */

const pageOf = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8')

const PROFILES = pageOf('profiles.md')
const KEYS = pageOf('keys.md')

const NOWHERE: SchemaNode = {}

const {
  testHooks = NOWHERE,
  webhooks = NOWHERE,
  customers = NOWHERE,
  operations = NOWHERE,
  loans = NOWHERE,
} = profileJsonSchema().properties ?? {}

/** The first two cells of the rows of a section, of which the first is a key. */
const rowsUnder = (heading: string, page = PROFILES): readonly (readonly string[])[] => {
  const [section = ''] = page.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? []
  return [...section.matchAll(/^\| `([\w.*]+)` *\|([^|]*)\|/gm)].map(([, key = '', second = '']) => [
    key,
    second.trim(),
  ])
}

const shown = ({ default: usual }: SchemaNode): string =>
  usual === undefined ? '' : `\`${JSON.stringify(usual)}\``

/** The keys of all alternatives, each once, with the defaults that it has in them. */
const keysOfEither = (options: readonly SchemaNode[], at: string): readonly (readonly string[])[] => {
  const defaults = new Map<string, Set<string>>()
  for (const [key = '', usual = ''] of options.flatMap((option) => keysIn(option, at))) {
    const known = defaults.get(key) ?? new Set()
    defaults.set(key, usual === '' ? known : known.add(usual))
  }
  return [...defaults].map(([key, all]) => [key, [...all].join(' or ')])
}

/** Every key that holds a value, and every list with the keys of its items. */
const keysIn = (node: SchemaNode, at: string): readonly (readonly string[])[] => {
  if (node.oneOf !== undefined) return keysOfEither(node.oneOf, at)
  if (node.items !== undefined) {
    const items = node.items.properties === undefined ? [] : keysIn(node.items, `${at}.*`)
    return [[at, shown(node)], ...items]
  }
  const { properties } = node
  // Below a place, the keys are those of the whole.
  if (properties === undefined || at.startsWith('environments.')) return [[at, shown(node)]]
  return Object.entries(properties).flatMap(([key, inner]) => keysIn(inner, at === '' ? key : `${at}.${key}`))
}

test('every key of webhooks, with its default', () => {
  expect(rowsUnder('Webhooks')).toEqual(keysIn(webhooks, 'webhooks'))
})

test('every test hook with its arguments, and every key of a test hook with its default', () => {
  const hooks = Object.entries(TEST_HOOK_ARGUMENTS).map(([name, reported]) => [
    `testHooks.${name}`,
    reported.map((each) => `\`{${each}}\``).join(' '),
  ])
  const [one = NOWHERE] = Object.values(testHooks.properties ?? {})
  expect(rowsUnder('Test hooks')).toEqual([...hooks, ...keysIn(one, '')])
  expect(Object.keys(testHooks.properties ?? {})).toEqual(Object.keys(TEST_HOOK_ARGUMENTS))
})

test.each([
  ['Customers', 'customers', customers],
  ['Operations', 'operations', operations],
  ['Loans', 'loans', loans],
])('%s: every key with its default', (heading, name, node) => {
  expect(rowsUnder(heading, KEYS)).toEqual(keysIn(node, name))
})
