import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { ConfigurationError } from '../../../profile/configuration-error.ts'
import { isObject, type Members } from '../../../evidence/json.ts'

/** Reads an OpenAPI document (3.0 or 3.1): its operations, with all references inside the document resolved. */

/** The parts of a JSON schema that a profile can be drafted from. */
export interface SchemaNode {
  readonly type?: string | readonly string[] | undefined
  readonly format?: string | undefined
  readonly pattern?: string | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[] | undefined
  readonly required?: readonly string[] | undefined
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined
  readonly items?: SchemaNode | undefined
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: SchemaNode
}

export interface Answer {
  readonly status: number
  /** The media types of its bodies. */
  readonly mediaTypes: readonly string[]
  readonly schema: SchemaNode | undefined
  /** In lower case. */
  readonly headers: readonly string[]
}

/** A security scheme that an operation names. */
export interface Scheme {
  readonly kind: 'basic' | 'bearer' | 'key' | 'certificate'
  /** The header of a key. */
  readonly name?: string
  /** OAuth flows, with addresses that may be relative. */
  readonly flows: readonly {
    readonly grant: string
    readonly authorizationUrl?: string
    readonly tokenUrl?: string
    readonly scopes: readonly string[]
  }[]
}

export interface DocumentedOperation {
  /** In upper case. */
  readonly method: string
  /** With the path of its server: `/premium/sandbox/v1/accounts/{account-id}`. */
  readonly path: string
  /** The origin of its server, where the document has one. */
  readonly origin?: string
  readonly parameters: readonly Parameter[]
  /** The body by media type, such as application/json. */
  readonly bodies: Readonly<Record<string, SchemaNode>>
  readonly answers: readonly Answer[]
  readonly schemes: readonly Scheme[]
}

export interface OpenApiDocument {
  readonly title: string
  readonly operations: readonly DocumentedOperation[]
}

const LONGEST = 20 * 1024 * 1024
/** A schema that contains itself is read to this depth. */
const DEEPEST = 12

const headSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string() }),
  paths: z.record(z.string(), z.unknown()),
})

