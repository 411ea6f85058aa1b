/** Reads an OpenAPI document (3.0 or 3.1): the operations of a bank, each at each of its addresses. */
import { extname } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { isObject, type Members } from '../../../evidence/json.ts'
import { readInputFile, UnreadableFile } from '../../../evidence/input-file.ts'
import { ConfigurationError } from '../../../profile/configuration-error.ts'
import { FileFault, refuseUnreadable } from '../../../profile/read-file.ts'
import {
  createSchemaReader,
  decoded,
  listOf,
  objectOf,
  textsOf,
  type SchemaNode,
  type SchemaReader,
} from './schema-reader.ts'

/** An operation of the bank at one of its addresses. */
export type DocumentedOperation = ReturnType<typeof operationsIn>[number]
export type OpenApiDocument = ReturnType<typeof readOpenApi>

/** In MiB. YAML is read at about one MiB a second, JSON at a hundred times of it. */
const LONGEST = { json: 16, yaml: 2 } as const
const MOST_VALUES = 200_000
/** The addresses of one path: servers, with the values of their variables and of path parameters. */
const MOST_ADDRESSES = 100

const headSchema = z.looseObject({
  openapi: z.string().startsWith('3.'),
  info: z.looseObject({ title: z.string() }),
  paths: z.record(z.string(), z.unknown()),
})

/** @throws ConfigurationError if the file cannot be read, or is no OpenAPI document of version 3. */
export const readOpenApi = (file: string) => {
  const fail = (what: string): ConfigurationError => new ConfigurationError(`--openapi ${file}: ${what}`)
  try {
    const { info, ...document } = headIn(contentOf(file))
    return { title: info.title, operations: operationsIn(document, createSchemaReader(document)) }
  } catch (error) {
    if (error instanceof FileFault) throw fail(error.message)
    if (error instanceof UnreadableFile)
      throw fail(
        `it ${error.message}`.replace(/ MiB are read$/, `$& of YAML, and ${LONGEST.json} MiB of JSON`),
      )
    throw error
  }
}

const contentOf = (file: string): unknown => {
  const kind = extname(file).toLowerCase() === '.json' ? 'json' : 'yaml'
  const text = readInputFile(file, LONGEST[kind])
  if (kind === 'yaml') refuseUnreadable(text, MOST_VALUES)
  try {
    // The parser would compare each key with every other key of its map.
    return kind === 'json' ? JSON.parse(text) : parse(text, { logLevel: 'error', uniqueKeys: false })
  } catch {
    throw new FileFault('it is not valid JSON or YAML; name a file that ends with .json, .yaml or .yml')
  }
}

const headIn = (content: unknown) => {
  if (isObject(content) && 'swagger' in content)
    throw new FileFault('it is a Swagger 2.0 document; convert it to OpenAPI 3 first')
  const head = headSchema.safeParse(content)
  if (head.success) return head.data
  throw new FileFault(
    'it is no OpenAPI 3 document: expected the members openapi (3.0 or 3.1), info and paths',
  )
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const operationsIn = (document: Members, reader: SchemaReader) =>
  Object.entries(objectOf(document['paths'])).flatMap(([path, reference]) => {
    const item = objectOf(reader.resolve(reference))
    return METHODS.flatMap((name) => {
      const operation = item[name]
      const method = name.toUpperCase()
      if (!isObject(operation)) return []
      try {
        return operationAt(path, method, [operation, item, document], reader)
      } catch (error) {
        throw error instanceof FileFault ? new FileFault(`${error.message}, at ${method} ${path}`) : error
      }
    })
  })

/** @param levels the operation, and what contains it: its path and the document. */
const operationAt = (
  path: string,
  method: string,
  levels: readonly [operation: Members, item: Members, document: Members],
  reader: SchemaReader,
) => {
  const [operation, item, document] = levels
  const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((each) =>
    parameterOf(each, reader),
  )
  const [servers = [{ url: '/' }]] = levels
    .map((each) => listOf(each['servers']))
    .filter(({ length }) => length > 0)
  const bodies = bodiesOf(operation['requestBody'], reader)
  const shared = {
    method,
    parameters,
    json: jsonOf(bodies),
    form: bodies['application/x-www-form-urlencoded'],
    answers: answersOf(objectOf(operation['responses']), reader),
    schemes: schemesOf(operation, document, reader),
  }
  return addressesOf(servers, path, parameters, reader).map((address) => ({ ...shared, ...address }))
}

const tooMany = (): FileFault =>
  new FileFault(`a path has more than ${MOST_ADDRESSES} addresses; leave out servers or values of variables`)

/** The text with each combination of the values of these names. */
const expanded = (
  text: string,
  choices: readonly { readonly name: string; readonly values: readonly string[] }[],
) =>
  choices.reduce<readonly string[]>(
    (texts, { name, values }) => {
      if (texts.length * values.length > MOST_ADDRESSES) throw tooMany()
      return texts.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, value)))
    },
    [text],
  )

