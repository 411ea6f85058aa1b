/**
 * Reads the schemas of an OpenAPI document, with the references inside it resolved. The document may be of any size and
 * refer to itself: what is read is bounded.
 */
import { isObject, type Members } from '../../../evidence/json.ts'
import { FileFault } from '../../../profile/read-file.ts'

/** The parts of a JSON schema that a profile can be drafted from. */
export interface SchemaNode {
  readonly type?: string | readonly string[] | undefined
  readonly format?: string | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[] | undefined
  readonly required?: readonly string[] | undefined
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined
  readonly items?: SchemaNode | undefined
}

export type SchemaReader = ReturnType<typeof createSchemaReader>

/** What one schema may have, and the whole document. A large bank's document has a tenth of it. */
const MOST_OF_SCHEMA = 5000
const MOST_IN_ALL = 200_000
const DEEPEST = 50

export const objectOf = (value: unknown): Members => (isObject(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((each) => typeof each === 'string')

/** The members of a schema that are read; others stay as they are. @param inner reads the schema of a member. */
const schemaNode = (
  { required, enum: values, examples, items, properties, ...others }: Members,
  inner: (schema: unknown) => SchemaNode,
): SchemaNode => {
  const members = Object.entries(objectOf(properties)).map(([name, each]) => [name, inner(each)] as const)
  return {
    ...(others as SchemaNode),
    properties: members.length > 0 ? Object.fromEntries(members) : undefined,
    required: textsOf(required),
    enum: Array.isArray(values) ? values : undefined,
    examples: listOf(examples),
    items: items === undefined ? undefined : inner(items),
  }
}

/** The value that a reference inside the document leads to (RFC 6901); undefined for any other reference. */
const valueAt = (document: Members, reference: string): unknown => {
  const [outside, pointer = ''] = reference.split('#')
  if (outside !== '') return undefined
  return pointer
    .split('/')
    .slice(1)
    .map((key) => decoded(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, key) => (Object.hasOwn(objectOf(inner), key) ? objectOf(inner)[key] : undefined),
      document,
    )
}

/** Each function throws FileFault where a bound is reached. */
export const createSchemaReader = (document: Members) => {
  let inAll = 0
  let ofSchema = 0
  const count = (): void => {
    inAll += 1
    if (inAll > MOST_IN_ALL)
      throw new FileFault(`it is too large: more than ${MOST_IN_ALL} parts; leave out other interfaces`)
  }
  /** Follows references inside the document; one that leads nowhere, or outside, is undefined. */
  const resolve = (value: unknown): unknown => {
    const followed = new Set<string>()
    let found = value
    for (;;) {
      const reference = objectOf(found)['$ref']
      if (typeof reference !== 'string' || followed.has(reference)) return found
      count()
      followed.add(reference)
      found = valueAt(document, reference)
    }
  }
  /** @param above the schemas around it: one that contains itself ends there. */
  const read = (reference: unknown, above: readonly unknown[]): SchemaNode => {
    const node = resolve(reference)
    if (above.length > DEEPEST) throw new FileFault(`a schema is nested more than ${DEEPEST} deep`)
    ofSchema += 1
    if (ofSchema > MOST_OF_SCHEMA)
      throw new FileFault(`one schema has more than ${MOST_OF_SCHEMA} parts; shorten it`)
    count()
    if (!isObject(node) || above.includes(node)) return {}
    const inner = (each: unknown): SchemaNode => read(each, [...above, node])
    const own = schemaNode(node, inner)
    const parts = (key: string): readonly SchemaNode[] => listOf(node[key]).map(inner)
    return [...parts('allOf'), ...['oneOf', 'anyOf'].flatMap((key) => alternatives(parts(key)))].reduce(
      combined,
      own,
    )
  }
  return {
    resolve,
    count,
    /** A schema without references. Those that are combined become one, with the members of all. */
    schemaOf: (value: unknown): SchemaNode => {
      ofSchema = 0
      return read(value, [])
    },
  }
}

const combined = (one: SchemaNode, other: SchemaNode): SchemaNode => {
  const properties = { ...other.properties, ...one.properties }
  return {
    ...other,
    ...one,
    type: one.type ?? other.type,
    enum: one.enum ?? other.enum,
    items: one.items ?? other.items,
    properties: Object.keys(properties).length > 0 ? properties : undefined,
    required: [...(one.required ?? []), ...(other.required ?? [])],
  }
}

/** Schemas of which one holds: what is required is what all of them require. */
const alternatives = (all: readonly SchemaNode[]): readonly SchemaNode[] =>
  all.map((each) => ({
    ...each,
    required: each.required?.filter((name) => all.every(({ required }) => required?.includes(name))),
  }))

/** Percent-decodes a part of an address or of a reference. @throws FileFault */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new FileFault(
      `it has an address or a reference that is not percent-encoded UTF-8: ${JSON.stringify(text)}`,
    )
  }
}
