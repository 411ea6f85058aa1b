import type { SchemaNode } from './schema-reader.ts'

export interface Field {
  /** The keys from the root; `*` for the items of a list. */
  readonly path: readonly string[]
  readonly schema: SchemaNode
  /** Whether it and all above it are required. */
  readonly isRequired: boolean
}

/** Every field of a schema, those at the top first. */
export const fieldsOf = (schema: SchemaNode | undefined): readonly Field[] => {
  if (schema === undefined) return []
  const found: Field[] = [{ path: [], schema, isRequired: true }]
  // The loop also visits fields that are appended during it.
  for (const { path, schema: node, isRequired } of found) {
    for (const [name, inner] of Object.entries(node.properties ?? {}))
      found.push({
        path: [...path, name],
        schema: inner,
        isRequired: isRequired && node.required?.includes(name) === true,
      })
    if (node.items !== undefined) found.push({ path: [...path, '*'], schema: node.items, isRequired })
  }
  return found
}

/** The path of a field as a profile writes it; `$` for the answer itself. */
export const dotted = ({ path }: Pick<Field, 'path'>): string => (path.length === 0 ? '$' : path.join('.'))

const MOST_SHOWN = 12

export const listed = (fields: readonly Pick<Field, 'path'>[]): string => {
  const paths = [...new Set(fields.filter(({ path }) => path.length > 0).map(dotted))]
  const rest = paths.length - MOST_SHOWN
  return `${paths.slice(0, MOST_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

export const isType = ({ schema: { type } }: Field, ...types: readonly string[]): boolean =>
  [type ?? []].flat().some((one) => types.includes(one))

export const isList = ({ schema }: Field): boolean => schema.items !== undefined

export const isScalar = (field: Field): boolean =>
  !isList(field) && field.schema.properties === undefined && !isType(field, 'object', 'array')

/** The fields below a list, with their paths within one of its items. */
export const within = (fields: readonly Field[], list: string): readonly Field[] => {
  const prefix = [...(list === '$' ? [] : list.split('.')), '*']
  return fields.flatMap((field) =>
    field.path.length > prefix.length && prefix.every((key, at) => field.path[at] === key)
      ? [{ ...field, path: field.path.slice(prefix.length) }]
      : [],
  )
}

export const valuesOf = ({ schema: { enum: values, const: only } }: Field): readonly unknown[] =>
  values ?? (only === undefined ? [] : [only])

/** A value that the document gives for a field; undefined if there is none. */
export const sampleOf = ({ schema }: Pick<Field, 'schema'>): unknown =>
  schema.const ?? schema.example ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0]
