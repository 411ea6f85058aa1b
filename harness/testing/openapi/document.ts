/**
 * The OpenAPI document of the reference bank, in the form that tests compare with exchanges: each operation at its
 * address in each environment, with the parameters and answers that it refers to. Schemas keep their references.
 */
import { ENVIRONMENTS, type EnvironmentName } from '../../bank/base-paths.ts'
import { openApiDocument } from '../../bank/openapi.ts'

/** A schema of JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Answer {
  readonly headers?: Readonly<Record<string, { readonly required: boolean }>>
  readonly content?: Content
}

export interface DocumentedOperation {
  /** With its environment. */
  readonly operationId: string
  readonly environment: EnvironmentName
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
  /** The alternatives: each is a scheme with the scopes that it needs. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

/** The operations of a path, by their method. */
type PathItem = Readonly<Record<string, DocumentedOperation>>

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

/** A path in the file: its operations, beside what they share. */
type PathInFile = Readonly<Record<string, Omit<DocumentedOperation, 'environment'>>> & {
  readonly servers?: readonly { readonly url: string }[]
  readonly parameters?: unknown
}

const SCHEMAS = '#/components/schemas/'

/** Replaces each reference by its target, except those to schemas. */
const withTargets = (value: unknown, document: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => withTargets(each, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { readonly $ref?: string }
  if ($ref === undefined || $ref.startsWith(SCHEMAS))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withTargets(each, document)]),
    )
  const keys = $ref.split('/').slice(1)
  const target = keys.reduce((whole, key) => (whole as Readonly<Record<string, unknown>>)[key], document)
  return withTargets(target, document)
}

/** The addresses of a path: its servers are those of the sandbox and of production, or it names the environment itself. */
const addressesOf = (path: string, { servers, parameters }: PathInFile) =>
  servers === undefined && parameters === undefined
    ? [['sandbox', path] as const]
    : ENVIRONMENTS.map((environment, at) => {
        const base = (servers?.[at]?.url ?? '').replace(/\/$/, '')
        return [environment, base + path.replace('{environment}', environment)] as const
      })

const OTHER = { sandbox: /InProduction$/, production: /InSandbox$/ } as const

/** The operations of a path in one environment, each with the security schemes of that environment. */
const operationsIn = (item: PathInFile, environment: EnvironmentName): PathItem => {
  const methods = Object.keys(item).filter((key) => key !== 'servers' && key !== 'parameters')
  const isOther = (scheme: string): boolean => OTHER[environment].test(scheme)
  return Object.fromEntries(
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const operationId = `${operation.operationId} in ${environment}`
      const security = operation.security.filter((schemes) => !Object.keys(schemes).some(isOther))
      return [[method, { ...operation, operationId, environment, security }]]
    }),
  )
}

export const expandedDocument = (): OpenApiDocument => {
  const whole = openApiDocument() as OpenApiDocument
  const paths = withTargets(whole.paths, whole) as Readonly<Record<string, PathInFile>>
  const expanded = Object.entries(paths).flatMap(([path, item]) =>
    addressesOf(path, item).map(
      ([environment, address]) => [address, operationsIn(item, environment)] as const,
    ),
  )
  return { components: whole.components, paths: Object.fromEntries(expanded) }
}
