import { find, jsonBodyOf, refusalsOf, setRequest, successOf, type Draft, type Found } from './draft.ts'
import { dotted, fieldsOf, isList, isType, named, nameOf, valuesOf, type Field } from './fields.ts'
import { takesCredentialsInForm } from './payments.ts'
import { templateOf, type Meaning } from './templates.ts'
import { merge } from '../../../profile/template.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

/** Drafts the loan API: token, precalculation, application, scenario and status. */

const AMOUNT: Meaning = { path: /amount|euros|sum|total|price/i, placeholder: '{amount}' }

const HOUSEHOLD: readonly Meaning[] = [
  { path: /income|earn|salary/i, placeholder: '{income}' },
  { path: /expens|cost|spend/i, placeholder: '{expenses}' },
  { path: /child/i, placeholder: '{children}' },
]

const STATUSES = ['NEW', 'CANCELED', 'LOAN_DISBURSED']

const has = (field: Field, values: readonly string[]): boolean =>
  values.some((value) => valuesOf(field).includes(value))

const fieldWith = (fields: readonly Field[], values: readonly string[]): string | undefined => {
  const field = fields.find((each) => has(each, values))
  return field === undefined ? undefined : dotted(field.path)
}

/** How a positive result is told: by a boolean, a word, or a list of offers. */
const setResult = (draft: Draft, operation: DocumentedOperation): void => {
  const key = 'loans.precalculation'
  const fields = fieldsOf(successOf(operation)).filter(({ path }) => path.length > 0 && !path.includes('*'))
  const truth = fields.find((field) => isType(field, 'boolean'))
  const word = fields.find((field) =>
    valuesOf(field).some((value) =>
      /^(positive|yes|ok|approved|accepted|granted|eligible)$/i.test(String(value)),
    ),
  )
  const list = fields.find(isList)
  if (truth !== undefined)
    draft.set(`${key}.positive`, { kind: 'member', member: dotted(truth.path), values: [true] })
  else if (word !== undefined)
    draft.set(`${key}.positive`, {
      kind: 'member',
      member: dotted(word.path),
      values: valuesOf(word).filter((value) =>
        /^(positive|yes|ok|approved|accepted|granted|eligible)$/i.test(String(value)),
      ),
    })
  else if (list !== undefined) draft.set(`${key}.positive`, { kind: 'list', list: dotted(list.path) })
  setCause(draft, [...fields, ...refusalsOf(operation).flatMap((schema) => fieldsOf(schema))])
}

const setCause = (draft: Draft, fields: readonly Field[]): void => {
  for (const field of fields) {
    const words = valuesOf(field).map(String)
    const of = (pattern: RegExp): string | undefined => words.find((one) => pattern.test(one))
    const [tooLow, tooHigh, insufficient] = [
      of(/low(?!ed)|small|min/i),
      of(/high|big|large|max/i),
      of(/capac|insuf|mean|afford|income/i),
    ]
    if (tooLow !== undefined && tooHigh !== undefined && insufficient !== undefined)
      return draft.set('loans.precalculation.cause', {
        member: dotted(field.path),
        tooLow,
        tooHigh,
        insufficient,
      })
  }
}

const WORDS = {
  cancelled: /cancel/i,
  expired: /expir/i,
  nonClient: /non|new/i,
  client: /client|customer|existing/i,
} as const

const setScenario = (draft: Draft, document: OpenApiDocument, submission: Found | undefined): void => {
  const key = 'loans.scenario'
  const calls = ['PUT', 'POST', 'PATCH'].flatMap((method) =>
    find(document, method, '/v1/applications/{}/[^/]+'),
  )
  const [call] = calls.filter(({ path }) => !/\/status$/i.test(path))
  const source = call ?? submission
  const fields = source === undefined ? [] : fieldsOf(jsonBodyOf(source.operation))
  const choice = fields.find((field) => valuesOf(field).length >= 4)
  const values = choice && wordsOf(valuesOf(choice).map(String))
  if (values !== undefined) draft.set(`${key}.values`, values)
  if (call !== undefined) {
    draft.set(`${key}.kind`, 'call')
    draft.set(`${key}.method`, call.operation.method)
    draft.set(`${key}.path`, call.path.replace(/\{[^}]+\}/, '{application-id}'))
    const { body } = templateOf(draft, `${key}.body`, jsonBodyOf(call.operation), [
      { path: /./, placeholder: '{scenario}' },
    ])
    draft.set(`${key}.body`, body)
  } else if (choice !== undefined) {
    draft.set(`${key}.kind`, 'parameter')
    draft.set(
      `${key}.patch`,
      merge(
        {},
        choice.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), '{scenario}'),
      ),
    )
  } else {
    const link = named(fieldsOf(submission && successOf(submission.operation)), [/url|uri|href|link/i])
    draft.set(`${key}.kind`, 'page')
    if (link !== undefined) draft.set(`${key}.link`, dotted(link.path))
  }
  if (values === undefined)
    draft.remark(`\`${key}.values\`: the words for the four scenarios were not found in the document`)
}

