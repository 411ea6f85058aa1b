/** The exchanges with a bank, and their deviations from its OpenAPI document. */
import type { Exchange } from '../../bank/defect.ts'
import type { Validate } from './schema-validation.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

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

const formOf = (text: string): unknown => Object.fromEntries(new URLSearchParams(text))

/** The body of a request with its schema; undefined if there is no body. */
const requestPart = ({ requestBody }: DocumentedOperation, { body }: RecordedExchange) => {
  const [media] = Object.entries(requestBody?.content ?? {})
  if (!media || body === '') return undefined
  const [mediaType, { schema }] = media
  return { schema, value: mediaType === FORM ? formOf(body) : (JSON.parse(body) as unknown) }
}

/** A client may send more than the bank reads, so that only what is documented is compared. */
const requestProblems = (
  operation: DocumentedOperation,
  exchange: RecordedExchange,
  validate: Validate,
): readonly string[] => {
  const { url, headers } = exchange
  const parameters = operation.parameters.flatMap(({ name, in: place, required, schema }) => {
    const text = place === 'query' ? url.searchParams.get(name) : headers.get(name)
    if (place === 'path') return []
    if (text === null) return required ? [`the parameter ${name} is missing`] : []
    return validate(schema, schema['type'] === 'integer' ? Number(text) : text)
  })
  const part = requestPart(operation, exchange)
  const isMissing = !part && operation.requestBody?.required === true
  return [
    ...parameters,
    ...(part ? validate(part.schema, part.value, 'open') : []),
    ...(isMissing ? ['the body is missing'] : []),
  ]
}

const answerProblems = (
  operation: DocumentedOperation,
  { status, answer, answerHeaders }: RecordedExchange,
  validate: Validate,
): readonly string[] => {
  const documented = operation.responses[status]
  if (!documented) return ['it is not documented']
  const missing = Object.entries(documented.headers ?? {})
    .filter(([name, { required }]) => required && !answerHeaders.has(name))
    .map(([name]) => `there is no header ${name}`)
  const [media] = Object.entries(documented.content ?? {})
  if (media === undefined) return answer === '' ? missing : [...missing, 'there is a body']
  const [mediaType, { schema }] = media
  const given = answerHeaders.get('content-type')?.split(';')[0]
  if (given !== mediaType) return [...missing, `there is ${given ?? 'nothing'}, and not ${mediaType}`]
  const value = mediaType === 'application/json' ? (JSON.parse(answer) as unknown) : answer
  return [...missing, ...validate(schema, value)]
}

/** The deviations of an exchange from the document. A request is compared only if the bank accepts it. */
export const deviationsOf = (
  operation: DocumentedOperation,
  exchange: RecordedExchange,
  validate: Validate,
): readonly string[] => {
  const { operationId } = operation
  const isAccepted = exchange.status >= 200 && exchange.status < 300
  const requested = isAccepted ? requestProblems(operation, exchange, validate) : []
  const answered = answerProblems(operation, exchange, validate)
  return [
    ...requested.map((problem) => `${operationId}, request: ${problem}`),
    ...answered.map((problem) => `${operationId}, answer ${exchange.status}: ${problem}`),
  ]
}
