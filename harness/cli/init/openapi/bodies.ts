/** The bodies of requests: a placeholder at each place of the default, what the document gives for other required members, and questions. */
import { isObject, type Members } from '../../../evidence/json.ts'
import { placeholdersOf } from '../../../profile/template.ts'
import { defaultOf, type Draft } from './draft.ts'
import { dotted, fieldsOf, isScalar, isType, listed, sampleOf, valuesOf, type Field } from './fields.ts'
import type { SchemaNode } from './schema-reader.ts'

const described = (field: Field): string => {
  const { type, format } = field.schema
  const words = valuesOf(field).map(String)
  const kind = words.length > 0 ? `one of ${words.join(', ')}` : [type ?? [], format ?? []].flat().join(' ')
  return `${dotted(field)}${kind === '' ? '' : ` (${kind})`}`
}

/**
 * A body with the placeholders of the template, at their places within the innermost list; asks for what has no value.
 * @param template the body of the default, with placeholders.
 * @param needed whether a placeholder must have a place.
 * @returns undefined if one that must has none.
 */
export const draftBody = (
  draft: Draft,
  key: string,
  schema: SchemaNode = {},
  template: unknown = defaultOf(key),
  needed: (name: string) => boolean = () => true,
): Members | undefined => {
  const placeholders = placeholdersOf(template)
  const found = new Set<string>()
  const missing: Field[] = []
  const valueOf = (field: Field, at: readonly string[]): unknown => {
    const { path, schema: node, isRequired } = field
    if (node.items !== undefined) {
      const item = valueOf({ path: [...path, '*'], schema: node.items, isRequired }, [])
      return item === undefined ? undefined : [item]
    }
    if (!isScalar(field)) {
      const members = Object.entries(node.properties ?? {}).map(([name, inner]) => {
        const isInner = isRequired && node.required?.includes(name) === true
        return [
          name,
          valueOf({ path: [...path, name], schema: inner, isRequired: isInner }, [...at, name]),
        ] as const
      })
      const known = members.filter(([, value]) => value !== undefined)
      return known.length > 0 ? Object.fromEntries(known) : undefined
    }
    const name = placeholders.find((each) => each.at.join('.') === at.join('.'))?.name
    if (name !== undefined) found.add(name)
    // An amount in a text is written with two decimals.
    if (name !== undefined) return name === 'amount' && isType(field, 'string') ? '{amountText}' : `{${name}}`
    const sample = isRequired ? sampleOf(field) : undefined
    if (isRequired && sample === undefined) missing.push(field)
    return sample
  }
  const body = valueOf({ path: [], schema, isRequired: true }, [])
  const lost = placeholders
    .filter(({ name }) => needed(name) && !found.has(name))
    .map(({ name }) => `{${name}}`)
  const all = listed(fieldsOf(schema)) || 'no body'
  if (lost.length > 0) draft.ask(key, `where does ${lost.join(', ')} stand? The document has ${all}`)
  if (lost.length > 0 || !isObject(body)) return undefined
  if (missing.length > 0)
    draft.ask(key, `what is sent in the required members ${missing.map(described).join(', ')}?`)
  return body
}

/** Sets a body that differs from the default, where the document describes one. */
export const setBody = (draft: Draft, key: string, schema: SchemaNode | undefined): void => {
  if (fieldsOf(schema).length < 2) return
  const usual = defaultOf(key)
  const body = draftBody(draft, key, schema)
  if (body !== undefined && JSON.stringify(body) !== JSON.stringify(usual)) draft.set(key, body)
}