const wordsOf = (words: readonly string[]): Record<keyof typeof WORDS, string> | undefined => {
  const left = [...words]
  const take = (pattern: RegExp): string | undefined => {
    const at = left.findIndex((word) => pattern.test(word))
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }
  const [cancelled, expired, nonClient, client] = Object.values(WORDS).map(take)
  return cancelled === undefined || expired === undefined || nonClient === undefined || client === undefined
    ? undefined
    : { cancelled, expired, nonClient, client }
}

export const draftLoans = (draft: Draft, document: OpenApiDocument): void => {
  const [calculation] = find(document, 'PUT', '/v1/applications/precalculation')
  const [submission] = find(document, 'POST', '/v1/applications')
  const [status] = find(document, 'GET', '/v1/applications/{}/status')
  const [cancellation] = find(document, 'DELETE', '/v1/applications/{}')
  const some = calculation ?? submission ?? status
  if (some === undefined) return
  draft.set('loans.basePath', some.base === '' ? '/' : some.base)
  setRequest(draft, 'loans', some.operation, { statuses: false })
  const [token] = find(document, 'POST', '/auth/oauth/v2/token', ({ base }) => base === some.base)
  if (token !== undefined)
    draft.set('loans.token.credentials', takesCredentialsInForm(token.operation) ? 'form' : 'basic')
  if (calculation !== undefined) {
    const key = 'loans.precalculation'
    const whole = templateOf(draft, `${key}.body`, jsonBodyOf(calculation.operation), [AMOUNT, ...HOUSEHOLD])
    const part = (placeholders: readonly string[]): unknown =>
      whole.filled
        .filter(({ placeholder }) => placeholders.includes(placeholder))
        .reduce<unknown>(
          (body, { field, placeholder }) =>
            merge(
              body,
              field.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), placeholder),
            ),
          {},
        )
    draft.set(`${key}.body`, part(['{amount}']))
    draft.set(`${key}.capacity`, part(['{income}', '{expenses}', '{children}']))
    setResult(draft, calculation.operation)
  }
  if (submission !== undefined) {
    const { body, filled } = templateOf(draft, 'loans.submission.body', jsonBodyOf(submission.operation), [
      AMOUNT,
      { path: /order|reference|label|memo|number|(^|\.)id$/i, placeholder: '{orderNo}' },
    ])
    draft.set('loans.submission.body', body)
    if (!filled.some(({ placeholder }) => placeholder === '{amount}'))
      draft.remark('`loans.submission.body`: the field of the amount was not found in the document')
    const id = named(fieldsOf(successOf(submission.operation)), [/^application.?id$/i, /id$/i, /number|no$/i])
    if (id !== undefined) draft.set('loans.submission.id', dotted(id.path))
  }
  setScenario(draft, document, submission)
  if (status !== undefined) setStatus(draft, status)
  const refusals = [status, cancellation].flatMap((found) =>
    found === undefined ? [] : refusalsOf(found.operation).flatMap((schema) => fieldsOf(schema)),
  )
  const code = fieldWith(refusals, ['APP_NOT_FOUND', 'NOT_ALLOWED_OPER']) ?? nameOfCode(refusals)
  if (code !== undefined) draft.set('loans.errorCode', code)
  else
    draft.remark(
      '`loans.errorCode`: where a refusal has its code was not found in the document; the default holds',
    )
}

const setStatus = (draft: Draft, { operation }: Found): void => {
  const fields = fieldsOf(successOf(operation))
  const status = fieldWith(fields, STATUSES)
  if (status !== undefined) draft.set('loans.status.status', status)
  else
    draft.remark(
      '`loans.status.status`: no field of the document has the statuses of the interface; the default holds',
    )
  const code = fieldWith(fields, ['OK'])
  if (code !== undefined) draft.set('loans.status.code', code)
}

const nameOfCode = (fields: readonly Field[]): string | undefined => {
  const field = named(fields, [/error.?code|result.?code/i, /code/i])
  return field === undefined || nameOf(field) === '' ? undefined : dotted(field.path)
}
