import { joined, nested } from '../../../profile/template.ts'
import { type Members } from '../../../evidence/json.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

/** The parts of a profile that are taken from a document, and what remains to be checked. */
export interface Draft {
  /** Sets a key of the profile, such as `operations.listAccounts.accounts`. */
  set(key: string, value: unknown): void
  /** A sentence for the author: what could not be taken, or was guessed from a name. */
  remark(sentence: string): void
  readonly values: () => Members
  readonly remarks: readonly string[]
}

export const createDraft = (): Draft => {
  let values: Members = {}
  const remarks: string[] = []
  return {
    set(key, value) {
      values = joined(values, nested(key, value))
    },
    remark(sentence) {
      if (!remarks.includes(sentence)) remarks.push(sentence)
    },
    values: () => values,
    remarks,
  }
}

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
): readonly Found[] =>
  operations.flatMap((operation) => {
    const at = operation.method === method ? patternOf(path).exec(operation.path)?.index : undefined
    if (at === undefined) return []
    const found = { operation, base: operation.path.slice(0, at), path: operation.path.slice(at) }
    return isMeant(found) ? [found] : []
  })

/** The environment that a base path names; undefined if it names none. */
const environmentOf = (base: string): Environment | undefined => {
  if (/sandbox|test|demo|uat/i.test(base)) return 'sandbox'
  return /prod|live/i.test(base) ? 'production' : undefined
}

/** Sets the base paths of some operations. @param environment whose base path one that names none is. */
export const setBases = (
  draft: Draft,
  key: string,
  founds: readonly Found[],
  environment: Environment,
): void => {
  const bases = [...new Set(founds.map(({ base }) => base))]
  const other = environment === 'sandbox' ? 'production' : 'sandbox'
  for (const base of bases) {
    const isOfOther = environmentOf(base) === other
    const isLeft =
      environmentOf(base) === undefined && bases.some((each) => environmentOf(each) === environment)
    draft.set(`${key}.${isOfOther || isLeft ? other : environment}`, base === '' ? '/' : base)
  }
  if (bases.length > 2)
    draft.remark(`\`${key}\`: the document has ${bases.length} base paths (${bases.join(', ')}); check them`)
}

/** Sets the header that carries the id of a request, and the statuses of success. */
export const setRequest = (
  draft: Draft,
  key: string,
  { parameters, answers }: DocumentedOperation,
  wanted: { readonly header?: boolean; readonly statuses?: boolean } = { header: true, statuses: true },
): void => {
  const header = parameters.find(
    ({ in: place, name, schema }) =>
      place === 'header' && (/request.?id|correlation|trace/i.test(name) || schema.format === 'uuid'),
  )
  if (wanted.header !== false && header !== undefined) draft.set(`${key}.requestIdHeader`, header.name)
  const success = answers.map(({ status }) => status).filter((status) => status >= 200 && status < 300)
  if (wanted.statuses !== false && success.length > 0) draft.set(`${key}.success`, success)
}

/** The schema of the successful answer. */
export const successOf = ({ answers }: DocumentedOperation) =>
  answers.find(({ status }) => status >= 200 && status < 300)?.schema

/** The schemas of refusals. */
export const refusalsOf = ({ answers }: DocumentedOperation) =>
  answers.flatMap(({ status, schema }) => (status >= 400 && schema !== undefined ? [schema] : []))

export const jsonBodyOf = ({ bodies }: DocumentedOperation) =>
  Object.entries(bodies).find(([mediaType]) => mediaType.includes('json'))?.[1]

export const formOf = ({ bodies }: DocumentedOperation) => bodies['application/x-www-form-urlencoded']
