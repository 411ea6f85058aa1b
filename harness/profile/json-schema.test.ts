import { expect, it } from 'vitest'
import * as z from 'zod'
import { nodesAt, profileJsonSchema, valueAt, type SchemaNode } from './json-schema.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from './schema.ts'
import { secretKindAt } from './secrets.ts'

interface Leaf {
  readonly path: readonly string[]
  readonly node: SchemaNode
  readonly required: boolean
}

/** Every key of the schema, with `*` for any key and any index. */
const keysOf = (node: SchemaNode, path: readonly string[] = [], required = false): readonly Leaf[] => [
  ...(path.length > 0 ? [{ path, node, required }] : []),
  ...[...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap((option) => keysOf(option, path).slice(1)),
  ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) =>
    keysOf(inner, [...path, key], node.required?.includes(key) ?? false),
  ),
  ...(node.items === undefined ? [] : keysOf(node.items, [...path, '*'])),
  ...(typeof node.additionalProperties === 'object' ? keysOf(node.additionalProperties, [...path, '*']) : []),
]

const keys = keysOf(profileJsonSchema())

it('has the keys of the schema', () => {
  expect(Object.keys(profileJsonSchema().properties ?? {})).toEqual(Object.keys(profileSchema.shape))
  expect(profileJsonSchema().required).toEqual(['applications'])
})

it('accepts and refuses what the schema does', () => {
  // The types of zod want a JSON Schema whose keys may be written to.
  const compiled = z.fromJSONSchema(profileJsonSchema() as Parameters<typeof z.fromJSONSchema>[0])
  expect(compiled.safeParse(sampleProfile()).success).toBe(true)
  expect(compiled.safeParse({ ...sampleProfile(), nme: 'x' }).success).toBe(false)
})

it('shows how to write each key that must be there', () => {
  const silent = keys.filter(
    ({ required, node }) =>
      required && node.examples === undefined && node.enum === undefined && node.const === undefined,
  )
  expect(silent.map(({ path }) => path.join('.'))).toEqual([])
})

it('has a place for secrets wherever a key is called like one', () => {
  const called = keys.filter(({ path }) =>
    /secret|password|^accessToken|username|clientId$/i.test(path.at(-1) ?? ''),
  )
  expect(called.length).toBeGreaterThan(4)
  expect(called.filter(({ path }) => secretKindAt(path) === undefined)).toEqual([])
})

it('follows the kind that the input has chosen', () => {
  const input = { authorization: { kind: 'tokens', tokens: [{}] } }
  const [node] = nodesAt(['authorization', 'tokens', 0], input)
  expect(Object.keys(node?.properties ?? {})).toContain('accessToken')
  expect(nodesAt(['authorization', 'pages'], input)).toEqual([])
})

it('reads own keys alone', () => {
  expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1)
  expect(valueAt({}, ['constructor'])).toBeUndefined()
  expect(valueAt(null, ['a'])).toBeUndefined()
})
