import * as z from 'zod'
import { profileSchema } from './schema.ts'
import { isObjectOrList } from '../evidence/json.ts'
import type { Path } from './secrets.ts'

/** One node of a JSON Schema, with the members that are used here. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly oneOf?: readonly SchemaNode[]
  /** One value, or a list of such values. */
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

/** The JSON Schema (draft 2020-12) of a profile as its author writes it, for editors. */
export const profileJsonSchema = (): SchemaNode =>
  z.toJSONSchema(profileSchema, { io: 'input' }) as SchemaNode

let root: SchemaNode | undefined

/** The nodes of the schema that describe this path of an input: several if the input does not determine the alternative. */
export const nodesAt = (path: Path, input: unknown): readonly SchemaNode[] => {
  root ??= profileJsonSchema()
  let nodes = choose(root, input)
  let value = input
  for (const key of path) {
    value = valueAt(value, [key])
    nodes = nodes.flatMap((node) => step(node, key)).flatMap((node) => choose(node, value))
  }
  return nodes
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isObjectOrList(inner) && Object.hasOwn(inner, key) ? inner[String(key)] : undefined),
    value,
  )

const step = (node: SchemaNode, key: PropertyKey): readonly SchemaNode[] => {
  if (typeof key === 'number') return node.items === undefined ? [] : [node.items]
  const name = String(key)
  const properties = node.properties ?? {}
  const named = Object.hasOwn(properties, name) ? properties[name] : node.additionalProperties
  return typeof named === 'object' ? [named] : []
}

/** The alternatives whose constants the input has; all, if it has none. */
export const choose = (node: SchemaNode, value: unknown): readonly SchemaNode[] => {
  const [list] = (node.anyOf ?? []).filter(({ items }) => items !== undefined)
  if (list !== undefined)
    return Array.isArray(value) ? [list] : (node.anyOf ?? []).filter((option) => option !== list)
  if (node.oneOf === undefined) return [node]
  const fitting = node.oneOf.filter((option) =>
    Object.entries(option.properties ?? {}).every(
      ([key, inner]) => inner.const === undefined || inner.const === valueAt(value, [key]),
    ),
  )
  return fitting.length > 0 ? fitting : node.oneOf
}
