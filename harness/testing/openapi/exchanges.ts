/** The exchanges with a bank, and their deviations from its OpenAPI document. */
import type { Exchange } from '../../bank/defect.ts'
import type { Validate } from './schema-validation.ts'
import type { DocumentedOperation, OpenApiDocument, Parameter, Schema } from './document.ts'

export interface RecordedExchange {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
  readonly status: number
  readonly answerHeaders: Headers
  readonly answer: string
}

/** The bank, with each exchange added to the list. */
export const recording =
  (bank: Exchange, exchanges: RecordedExchange[]): Exchange =>
  async (request) => {
    const { method, url, headers } = request
    const body = await request.clone().text()
    const response = await bank(request)
    exchanges.push({
      method: method.toLowerCase(),
      url: new URL(url),
      headers,
      body,
      status: response.status,
      answerHeaders: response.headers,
      answer: await response.clone().text(),
    })
    return response
  }

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Finds the operation of an exchange. */
export const operationFinder = ({ paths }: OpenApiDocument) => {
  // A path without parameters comes before one with them.
  const patterns = Object.entries(paths)
    .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
    .map(([path, item]) => ({ pattern: patternOf(path), item }))
  return ({ method, url }: Pick<RecordedExchange, 'method' | 'url'>): DocumentedOperation | undefined => {
    const found = patterns.find(({ pattern }) => pattern.test(url.pathname))
    return found?.item[method]
  }
}

const FORM = 'application/x-www-form-urlencoded'

/** A parameter that is repeated is a list, which no schema of a form allows. */
const formOf = (text: string): unknown => {
  const form = new URLSearchParams(text)
  return Object.fromEntries(
    [...form.keys()].map((name) => {
      const values = form.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

export interface Part {
  readonly schema: Schema
  readonly value: unknown
}

/** The body of a request with its schema; undefined if there is no body. */
export const requestPart = (
  { requestBody }: DocumentedOperation,
  { body }: RecordedExchange,
): Part | undefined => {
  const [media] = Object.entries(requestBody?.content ?? {})
  if (!media || body === '') return undefined
  const [mediaType, { schema }] = media
  return { schema, value: mediaType === FORM ? formOf(body) : (JSON.parse(body) as unknown) }
}

/** The body of an answer with its schema; undefined if the document gives it no body. */
export const answerPart = (
  { responses }: DocumentedOperation,
  { status, answer }: RecordedExchange,
): Part | undefined => {
  const [media] = Object.entries(responses[status]?.content ?? {})
  if (!media) return undefined
  const [mediaType, { schema }] = media
  return { schema, value: mediaType === 'application/json' ? (JSON.parse(answer) as unknown) : answer }
}

export const isAccepted = ({ status }: RecordedExchange): boolean => status >= 200 && status < 300

const valueIn = ({ url, headers }: RecordedExchange, { name, in: place }: Parameter): unknown =>
  place === 'query' ? (url.searchParams.get(name) ?? undefined) : (headers.get(name) ?? undefined)

const parameterProblems = (
  { parameters }: DocumentedOperation,
  exchange: RecordedExchange,
  validate: Validate,
): readonly string[] => {
  const undocumented = [...exchange.url.searchParams.keys()]
    .filter((name) => !parameters.some((parameter) => parameter.in === 'query' && parameter.name === name))
    .map((name) => `the query parameter ${name} is not documented`)
  // A path without its parameter is another path.
  const given = parameters.filter((parameter) => parameter.in !== 'path')
  return given.reduce<readonly string[]>((problems, parameter) => {
    const text = valueIn(exchange, parameter)
    if (text === undefined)
      return parameter.required ? [...problems, `the parameter ${parameter.name} is missing`] : problems
    const value = parameter.schema['type'] === 'integer' ? Number(text) : text
    const found = validate(parameter.schema, value)
    return [...problems, ...found.map((problem) => `the parameter ${parameter.name}: ${problem}`)]
  }, undocumented)
}

const authorizationProblems = (
  { security }: DocumentedOperation,
  { headers }: RecordedExchange,
): readonly string[] => {
  if (security.length === 0) return []
  const given = headers.get('authorization')?.split(' ')[0]
  const accepted: readonly (string | undefined)[] = security.map((schemes) => {
    const [scheme] = Object.keys(schemes)
    return scheme === undefined ? undefined : scheme === 'client' ? 'Basic' : 'Bearer'
  })
  return accepted.includes(given) ? [] : [`the authorization ${given ?? 'that is missing'} is not documented`]
}

const requestProblems = (
  operation: DocumentedOperation,
  exchange: RecordedExchange,
  validate: Validate,
): readonly string[] => {
  const part = requestPart(operation, exchange)
  const problems = part ? validate(part.schema, part.value) : []
  const isMissing = !part && operation.requestBody?.required === true
  const isExtra = !operation.requestBody && exchange.body !== ''
  return [
    ...parameterProblems(operation, exchange, validate),
    ...authorizationProblems(operation, exchange),
    ...problems.map((problem) => `the request: ${problem}`),
    ...(isMissing ? ['the request has no body'] : []),
    ...(isExtra ? ['the request has a body that is not documented'] : []),
  ]
}

const answerProblems = (
  operation: DocumentedOperation,
  exchange: RecordedExchange,
  validate: Validate,
): readonly string[] => {
  const { status, answer, answerHeaders } = exchange
  const documented = operation.responses[status]
  if (!documented) return [`the status ${status} is not documented`]
  const missing = Object.entries(documented.headers ?? {})
    .filter(([name, { required }]) => required && !answerHeaders.has(name))
    .map(([name]) => `the answer has no header ${name}`)
  const [mediaType] = Object.keys(documented.content ?? {})
  if (mediaType === undefined) return answer === '' ? missing : [...missing, 'the answer has a body']
  const given = answerHeaders.get('content-type')?.split(';')[0]
  if (given !== mediaType) return [...missing, `the answer is ${given ?? 'nothing'} and not ${mediaType}`]
  const part = answerPart(operation, exchange)
  const problems = part ? validate(part.schema, part.value) : []
  return [...missing, ...problems.map((problem) => `the answer ${status}: ${problem}`)]
}

/** The deviations of an exchange from the document. A request is compared only if the bank accepts it. */
export const deviationsOf = (
  operation: DocumentedOperation,
  exchange: RecordedExchange,
  validate: Validate,
): readonly string[] =>
  [
    ...(isAccepted(exchange) ? requestProblems(operation, exchange, validate) : []),
    ...answerProblems(operation, exchange, validate),
  ].map((problem) => `${operation.operationId}: ${problem}`)
