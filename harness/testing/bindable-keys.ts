import * as z from 'zod'
import { profileJsonSchema } from '../profile/json-schema.ts'
import { dotted, headerName, path } from '../profile/schema/primitives.ts'

/** The keys of a profile that name something at the target, as its schema has them: a new one is among them by itself. */

export type KeyKind = 'name' | 'path' | 'header' | 'statuses'

export interface BindableKey {
  /** `payments.initiations.0.path`: of a list, its first item stands for the others. */
  readonly key: string
  readonly kind: KeyKind
  /** The branch of a choice that has it: where that is, and its `kind`. */
  readonly branch?: { readonly at: string; readonly kind: string }
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly oneOf?: readonly Node[]
  readonly items?: Node
  readonly pattern?: string
  readonly const?: string
}

const patternOf = (schema: z.ZodType): string | undefined =>
  (z.toJSONSchema(schema, { io: 'input' }) as Node).pattern

const PATTERNS = new Map<string | undefined, KeyKind>([
  [patternOf(dotted), 'name'],
  [patternOf(path), 'path'],
  [patternOf(headerName), 'header'],
])

/** Members of a request that the profile names: they have no form of their own. */
const OF_REQUESTS = ['parameter', 'pageSize']

const kindOf = (node: Node, at: string): KeyKind | undefined => {
  const name = at.split('.').at(-1) ?? ''
  if (name === 'success') return 'statuses'
  return PATTERNS.get(node.pattern) ?? (OF_REQUESTS.includes(name) ? 'name' : undefined)
}

const below = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)

const keysIn = (node: Node, at: string, branch?: BindableKey['branch']): readonly BindableKey[] => {
  const kind = kindOf(node, at)
  if (kind !== undefined) return [{ key: at, kind, ...(branch && { branch }) }]
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) => keysIn(inner, below(at, key), branch)),
    ...(node.items === undefined ? [] : keysIn(node.items, below(at, '0'), branch)),
    ...(node.oneOf ?? []).flatMap((inner) =>
      keysIn(inner, at, { at, kind: inner.properties?.['kind']?.const ?? '' }),
    ),
  ]
}

/** Every key that names a field, a path, a header or a status at the target. */
export const bindableKeys = (): readonly BindableKey[] => keysIn(profileJsonSchema() as Node, '')
