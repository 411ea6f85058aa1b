/** Drafts the loan API: token, precalculation, application, scenario and status. */
import { setBody } from './bodies.ts'
import { defaultOf, find, jsonBodyOf, setRequestId, successOf, type Draft, type Found } from './draft.ts'
import { dotted, fieldsOf, isType, valuesOf, type Field } from './fields.ts'
import { takesCredentialsInForm } from './payments.ts'
import { listed, setPlaces } from './places.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

const enumerated = (field: Field): boolean => valuesOf(field).length > 1

/** Each field once, with its values. */
const withValues = (fields: readonly Field[]): string =>
  [
    ...new Set(
      fields.map((field) => `${dotted(field)} (${valuesOf(field).map(String).join(', ') || 'true, false'})`),
    ),
  ].join('; ')

/** How a positive result is known, and what a negative one says of its cause: the interface shows neither. */
const askForResult = (draft: Draft, operation: DocumentedOperation): void => {
  const key = 'loans.precalculation'
  const results = fieldsOf(successOf(operation)).filter(
    (field) => !field.path.includes('*') && (enumerated(field) || isType(field, 'boolean')),
  )
  if (results.length > 0)
    draft.ask(
      `${key}.positive`,
      `how is a positive result known? The answer has ${withValues(results)}; the default is its status`,
    )
  const refusals = operation.answers.flatMap(({ status, schema }) => (status >= 400 ? fieldsOf(schema) : []))
  const causes = [...results, ...refusals].filter(enumerated)
  if (causes.length > 0)
    draft.ask(
      `${key}.cause`,
      `which words say that an amount is too low, too high, or that the means are insufficient? The document has ${withValues(causes)}`,
    )
}

const setCapacity = (draft: Draft, operation: DocumentedOperation): void => {
  const key = 'loans.precalculation.capacity'
  const fields = fieldsOf(jsonBodyOf(operation)).slice(1)
  const [[name, usual] = ['', {}]] = Object.entries(defaultOf(key) as Readonly<Record<string, object>>)
  const paths = fields.map(dotted)
  const isUsual = Object.keys(usual).every((member) => paths.includes(`${name}.${member}`))
  if (fields.length > 0 && !isUsual)
    draft.ask(key, `where do {income}, {expenses} and {children} stand? The document has ${listed(fields)}`)
}

const setScenario = (draft: Draft, document: OpenApiDocument, submission: Found | undefined): void => {
  const key = 'loans.scenario'
  const calls = ['PUT', 'POST', 'PATCH'].flatMap((method) =>
    find(document, method, '/v1/applications/{}/[^/]+', ({ path }) => !/\/status$/i.test(path)),
  )
  const [call, ...others] = calls
  const source = call ?? submission
  const choices = fieldsOf(source && jsonBodyOf(source.operation)).filter(
    (field) => valuesOf(field).length >= 4,
  )
  const words = choices.flatMap(valuesOf)
  const usual = Object.values(defaultOf(`${key}.values`) as Readonly<Record<string, string>>)
  if (words.length > 0 && !usual.every((word) => words.includes(word)))
    draft.ask(
      `${key}.values`,
      `which words select the four scenarios? The document has ${words.map(String).join(', ')}`,
    )
  if (call !== undefined && others.length === 0) setCall(draft, key, call, choices)
  else if (calls.length > 1)
    draft.ask(
      key,
      `which call selects a scenario? The document has ${calls.map(({ path }) => path).join(', ')}`,
    )
  else if (choices.length > 0)
    draft.ask(
      key,
      `is a scenario selected with the submission (\`kind: parameter\`)? Its body has ${listed(choices)}`,
    )
}

const setCall = (draft: Draft, key: string, { operation, path }: Found, choices: readonly Field[]): void => {
  draft.set(`${key}.kind`, 'call')
  draft.set(`${key}.method`, operation.method)
  draft.set(`${key}.path`, path.replace(/\{[^}]+\}/, '{application-id}'))
  const [choice, ...more] = choices
  if (choice !== undefined && more.length === 0)
    draft.set(
      `${key}.body`,
      choice.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), '{scenario}'),
    )
  else if (jsonBodyOf(operation)?.properties?.['scenario'] === undefined)
    draft.ask(
      `${key}.body`,
      'where does {scenario} stand? The body of the document has no member with the scenarios',
    )
}

export const draftLoans = (draft: Draft, document: OpenApiDocument): void => {
  const [calculation] = find(document, 'PUT', '/v1/applications/precalculation')
  const [submission] = find(document, 'POST', '/v1/applications')
  const [status] = find(document, 'GET', '/v1/applications/{}/status')
  const [cancellation] = find(document, 'DELETE', '/v1/applications/{}')
  const some = calculation ?? submission ?? status
  if (some === undefined) return
  draft.set('loans.basePath', some.base === '' ? '/' : some.base)
  setRequestId(draft, 'loans', some.operation)
  const [token] = find(document, 'POST', '/auth/oauth/v2/token', ({ base }) => base === some.base)
  if (token !== undefined)
    draft.set('loans.token.credentials', takesCredentialsInForm(token.operation) ? 'form' : 'basic')
  if (calculation !== undefined) {
    setBody(draft, 'loans.precalculation.body', jsonBodyOf(calculation.operation))
    setCapacity(draft, calculation.operation)
    askForResult(draft, calculation.operation)
  }
  if (submission !== undefined) {
    setBody(draft, 'loans.submission.body', jsonBodyOf(submission.operation))
    setPlaces(draft, 'loans.submission', submission.operation)
  }
  setScenario(draft, document, submission)
  if (status !== undefined) setPlaces(draft, 'loans.status', status.operation)
  const refusing = [status, cancellation].flatMap((found) => found?.operation.answers ?? [])
  setPlaces(draft, 'loans', { ...some.operation, answers: refusing })
}
