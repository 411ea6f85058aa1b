/** Validates values against the schemas of an OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument, Schema } from './document.ts'

/** Whether objects may have members that their schema does not have. */
type Openness = 'open' | 'closed'

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (!isObject(value)) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))
  const isClosable = value['type'] === 'object' && isObject(value['properties'])
  return isClosable ? { additionalProperties: false, ...members } : members
}

/** @returns the problems of a value; none if it is valid. */
export type Validate = (schema: Schema, value: unknown, openness?: Openness) => readonly string[]

export const validatorOf = ({ components }: OpenApiDocument): Validate => {
  const ajv = new Ajv2020({
    allErrors: true,
    // Cents are not exact in binary.
    multipleOfPrecision: 6,
    // A $ref may have a further condition on one member, which then has no type of its own.
    strictTypes: false,
  })
  addFormats(ajv)
  ajv.addVocabulary(['components'])
  const compiled = { open: new Map<Schema, ValidateFunction>(), closed: new Map<Schema, ValidateFunction>() }
  const compile = (schema: Schema, openness: Openness): ValidateFunction => {
    const known = compiled[openness].get(schema)
    if (known) return known
    // With the named schemas inside, references to them resolve.
    const whole = { ...schema, components: { schemas: components.schemas } }
    const validate = ajv.compile(openness === 'closed' ? (closed(whole) as Schema) : whole)
    compiled[openness].set(schema, validate)
    return validate
  }
  return (schema, value, openness = 'closed') => {
    const validate = compile(schema, openness)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) =>
        `${instancePath === '' ? 'the value' : instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}
