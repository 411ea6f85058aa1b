/** Drafts the loan API: token, precalculation, application, scenario and status. */
import { nested, placeholdersOf } from '../../../profile/template.ts'
import { setBody } from './bodies.ts'
import {
  defaultOf,
  find,
  findLike,
  setPlaces,
  setRequestId,
  successOf,
  type Draft,
  type Found,
} from './draft.ts'
import { dotted, fieldsOf, isType, listed, valuesOf, type Field } from './fields.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

export const draftLoans = (draft: Draft, document: OpenApiDocument): void => {
  const [calculation] = find(document, 'loans.precalculation')
  const [submission] = find(document, 'loans.submission')
  const [status] = find(document, 'loans.status')
  const [cancellation] = find(document, 'loans.cancellation')
  const some = calculation ?? submission ?? status
  if (some === undefined) return
  draft.set('loans.basePath', some.base || '/')
  setRequestId(draft, 'loans', some.operation)
  const [token] = find(document, 'loans.token', ({ base }) => base === some.base)
  if (token !== undefined) {
    // RFC 6749 §2.3.1.
    const isForm = token.operation.form?.properties?.['client_secret'] !== undefined
    draft.set('loans.token.credentials', isForm ? 'form' : 'basic')
  }
  if (calculation !== undefined) setPrecalculation(draft, calculation.operation)
  if (submission !== undefined) {
    setBody(draft, 'loans.submission.body', submission.operation.json)
    setPlaces(draft, 'loans.submission', submission.operation)
  }
  setScenario(draft, document, submission)
  if (status !== undefined) setPlaces(draft, 'loans.status', status.operation)
  const refusing = [status, cancellation].flatMap((found) => found?.operation.answers ?? [])
  setPlaces(draft, 'loans', { ...some.operation, answers: refusing })
}

const withValues = (fields: readonly Field[]): string =>
  [
    ...new Set(
      fields.map((field) => `${dotted(field)} (${valuesOf(field).map(String).join(', ') || 'true, false'})`),
    ),
  ].join('; ')

/** The interface shows neither how a positive result is known, nor what a negative one says of its cause. */
const setPrecalculation = (draft: Draft, operation: DocumentedOperation): void => {
  const key = 'loans.precalculation'
  setBody(draft, `${key}.body`, operation.json)
  const paths = fieldsOf(operation.json).map(dotted)
  const lost = placeholdersOf(defaultOf(`${key}.capacity`)).filter(({ at }) => !paths.includes(at.join('.')))
  if (paths.length > 1 && lost.length > 0)
    draft.ask(
      `${key}.capacity`,
      `where does ${lost.map(({ name }) => `{${name}}`).join(', ')} stand? The document has ${listed(fieldsOf(operation.json))}`,
    )
  const isEnumerated = (field: Field): boolean => valuesOf(field).length > 1
  const results = fieldsOf(successOf(operation)).filter(
    (field) => !field.path.includes('*') && (isEnumerated(field) || isType(field, 'boolean')),
  )
  if (results.length > 0)
    draft.ask(
      `${key}.positive`,
      `how is a positive result known? The answer has ${withValues(results)}; the default is its status`,
    )
  const refusals = operation.answers.flatMap(({ status, schema }) => (status >= 400 ? fieldsOf(schema) : []))
  const causes = [...results, ...refusals].filter(isEnumerated)
  if (causes.length > 0)
    draft.ask(
      `${key}.cause`,
      `which words say that an amount is too low, too high, or that the means are insufficient? The document has ${withValues(causes)}`,
    )
}

const setScenario = (draft: Draft, document: OpenApiDocument, submission: Found | undefined): void => {
  const key = 'loans.scenario'
  const calls = ['PUT', 'POST', 'PATCH'].flatMap((method) =>
    findLike(document, method, String.raw`/v1/applications/\{[^}]+\}/[^/]+`).filter(
      ({ path }) => !/\/status$/i.test(path),
    ),
  )
  const [call, ...others] = calls
  const choices = fieldsOf((call ?? submission)?.operation.json).filter(
    (field) => valuesOf(field).length >= 4,
  )
  const words = choices.flatMap(valuesOf)
  const usual = Object.values(defaultOf(`${key}.values`) as Readonly<Record<string, string>>)
  if (words.length > 0 && !usual.every((word) => words.includes(word)))
    draft.ask(
      `${key}.values`,
      `which words select the four scenarios? The document has ${words.map(String).join(', ')}`,
    )
  const [choice, ...more] = choices
  if (others.length > 0)
    draft.ask(
      key,
      `which call selects a scenario? The document has ${calls.map(({ path }) => path).join(', ')}`,
    )
  else if (call !== undefined) {
    draft.set(`${key}.kind`, 'call')
    draft.set(`${key}.method`, call.operation.method)
    draft.set(`${key}.path`, call.path.replace(/\{[^}]+\}/, '{application-id}'))
    if (choice !== undefined && more.length === 0)
      draft.set(`${key}.body`, nested(choice.path.join('.'), '{scenario}'))
    else
      draft.ask(
        `${key}.body`,
        `where does {scenario} stand? The document has ${listed(choices) || 'no such member'}`,
      )
  } else if (choice !== undefined)
    draft.ask(
      key,
      `is a scenario selected with the submission (\`kind: parameter\`)? Its body has ${listed(choices)}`,
    )
}
