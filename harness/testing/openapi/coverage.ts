/**
 * What a document describes, and what exchanges have shown of it: each status, each word of an enumeration, each member
 * of a body and parameter of a query, and the absence of each that is optional. A description that no exchange shows may
 * be wrong without notice.
 */
import { answerPart, isAccepted, requestPart, type RecordedExchange } from './exchanges.ts'
import type { Validate } from './schema-validation.ts'
import type { DocumentedOperation, OpenApiDocument, Parameter, Schema } from './document.ts'

const REF = '#/components/schemas/'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema within its place, with the keywords that the bank's document uses. */
interface Node {
  readonly place: string
  readonly target: string | undefined
  readonly words: readonly unknown[]
  readonly properties: readonly (readonly [name: string, schema: Schema])[]
  readonly required: readonly unknown[]
  /** Whether it has the members itself, and does not only limit those of its target. */
  readonly isObject: boolean
  readonly items: Schema | undefined
  readonly alternatives: readonly Schema[]
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const nodeOf = (schema: Schema, place: string): Node => {
  const { $ref, properties, items } = schema
  return {
    place,
    target: typeof $ref === 'string' ? $ref.slice(REF.length) : undefined,
    words: 'const' in schema ? [schema['const']] : listIn(schema['enum']),
    properties: isObject(properties) ? (Object.entries(properties) as [string, Schema][]) : [],
    required: listIn(schema['required']),
    isObject: schema['type'] === 'object',
    items: isObject(items) ? items : undefined,
    alternatives: listIn(schema['oneOf']) as readonly Schema[],
  }
}

const wordAt = (place: string, word: unknown): string => `${place} = ${JSON.stringify(word)}`
const presenceOf = (place: string, name: string): string => `${place}.${name}`
const absenceOf = (place: string, name: string): string => `${place} without ${name}`

/** Everything that a schema describes. Named schemas are described once. */
const described = (
  schema: Schema,
  place: string,
  schemas: OpenApiDocument['components']['schemas'],
  found: Set<string>,
): void => {
  const node = nodeOf(schema, place)
  const { target } = node
  if (target !== undefined) described(schemas[target] ?? {}, target, schemas, found)
  for (const word of node.words) found.add(wordAt(place, word))
  for (const [name, member] of node.properties) {
    if (node.isObject) found.add(presenceOf(place, name))
    if (node.isObject && !node.required.includes(name)) found.add(absenceOf(place, name))
    described(member, presenceOf(place, name), schemas, found)
  }
  if (node.items) described(node.items, `${place}[]`, schemas, found)
  for (const alternative of node.alternatives) described(alternative, place, schemas, found)
}

const showing = (document: OpenApiDocument, validate: Validate, seen: Set<string>) => {
  const { schemas } = document.components
  const show = (schema: Schema, value: unknown, place: string): void => {
    const node = nodeOf(schema, place)
    const { target } = node
    if (target !== undefined) show(schemas[target] ?? {}, value, target)
    if (node.words.includes(value)) seen.add(wordAt(place, value))
    if (isObject(value)) showMembers(node, value)
    if (Array.isArray(value) && node.items) {
      for (const item of value) show(node.items, item, `${place}[]`)
    }
    for (const alternative of node.alternatives) {
      if (validate(alternative, value).length === 0) show(alternative, value, place)
    }
  }
  const showMembers = (node: Node, value: Readonly<Record<string, unknown>>): void => {
    for (const [name, member] of node.properties) {
      if (name in value) {
        seen.add(presenceOf(node.place, name))
        show(member, value[name], presenceOf(node.place, name))
      } else seen.add(absenceOf(node.place, name))
    }
  }
  return show
}

const operationsOf = ({ paths }: OpenApiDocument): readonly DocumentedOperation[] =>
  Object.values(paths).flatMap((item) => Object.values(item))

const queryParametersOf = ({ parameters }: DocumentedOperation): readonly Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query')

const statusOf = ({ operationId }: DocumentedOperation, status: number | string): string =>
  `${operationId} ${status}`
const queryOf = ({ operationId }: DocumentedOperation, name: string): string => `${operationId}?${name}`
const requestOf = ({ operationId }: DocumentedOperation): string => `${operationId} request`

const describedIn = (document: OpenApiDocument): ReadonlySet<string> => {
  const found = new Set<string>()
  const { schemas } = document.components
  for (const operation of operationsOf(document)) {
    for (const { name, required } of queryParametersOf(operation)) {
      found.add(queryOf(operation, name))
      if (!required) found.add(absenceOf(operation.operationId, name))
    }
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      described(schema, requestOf(operation), schemas, found)
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      found.add(statusOf(operation, status))
      for (const { schema } of Object.values(content))
        described(schema, statusOf(operation, status), schemas, found)
    }
  }
  return found
}

const shownBy = (
  exchanges: readonly (readonly [DocumentedOperation, RecordedExchange])[],
  document: OpenApiDocument,
  validate: Validate,
): ReadonlySet<string> => {
  const seen = new Set<string>()
  const show = showing(document, validate, seen)
  for (const [operation, exchange] of exchanges) {
    seen.add(statusOf(operation, exchange.status))
    const answered = answerPart(operation, exchange)
    if (answered) show(answered.schema, answered.value, statusOf(operation, exchange.status))
    if (!isAccepted(exchange)) continue
    for (const { name } of queryParametersOf(operation)) {
      const isGiven = exchange.url.searchParams.has(name)
      seen.add(isGiven ? queryOf(operation, name) : absenceOf(operation.operationId, name))
    }
    const requested = requestPart(operation, exchange)
    if (requested) show(requested.schema, requested.value, requestOf(operation))
  }
  return seen
}

/** What the document describes, and no exchange shows. */
export const notShown = (
  exchanges: readonly (readonly [DocumentedOperation, RecordedExchange])[],
  document: OpenApiDocument,
  validate: Validate,
): readonly string[] => {
  const shown = shownBy(exchanges, document, validate)
  return [...describedIn(document)].filter((fact) => !shown.has(fact))
}
