/** A draft of a profile: what a document says, and what it leaves to its author. */
import { isObject, type Members } from '../../../evidence/json.ts'
import { profileSchema } from '../../../profile/schema.ts'
import { joined, nested } from '../../../profile/template.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'
import type { SchemaNode } from './schema-reader.ts'

export interface Draft {
  /** Sets a key of the profile, such as `operations.listAccounts.accounts`. */
  set(key: string, value: unknown): void
  /** A question to the author about a key of the profile. */
  ask(key: string, question: string): void
  readonly values: () => Members
  readonly questions: readonly string[]
}

export const createDraft = (): Draft => {
  let values: Members = {}
  const questions: string[] = []
  return {
    set(key, value) {
      values = joined(values, nested(key, value))
    },
    ask(key, question) {
      const whole = `\`${key}\`: ${question}`
      if (!questions.includes(whole)) questions.push(whole)
    },
    values: () => values,
    questions,
  }
}

const ACCOUNT = { name: 'A', iban: 'SK2998010000002600001129' }

/** A profile with these parts, and with what no document has. */
export const completed = ({ payments, ...rest }: Members): unknown => ({
  name: 'A',
  applications: [
    {
      name: 'A',
      kind: 'TPP',
      clientId: 'A',
      clientSecret: 'A',
      redirectUris: [{ uri: 'https://a.example/' }],
    },
  ],
  ...rest,
  ...(payments !== undefined && {
    payments: { ...(isObject(payments) && payments), debtor: ACCOUNT, creditor: ACCOUNT },
  }),
})

const DEFAULTS = profileSchema.parse(completed({ secondVariant: {}, payments: {}, loans: {} }))

/** The default of a key of the profile, such as `accounts` for `operations.listAccounts.accounts`. */
export const defaultOf = (key: string): unknown =>
  key
    .split('.')
    .reduce<unknown>(
      (inner, name) => (isObject(inner) || Array.isArray(inner) ? inner[name as never] : undefined),
      DEFAULTS,
    )

/** An operation of the interface at one of its addresses in the document. */
export interface Found {
  readonly operation: DocumentedOperation
  /** The part before the documented path; empty for none. */
  readonly base: string
  /** The documented path, as the document writes it. */
  readonly path: string
}

/** A documented path as a pattern: `{}` stands for any parameter. */
const patternOf = (path: string): RegExp =>
  new RegExp(`${path.replaceAll('{}', String.raw`\{[^}]+\}`).replaceAll('/', String.raw`\/`)}$`, 'i')

/** The operations with this method whose path ends with the documented one. */
export const find = (
  { operations }: OpenApiDocument,
  method: string,
  path: string,
  isMeant: (found: Found) => boolean = () => true,
): readonly Found[] => {
  const pattern = patternOf(path)
  return operations.flatMap((operation) => {
    const at = operation.method === method ? pattern.exec(operation.path)?.index : undefined
    if (at === undefined) return []
    const found = { operation, base: operation.path.slice(0, at), path: operation.path.slice(at) }
    return isMeant(found) ? [found] : []
  })
}

const isOf = (base: string, environment: Environment): boolean => base.split('/').includes(environment)

/** Sets the base paths of some operations. @param environment whose base path one that names none is. */
export const setBases = (
  draft: Draft,
  key: string,
  founds: readonly Found[],
  environment: Environment,
): void => {
  const bases = [...new Set(founds.map(({ base }) => base))]
  const other = environment === 'sandbox' ? 'production' : 'sandbox'
  const own = bases.find((base) => isOf(base, environment)) ?? bases.find((base) => !isOf(base, other))
  const others = bases.filter((base) => base !== own)
  const otherOne = others.find((base) => isOf(base, other)) ?? others[0]
  if (own !== undefined) draft.set(`${key}.${environment}`, own === '' ? '/' : own)
  if (otherOne !== undefined) draft.set(`${key}.${other}`, otherOne === '' ? '/' : otherOne)
  const isNamed = bases.some((base) => isOf(base, 'sandbox') || isOf(base, 'production'))
  if (bases.length > 2 || (bases.length === 2 && !isNamed))
    draft.ask(
      key,
      `which base path is that of ${environment}, and which that of ${other}? The document has ${bases.map((base) => base || '/').join(', ')}`,
    )
}

/** Sets the header that carries the id of a request, where the document has another than the default. */
export const setRequestId = (draft: Draft, key: string, { parameters }: DocumentedOperation): void => {
  const headers = parameters.filter(({ in: place }) => place === 'header')
  const usual = String(defaultOf(`${key}.requestIdHeader`))
  if (headers.length === 0 || headers.some(({ name }) => name.toLowerCase() === usual.toLowerCase())) return
  const [first, ...more] = headers.filter(({ schema }) => schema.format === 'uuid')
  if (first !== undefined && more.length === 0) draft.set(`${key}.requestIdHeader`, first.name)
  else
    draft.ask(
      `${key}.requestIdHeader`,
      `which header carries the id of a request? The document has ${headers.map(({ name }) => name).join(', ')}, and not ${usual}`,
    )
}

export const setSuccess = (draft: Draft, key: string, { answers }: DocumentedOperation): void => {
  const success = answers.map(({ status }) => status).filter((status) => status >= 200 && status < 300)
  if (success.length > 0) draft.set(`${key}.success`, success)
}

/** The schema of the successful answer. */
export const successOf = ({ answers }: DocumentedOperation): SchemaNode | undefined =>
  answers.find(({ status }) => status >= 200 && status < 300)?.schema

export const jsonBodyOf = ({ bodies }: DocumentedOperation): SchemaNode | undefined =>
  Object.entries(bodies).find(([mediaType]) => mediaType.includes('json'))?.[1]

export const formOf = ({ bodies }: DocumentedOperation): SchemaNode | undefined =>
  bodies['application/x-www-form-urlencoded']
