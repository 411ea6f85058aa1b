import { merge, nested } from '../../../profile/template.ts'
import { dotted, fieldsOf, isList, isScalar, isType, sampleOf, valuesOf, type Field } from './fields.ts'
import { type Members, isObject } from '../../../evidence/json.ts'
import type { SchemaNode } from './document.ts'
import type { Draft } from './draft.ts'

/** Drafts the body of a request: a placeholder for each field that is known by its name, examples for the other required ones. */

/** A placeholder for a field that this pattern finds by its path, and the type that it needs. */
export interface Meaning {
  readonly path: RegExp
  readonly placeholder: string | ((field: Field) => string)
  /** Whether it is left out where it is not required. */
  readonly ifRequired?: true
}

export interface Template {
  readonly body: unknown
  /** The fields that have a placeholder, in their order. */
  readonly filled: readonly { readonly field: Field; readonly placeholder: string }[]
}

const placeholderFor = (field: Field, { placeholder }: Meaning): string =>
  typeof placeholder === 'string' ? placeholder : placeholder(field)

/** A value of the right type, where the document has no example. */
const valueFor = (field: Field): unknown => {
  const sample = sampleOf(field)
  if (sample !== undefined) return sample
  if (isType(field, 'integer', 'number')) return 1
  if (isType(field, 'boolean')) return false
  return valuesOf(field)[0] ?? 'conformance'
}

/** The body from a schema. @param key of the profile, for remarks. */
export const templateOf = (
  draft: Draft,
  key: string,
  schema: SchemaNode | undefined,
  meanings: readonly Meaning[],
): Template => {
  const filled: { field: Field; placeholder: string }[] = []
  const used = new Set<Meaning>()
  let body: Members = {}
  // The body has one item of each list that is required.
  for (const field of fieldsOf(schema).filter((each) => isScalar(each) && each.path.length > 0)) {
    const meaning = meanings.find(({ path }) => path.test(field.path.join('.')))
    const isNew = meaning !== undefined && !used.has(meaning)
    if (!field.isRequired && (!isNew || meaning.ifRequired === true)) continue
    const value = isNew ? placeholderFor(field, meaning) : valueFor(field)
    if (isNew) {
      used.add(meaning)
      filled.push({ field, placeholder: String(value) })
    } else if (meaning === undefined)
      draft.remark(
        `\`${key}\`: the required field ${dotted(field.path)} is sent as ${JSON.stringify(value)}; check it`,
      )
    body = merge(body, nested(field.path.join('.'), value)) as Members
  }
  return { body: withLists(body, schema), filled }
}

/** Turns the members called `*`, which stand for the items of a list, into lists. */
const withLists = (body: unknown, schema: SchemaNode | undefined): unknown => {
  if (!isObject(body) || schema === undefined) return body
  if (isList({ path: [], schema, isRequired: true })) return [withLists(body['*'], schema.items)]
  return Object.fromEntries(
    Object.entries(body).map(([name, inner]) => [name, withLists(inner, schema.properties?.[name])]),
  )
}
