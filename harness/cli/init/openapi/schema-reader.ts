/**
 * Reads the schemas of an OpenAPI document, with the references inside it resolved. The document may be of any size and
 * refer to itself: what is read is bounded, and the place where a bound is reached is reported.
 */
import { isObject, type Members } from '../../../evidence/json.ts'
import { ConfigurationError } from '../../../profile/configuration-error.ts'

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

/** A value of the document, and where it was found. */
export interface Resolved {
  readonly value: unknown
  /** As a reference writes it: `#/components/schemas/Account`. */
  readonly place: string
}

export interface SchemaReader {
  /** Follows references inside the document; one that leads nowhere, or outside, is an empty object. */
  readonly resolve: (value: unknown, place: string) => Resolved
  /** A schema without references. Those that are combined become one, with the members of all. */
  readonly schemaOf: (value: unknown, place: string) => SchemaNode
  /** Counts something that is read. @throws ConfigurationError with the place, if it is too much. */
  readonly count: (place: string) => void
  readonly fail: (what: string, place: string) => ConfigurationError
}

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
  { required, enum: values, examples, items, ...others }: Members,
  inner: (schema: unknown, key: string) => SchemaNode,
): SchemaNode => {
  const properties = Object.entries(objectOf(others['properties'])).map(
    ([name, each]) => [name, inner(each, `properties/${name}`)] as const,
  )
  return {
    ...(others as SchemaNode),
    properties: properties.length > 0 ? Object.fromEntries(properties) : undefined,
    required: textsOf(required),
    enum: Array.isArray(values) ? values : undefined,
    examples: listOf(examples),
    items: items === undefined ? undefined : inner(items, 'items'),
  }
}

/** The value at a JSON pointer (RFC 6901). @param keys its parts, with escapes. */
const valueAt = (document: Members, keys: readonly string[]): unknown =>
  keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
      document,
    )

/** @param file the file, as it was typed. */
export const createSchemaReader = (document: Members, file: string): SchemaReader => {
  let inAll = 0
  let ofSchema = 0
  const fail = (what: string, place: string): ConfigurationError =>
    new ConfigurationError(`--openapi ${file}: ${what}, at ${place}`)
  const count = (place: string): void => {
    inAll += 1
    if (inAll > MOST_IN_ALL)
      throw fail(`it is too large: more than ${MOST_IN_ALL} parts; leave out other interfaces`, place)
  }
  const target = (reference: string, place: string): unknown => {
    const [outside, pointer = ''] = reference.split('#')
    if (outside !== '') return {}
    const named = `the reference ${JSON.stringify(reference)}`
    const keys = pointer.split('/').slice(1)
    return valueAt(
      document,
      keys.map((key) => decoded(key, named, place, fail)),
    )
  }
  const resolve = (value: unknown, place: string): Resolved => {
    const followed = new Set<string>()
    let found: Resolved = { value, place }
    for (;;) {
      const reference = isObject(found.value) ? found.value['$ref'] : undefined
      if (typeof reference !== 'string' || followed.has(reference)) return found
      count(found.place)
      followed.add(reference)
      found = { value: target(reference, found.place), place: reference }
    }
  }
  /** @param above the places of the schemas around it: one that contains itself ends there. */
  const read = (reference: unknown, at: string, above: readonly string[]): SchemaNode => {
    const { value, place } = resolve(reference, at)
    if (above.length > DEEPEST) throw fail(`a schema is nested more than ${DEEPEST} deep`, place)
    ofSchema += 1
    if (ofSchema > MOST_OF_SCHEMA)
      throw fail(`one schema has more than ${MOST_OF_SCHEMA} parts; shorten it`, place)
    count(place)
    if (above.includes(place)) return {}
    const node = objectOf(value)
    const inner = (each: unknown, key: string): SchemaNode => read(each, `${place}/${key}`, [...above, place])
    const own = schemaNode(node, inner)
    const parts = (key: string): readonly SchemaNode[] =>
      listOf(node[key]).map((each, index) => inner(each, `${key}/${index}`))
    return [...parts('allOf'), ...['oneOf', 'anyOf'].flatMap((key) => alternatives(parts(key)))].reduce(
      combined,
      own,
    )
  }
  const schemaOf = (value: unknown, place: string): SchemaNode => {
    ofSchema = 0
    return value === undefined ? {} : read(value, place, [])
  }
  return { resolve, schemaOf, count, fail }
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

/** Percent-decodes a part of an address. */
export const decoded = (text: string, what: string, place: string, fail: SchemaReader['fail']): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw fail(`${what} is not percent-encoded UTF-8: ${JSON.stringify(text)}`, place)
  }
}
