/** The bodies of requests: a placeholder at each place of the default, what the document gives for other required members, and questions. */
import { isObject, type Members } from '../../../evidence/json.ts'
import { merge, nested, placeholdersOf } from '../../../profile/template.ts'
import { defaultOf, type Draft } from './draft.ts'
import { dotted, fieldsOf, isScalar, isType, sampleOf, valuesOf, type Field } from './fields.ts'
import { listed } from './places.ts'
import type { SchemaNode } from './schema-reader.ts'

/** The path of a field within the innermost list that it is in. */
const inItem = ({ path }: Field): string => path.slice(path.lastIndexOf('*') + 1).join('.')

/** An amount in a text is written with two decimals. */
const typed = (placeholder: string, field: Field): string =>
  placeholder === '{amount}' && isType(field, 'string') ? '{amountText}' : placeholder

export interface DraftedBody {
  readonly body: unknown
  /** The required members for which there is no value. */
  readonly missing: readonly Field[]
}

/** @param template the body of the default, with placeholders. */
export const bodyFrom = (schema: SchemaNode, template: unknown): DraftedBody => {
  const known = new Map(placeholdersOf(template).map(({ at, name }) => [at.join('.'), `{${name}}`]))
  const missing: Field[] = []
  let body: Members = {}
  for (const field of fieldsOf(schema).filter((each) => isScalar(each) && each.path.length > 0)) {
    const placeholder = known.get(inItem(field))
    const value =
      placeholder === undefined ? (field.isRequired ? sampleOf(field) : undefined) : typed(placeholder, field)
    if (value !== undefined) body = merge(body, nested(field.path.join('.'), value)) as Members
    else if (field.isRequired) missing.push(field)
  }
  return { body: withLists(body, schema), missing }
}

/** Turns the members called `*`, which stand for the items of a list, into lists. */
const withLists = (body: unknown, schema: SchemaNode | undefined): unknown => {
  if (!isObject(body) || schema === undefined) return body
  if (schema.items !== undefined) return [withLists(body['*'], schema.items)]
  return Object.fromEntries(
    Object.entries(body).map(([name, inner]) => [name, withLists(inner, schema.properties?.[name])]),
  )
}

const described = (field: Field): string => {
  const { type, format } = field.schema
  const words = valuesOf(field).map(String)
  const kind = words.length > 0 ? `one of ${words.join(', ')}` : [type ?? [], format ?? []].flat().join(' ')
  return `${dotted(field)}${kind === '' ? '' : ` (${kind})`}`
}

/** Asks for the required members that have no value. */
export const askForMembers = (draft: Draft, key: string, missing: readonly Field[]): void => {
  if (missing.length > 0)
    draft.ask(key, `what is sent in the required members ${missing.map(described).join(', ')}?`)
}

/** Sets a body that differs from the default, and asks for what is missing. */
export const setBody = (draft: Draft, key: string, schema: SchemaNode | undefined): void => {
  const fields = fieldsOf(schema).filter((field) => isScalar(field) && field.path.length > 0)
  if (schema === undefined || fields.length === 0) return
  const template = defaultOf(key)
  const { body, missing } = bodyFrom(schema, template)
  const lost = placeholdersOf(template).filter(({ name }) => !JSON.stringify(body).includes(`{${name}`))
  if (lost.length > 0)
    draft.ask(
      key,
      `where does ${lost.map(({ name }) => `{${name}}`).join(', ')} stand? The document has ${listed(fields)}`,
    )
  else {
    askForMembers(draft, key, missing)
    if (JSON.stringify(body) !== JSON.stringify(template)) draft.set(key, body)
  }
}