const objectOf = (value: unknown): Members => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** @throws ConfigurationError if the file cannot be read, or is no OpenAPI document of version 3. */
export const readOpenApi = async (file: string): Promise<OpenApiDocument> => {
  const fail = (what: string): ConfigurationError => new ConfigurationError(`--openapi ${file}: ${what}`)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw fail(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}); check the path`)
  }
  if (text.length > LONGEST) throw fail('it is longer than 20 MiB')
  let content: unknown
  try {
    content = extname(file).toLowerCase() === '.json' ? JSON.parse(text) : parse(text)
  } catch {
    throw fail('it is not valid JSON or YAML; name a file that ends with .json, .yaml or .yml')
  }
  if (isObject(content) && 'swagger' in content)
    throw fail('it is a Swagger 2.0 document; convert it to OpenAPI 3 first')
  const head = headSchema.safeParse(content)
  if (!head.success || !head.data.openapi.startsWith('3.'))
    throw fail('it is no OpenAPI 3 document: expected the members openapi (3.0 or 3.1), info and paths')
  return { title: head.data.info.title, operations: operationsIn(head.data) }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const operationsIn = (document: Members): readonly DocumentedOperation[] => {
  const resolve = resolverOf(document)
  const schemes = objectOf(objectOf(document['components'])['securitySchemes'])
  return Object.entries(objectOf(document['paths'])).flatMap(([path, reference]) => {
    const item = objectOf(resolve(reference))
    return METHODS.flatMap((method) => {
      const operation = item[method]
      if (!isObject(operation)) return []
      const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((each) =>
        parameterOf(objectOf(resolve(each)), resolve),
      )
      const [servers = [{ url: '/' }]] = [operation, item, document]
        .map((each) => listOf(each['servers']))
        .filter(({ length }) => length > 0)
      const security = listOf(operation['security'] ?? document['security'])
      const shared = {
        method: method.toUpperCase(),
        parameters,
        bodies: bodiesOf(objectOf(resolve(operation['requestBody'])), resolve),
        answers: answersOf(objectOf(operation['responses']), resolve),
        schemes: security
          .flatMap((alternative) => Object.keys(objectOf(alternative)))
          .flatMap((name) => schemeOf(objectOf(resolve(schemes[name])))),
      }
      return servers
        .flatMap((server) => addressesOf(objectOf(server)))
        .flatMap((server) =>
          expanded(server.path + path, parameters).map((whole) => ({ ...shared, ...server, path: whole })),
        )
    })
  })
}

/** Follows references inside the document; one that leads nowhere, or outside, is an empty object. */
const resolverOf =
  (document: Members) =>
  (value: unknown): unknown => {
    let found = value
    for (let step = 0; isObject(found) && typeof found['$ref'] === 'string' && step < DEEPEST; step += 1) {
      const [outside, pointer = ''] = found['$ref'].split('#')
      if (outside !== '') return {}
      found = pointer
        .split('/')
        .slice(1)
        .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), document)
    }
    return found
  }

type Resolve = ReturnType<typeof resolverOf>

/** The addresses of a server: one for each combination of the values of its variables. */
const addressesOf = (server: Members): readonly { readonly path: string; readonly origin?: string }[] => {
  const variables = Object.entries(objectOf(server['variables'])).map(([name, variable]) => {
    const { enum: values, default: usual } = objectOf(variable)
    const texts = [...listOf(values), usual].filter((value) => typeof value === 'string')
    return { name, values: [...new Set(texts)] }
  })
  const urls = variables.reduce<readonly string[]>(
    (all, { name, values }) =>
      all.flatMap((url) => values.map((value) => url.replaceAll(`{${name}}`, value))),
    [textOf(server['url']) ?? '/'],
  )
  return [...new Set(urls)].map((url) => {
    const isAbsolute = /^https?:/i.test(url) && URL.canParse(url)
    const path = (isAbsolute ? new URL(url).pathname : url).replace(/\/+$/, '')
    return { path: decodeURIComponent(path), ...(isAbsolute && { origin: new URL(url).origin }) }
  })
}

/** A path with the values of a parameter that has few, such as the environment. */
const expanded = (path: string, parameters: readonly Parameter[]): readonly string[] =>
  parameters
    .filter(({ in: place, schema }) => place === 'path' && schema.enum !== undefined)
    .reduce<readonly string[]>(
      (paths, { name, schema: { enum: values = [] } }) =>
        paths.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, String(value)))),
      [path],
    )

const parameterOf = (parameter: Members, resolve: Resolve): Parameter => ({
  name: textOf(parameter['name']) ?? '',
  in: textOf(parameter['in']) ?? '',
  required: parameter['required'] === true,
  schema: { ...schemaOf(parameter['schema'], resolve), ...exampleOf(parameter) },
})

const exampleOf = ({ example }: Members): { readonly example?: unknown } =>
  example === undefined ? {} : { example }

const bodiesOf = (body: Members, resolve: Resolve): DocumentedOperation['bodies'] =>
  Object.fromEntries(
    Object.entries(objectOf(body['content'])).map(([mediaType, media]) => [
      mediaType.toLowerCase(),
      { ...schemaOf(objectOf(media)['schema'], resolve), ...exampleOf(objectOf(media)) },
    ]),
  )

const answersOf = (responses: Members, resolve: Resolve): readonly Answer[] =>
  Object.entries(responses).flatMap(([status, reference]) => {
    if (!/^[1-5]\d\d$/.test(status)) return []
    const response = objectOf(resolve(reference))
    const bodies = bodiesOf(response, resolve)
    return [
      {
        status: Number(status),
        schema: Object.entries(bodies).find(([mediaType]) => mediaType.includes('json'))?.[1],
        mediaTypes: Object.keys(bodies),
        headers: Object.keys(objectOf(response['headers'])).map((name) => name.toLowerCase()),
      },
    ]
  })

const schemeOf = (scheme: Members): readonly Scheme[] => {
  const flows = Object.entries(objectOf(scheme['flows'])).map(([grant, flow]) => {
    const { authorizationUrl, tokenUrl, scopes } = objectOf(flow)
    return {
      grant,
      ...(typeof authorizationUrl === 'string' && { authorizationUrl }),
      ...(typeof tokenUrl === 'string' && { tokenUrl }),
      scopes: Object.keys(objectOf(scopes)),
    }
  })
  switch (scheme['type']) {
    case 'http':
      return [{ kind: textOf(scheme['scheme'])?.toLowerCase() === 'basic' ? 'basic' : 'bearer', flows }]
    case 'oauth2':
    case 'openIdConnect':
      return [{ kind: 'bearer', flows }]
    case 'apiKey':
      return scheme['in'] === 'header' ? [{ kind: 'key', name: textOf(scheme['name']) ?? '', flows }] : []
    case 'mutualTLS':
      return [{ kind: 'certificate', flows }]
    default:
      return []
  }
}

/** A schema without references. Those that are combined become one, with the members of all. */
const schemaOf = (reference: unknown, resolve: Resolve, depth = 0): SchemaNode => {
  const node = objectOf(resolve(reference))
  if (depth > DEEPEST) return {}
  const inner = (each: unknown): SchemaNode => schemaOf(each, resolve, depth + 1)
  const properties = Object.fromEntries(
    Object.entries(objectOf(node['properties'])).map(([name, each]) => [name, inner(each)]),
  )
  const own: SchemaNode = {
    ...(node as SchemaNode),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(node['items'] !== undefined && { items: inner(node['items']) }),
  }
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => listOf(node[key]).map(inner))
  return parts.reduce<SchemaNode>(
    (one, other) => ({
      ...other,
      ...one,
      properties: { ...other.properties, ...one.properties },
      required: [...(one.required ?? []), ...(other.required ?? [])],
    }),
    own,
  )
}