/** The addresses of an operation: at each server, with the values of a path parameter that has few, such as the environment. */
const addressesOf = (
  servers: readonly unknown[],
  path: string,
  parameters: readonly ReturnType<typeof parameterOf>[],
  { count }: SchemaReader,
) => {
  const inPath = parameters
    .filter((each) => each.in === 'path' && path.includes(`{${each.name}}`))
    .flatMap(({ name, schema }) =>
      schema.enum === undefined ? [] : [{ name, values: schema.enum.map(String) }],
    )
  const urls = servers.flatMap((server) => {
    const { url, variables } = objectOf(server)
    const choices = Object.entries(objectOf(variables)).map(([name, variable]) => {
      const { enum: values, default: usual } = objectOf(variable)
      return { name, values: [...new Set(textsOf([...listOf(values), usual]))] }
    })
    return expanded(typeof url === 'string' ? url : '/', choices)
  })
  const paths = expanded(path, inPath)
  const bases = [...new Set(urls)]
  if (bases.length * paths.length > MOST_ADDRESSES) throw tooMany()
  return bases.flatMap((url) => {
    const isAbsolute = /^https?:/i.test(url) && URL.canParse(url)
    const base = decoded((isAbsolute ? new URL(url).pathname : url).replace(/\/+$/, ''))
    return paths.map((one) => {
      count()
      return {
        /** With the path of its server: `/premium/sandbox/v1/accounts/{account-id}`. */
        path: base + one,
        /** That of its server, where the document has one. */
        ...(isAbsolute && { origin: new URL(url).origin }),
      }
    })
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The schema of a parameter or of a body, with the example beside it. */
const describedSchema = ({ schema, example }: Members, { schemaOf }: SchemaReader): SchemaNode => ({
  ...schemaOf(schema),
  ...(example !== undefined && { example }),
})

const parameterOf = (reference: unknown, reader: SchemaReader) => {
  const parameter = objectOf(reader.resolve(reference))
  const { name, in: where, required } = parameter
  return {
    name: textOf(name),
    in: textOf(where),
    required: required === true,
    schema: describedSchema(parameter, reader),
  }
}

const bodiesOf = (reference: unknown, reader: SchemaReader): Readonly<Record<string, SchemaNode>> =>
  Object.fromEntries(
    Object.entries(objectOf(objectOf(reader.resolve(reference))['content'])).map(([mediaType, media]) => [
      mediaType.toLowerCase(),
      describedSchema(objectOf(media), reader),
    ]),
  )

const jsonOf = (bodies: Readonly<Record<string, SchemaNode>>): SchemaNode | undefined =>
  Object.entries(bodies).find(([mediaType]) => mediaType.includes('json'))?.[1]

const answersOf = (responses: Members, reader: SchemaReader) =>
  Object.entries(responses).flatMap(([status, reference]) => {
    if (!/^[1-5]\d\d$/.test(status)) return []
    const bodies = bodiesOf(reference, reader)
    const { headers } = objectOf(reader.resolve(reference))
    return [
      {
        status: Number(status),
        schema: jsonOf(bodies),
        mediaTypes: Object.keys(bodies),
        headers: Object.keys(objectOf(headers)).map((name) => name.toLowerCase()),
      },
    ]
  })

const schemesOf = (operation: Members, document: Members, { resolve }: SchemaReader) => {
  const schemes = objectOf(objectOf(document['components'])['securitySchemes'])
  return listOf(operation['security'] ?? document['security'])
    .flatMap((alternative) => Object.entries(objectOf(alternative)))
    .flatMap(([name, scopes]) => {
      const scheme = schemeOf(objectOf(resolve(schemes[name])))
      // The scopes that the operation needs; those of a flow are all that it has.
      return scheme === undefined ? [] : [{ ...scheme, scopes: textsOf(scopes) }]
    })
}

/** OAuth flows have addresses that may be relative; a key has the name of its header. */
const schemeOf = (scheme: Members) => {
  const flows = Object.entries(objectOf(scheme['flows'])).map(([grant, flow]) => {
    const { tokenUrl, scopes } = objectOf(flow)
    return {
      grant,
      ...(typeof tokenUrl === 'string' && { tokenUrl }),
      scopes: Object.keys(objectOf(scopes)),
    }
  })
  switch (scheme['type']) {
    case 'http':
      return { kind: textOf(scheme['scheme']).toLowerCase() === 'basic' ? 'basic' : 'bearer', flows } as const
    case 'oauth2':
    case 'openIdConnect':
      return { kind: 'bearer', flows } as const
    case 'apiKey':
      return scheme['in'] === 'header'
        ? ({ kind: 'key', name: textOf(scheme['name']), flows } as const)
        : undefined
    case 'mutualTLS':
      return { kind: 'certificate', flows } as const
    default:
      return undefined
  }
}
