import { profileSchema, type ProfileInput } from '../../../profile/schema.ts'
import { draftAccounts } from './accounts.ts'
import { createDraft, type Draft } from './draft.ts'
import { draftLoans } from './loans.ts'
import { draftPayments } from './payments.ts'
import { isObject, type Members } from '../../../evidence/json.ts'
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
  /** What the author has to check, a sentence each. */
  readonly remarks: readonly string[]
}

const ACCOUNT = { name: 'A', iban: 'SK2998010000002600001129' }

/** A profile with these parts, and with what no document has. */
const completed = ({ payments, ...rest }: Members): unknown => ({
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

/** The same without the value at that path. */
const without = (values: Members, [key = '', ...rest]: readonly string[]): Members => {
  const { [key]: inner, ...others } = values
  return rest.length > 0 && isObject(inner) ? { ...others, [key]: without(inner, rest) } : others
}

/** In JSON only, or also with pages: known if the document describes the bodies of refusals outside of OAuth. */
const refusalsIn = ({ operations }: OpenApiDocument, draft: Draft): DocumentDraft['refusals'] => {
  const described = operations
    .filter(({ path }) => !/auth/i.test(path))
    .flatMap(({ answers }) => answers)
    .filter(({ status, mediaTypes }) => status >= 400 && status < 500 && mediaTypes.length > 0)
  if (described.length === 0) return undefined
  const hasPages = described.some(({ mediaTypes }) => mediaTypes.some((type) => type.includes('html')))
  draft.remark(
    hasPages
      ? '`refusals`: the document describes refusals with HTML pages'
      : '`refusals`: the document describes refusals without HTML pages, so that one counts as that of a firewall; write page if the bank has such pages',
  )
  return hasPages ? 'page' : 'json'
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
    draft.remark(
      `\`${path.join('.')}\`: the value of the document cannot be used (${message}); the default holds`,
    )
  }
  const origins = [...new Set(document.operations.flatMap(({ origin }) => origin ?? []))]
  if (origins.length > 1)
    draft.remark(
      `\`baseUrl\`: the document has the servers ${origins.join(', ')}; one is taken, add the others to \`origins\``,
    )
  const [baseUrl] = origins
  const refusals = refusalsIn(document, draft)
  return {
    title: document.title,
    profile: values,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(refusals !== undefined && { refusals }),
    remarks: draft.remarks,
  }
}
