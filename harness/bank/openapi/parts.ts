/** The parts of an OpenAPI document: schemas, parameters, bodies and answers, as plain data. */
import type { Api } from '../base-paths.ts'

/** A schema of JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

export type Schemas = Readonly<Record<string, Schema>>

export const TEXT: Schema = { type: 'string' }

/** A text that is not empty. */
export const SOME_TEXT: Schema = { type: 'string', minLength: 1 }

/** An object. `required` are the members that it always has. */
export const objectOf = (required: Schemas, optional: Schemas = {}): Schema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

export const listOf = (items: Schema, limits: Schema = {}): Schema => ({ type: 'array', items, ...limits })

export const wordOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words })

/** A text that is always the same. */
export const theWord = (word: string): Schema => ({ type: 'string', const: word })

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** A named object, one member of which is limited to these words. */
export const schemaWith = (name: string, member: string, words: readonly string[]): Schema => ({
  ...schemaRef(name),
  properties: { [member]: { enum: words } },
})

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

type ParameterParts = Pick<Parameter, 'name' | 'description'> & { readonly schema?: Schema }

export const inPath = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: TEXT,
})

export const inQuery = (
  { name, description, schema = TEXT }: ParameterParts,
  required = false,
): Parameter => ({
  name,
  in: 'query',
  required,
  description,
  schema,
})

export const inHeader = (name: string, description: string, required = false): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: TEXT,
})

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

export const jsonBody = (schema: Schema, required = true): RequestBody => ({
  required,
  content: { 'application/json': { schema } },
})

export const formBody = (schema: Schema): RequestBody => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
})

interface Header {
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
}

export const header = (description: string, required: boolean): Header => ({
  required,
  description,
  schema: TEXT,
})

export const jsonAnswer = (description: string, schema: Schema): Answer => ({
  description,
  content: { 'application/json': { schema } },
})

export const pageAnswer = (description: string): Answer => ({
  description,
  content: { 'text/html': { schema: TEXT } },
})

export const redirectAnswer = (description: string): Answer => ({
  description,
  headers: { Location: header('The redirect URI with the parameters of the answer.', true) },
})

export const emptyAnswer = (description: string): Answer => ({ description })

/** By HTTP status. */
export type Answers = Readonly<Record<number, Answer>>

/** How a request is authorized. The document has one scheme for each, and one for each environment if it has addresses. */
export type Authorization = 'client' | 'clientInForm' | 'accounts' | 'payments' | 'approvedPayment' | 'loans'

export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below the base path of its API. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  /** Any of them is enough; none is needed if there are none. */
  readonly authorizedBy: readonly Authorization[]
  readonly answers: Answers
}

/** Operations with one base path for each environment, and their schemas. */
export interface Topic {
  readonly api: Api
  readonly tag: string
  /** The header that each answer repeats, if the request has it. */
  readonly requestId: 'X-Request-ID' | 'Request-ID'
  readonly operations: readonly Operation[]
  readonly schemas: Schemas
}
