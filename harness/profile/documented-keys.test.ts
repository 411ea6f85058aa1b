import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../plan/root.ts'
import { TEST_HOOK_ARGUMENTS } from './cross-checks.ts'
import { profileJsonSchema, type SchemaNode } from './json-schema.ts'

/** The page about profiles has every key of testHooks and webhooks in the schema. */

const PAGE = readFileSync(join(ROOT, 'docs', 'profiles.md'), 'utf8')

const NOWHERE: SchemaNode = {}

const { testHooks = NOWHERE, webhooks = NOWHERE } = profileJsonSchema().properties ?? {}

/** The first two cells of the rows of a section, of which the first is a key. */
const rowsUnder = (heading: string): readonly (readonly string[])[] => {
  const [section = ''] = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? []
  return [...section.matchAll(/^\| `([\w.*]+)` *\|([^|]*)\|/gm)].map(([, key = '', second = '']) => [
    key,
    second.trim(),
  ])
}

const shown = ({ default: usual }: SchemaNode): string =>
  usual === undefined ? '' : `\`${JSON.stringify(usual)}\``

/** Every key that holds a value, and every list with the keys of its items. */
const keysIn = (node: SchemaNode, at: string): readonly (readonly string[])[] => {
  if (node.items !== undefined) return [[at, shown(node)], ...keysIn(node.items, `${at}.*`)]
  const { properties } = node
  if (properties === undefined) return [[at, shown(node)]]
  return Object.entries(properties).flatMap(([key, inner]) => keysIn(inner, at === '' ? key : `${at}.${key}`))
}

test('every key of webhooks, with its default', () => {
  expect(rowsUnder('Webhooks')).toEqual(keysIn(webhooks, 'webhooks'))
})

test('every test hook with its arguments, and every key of a test hook with its default', () => {
  const hooks = Object.entries(TEST_HOOK_ARGUMENTS).map(([name, told]) => [
    `testHooks.${name}`,
    told.map((each) => `\`{${each}}\``).join(' '),
  ])
  const [one = NOWHERE] = Object.values(testHooks.properties ?? {})
  expect(rowsUnder('Test hooks')).toEqual([...hooks, ...keysIn(one, '')])
  expect(Object.keys(testHooks.properties ?? {})).toEqual(Object.keys(TEST_HOOK_ARGUMENTS))
})
