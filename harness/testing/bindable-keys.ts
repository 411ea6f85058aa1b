import * as z from 'zod'
import { profileJsonSchema } from '../profile/json-schema.ts'
import { dotted, path, headerName } from '../profile/schema/primitives.ts'

/** The keys of a profile that name something at the target. They are read from its schema. */

type KeyKind = 'name' | 'path' | 'header' | 'statuses'

export interface BindableKey {
  /** `payments.initiations.0.path`: the first item represents the whole list. */
  readonly key: string
  readonly kind: KeyKind
  /** The alternative of a union that has the key: its place and its `kind`. */
  readonly alternative?: { readonly at: string; readonly kind: string }
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

/** Keys for members of a request. Their schema has no pattern. */
const OF_REQUESTS = ['parameter', 'pageSize']

const kindOf = (node: Node, at: string): KeyKind | undefined => {
  const name = at.split('.').at(-1) ?? ''
  if (name === 'success') return 'statuses'
  return PATTERNS.get(node.pattern) ?? (OF_REQUESTS.includes(name) ? 'name' : undefined)
}

const below = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)

const keysIn = (node: Node, at: string, alternative?: BindableKey['alternative']): readonly BindableKey[] => {
  const kind = kindOf(node, at)
  if (kind !== undefined) return [{ key: at, kind, ...(alternative && { alternative }) }]
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) =>
      keysIn(inner, below(at, key), alternative),
    ),
    ...(node.items === undefined ? [] : keysIn(node.items, below(at, '0'), alternative)),
    ...(node.oneOf ?? []).flatMap((inner) =>
      keysIn(inner, at, { at, kind: inner.properties?.['kind']?.const ?? '' }),
    ),
  ]
}

/** Every key that names a field, a path, a header or a status at the target. */
export const bindableKeys = (): readonly BindableKey[] => keysIn(profileJsonSchema() as Node, '')
