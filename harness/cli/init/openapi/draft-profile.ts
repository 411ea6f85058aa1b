/** What an OpenAPI document says about the parts of a profile, and what its author has to say. */
import { isObject, type Members } from '../../../evidence/json.ts'
import { profileSchema, type ProfileInput } from '../../../profile/schema.ts'
import { draftAccounts } from './accounts.ts'
import { completed, createDraft, type Draft } from './draft.ts'
import { draftLoans } from './loans.ts'
import { draftPayments } from './payments.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { OpenApiDocument } from './document.ts'

/** The parts of a profile that an OpenAPI document gives. */
type Drafted = Pick<ProfileInput, 'basePaths' | 'operations' | 'secondVariant' | 'loans'> & {
  /** Without debtor and creditor. */
  readonly payments?: Members
}

export interface DocumentDraft {
  /** The title of the document. */
  readonly title: string
  readonly profile: Drafted
  /** The origin of the servers, if there is one. */
  readonly baseUrl?: string
  /** How the bank refuses, if the document describes the bodies of refusals. */
  readonly refusals?: NonNullable<ProfileInput['refusals']>
  /** What the document does not say, a sentence each. */
  readonly questions: readonly string[]
}

/** The same without the value at that path. */
const without = (values: Members, [key = '', ...rest]: readonly string[]): Members => {
  const { [key]: inner, ...others } = values
  return rest.length > 0 && isObject(inner) ? { ...others, [key]: without(inner, rest) } : others
}

/** In JSON only, or also with pages: known if the document describes the bodies of refusals outside of OAuth. */
const refusalsIn = ({ operations }: OpenApiDocument, draft: Draft): DocumentDraft['refusals'] => {
  const described = operations
    .filter(({ path }) => !path.includes('/auth/oauth/'))
    .flatMap(({ answers }) => answers)
    .filter(({ status, mediaTypes }) => status >= 400 && status < 500 && mediaTypes.length > 0)
  if (described.length === 0) return undefined
  if (described.some(({ mediaTypes }) => mediaTypes.some((type) => type.includes('html')))) return 'page'
  draft.ask(
    'refusals',
    'does the bank also refuse with HTML pages (page)? The document describes none, so that a page counts as that of a firewall (json)',
  )
  return 'json'
}

/** Drafts what a document says about the parts of a profile. @param environment that of base paths that name none. */
export const draftFromDocument = (document: OpenApiDocument, environment: Environment): DocumentDraft => {
  const draft = createDraft()
  draftAccounts(draft, document, environment)
  draftPayments(draft, document, environment)
  draftLoans(draft, document)
  let values = draft.values()
  for (const { path, message } of profileSchema.safeParse(completed(values)).error?.issues ?? []) {
    values = without(values, path.map(String))
    draft.ask(path.join('.'), `which value is it? That of the document cannot be used: ${message}`)
  }
  const origins = [...new Set(document.operations.flatMap(({ origin }) => origin ?? []))]
  if (origins.length > 1)
    draft.ask(
      'baseUrl',
      `which server is it, and which are further \`origins\`? The document has ${origins.join(', ')}`,
    )
  const [baseUrl] = origins
  const refusals = refusalsIn(document, draft)
  return {
    title: document.title,
    profile: values,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(refusals !== undefined && { refusals }),
    questions: draft.questions,
  }
}
