import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import { referenceProfile } from '../../harness/connection/reference-bank/reference-profile.ts'
import type { Wire } from '../../harness/bank/defect.ts'
import type { ProfileInput } from '../../harness/profile/schema.ts'

/**
 * Banks that serve a documented operation at another path, which their profile names: whatever else passes, the documented
 * path answers 404.
 */

const catalogue = await loadCatalogue()

interface MovedOperation {
  readonly title: string
  readonly method?: string
  /** The documented path, after any base path; `:id` stands for one segment. */
  readonly from: string
  readonly to: string
  readonly profile: Partial<ProfileInput>
  readonly breaks: string
}

const { payments, loans } = referenceProfile()
if (payments === undefined) throw new Error('the reference bank has payments')

const REFRESH = { body: { consentId: '{consentId}' } }

const MOVED: readonly MovedOperation[] = [
  {
    title: 'the detail of an account',
    from: '/v1/accounts/:id',
    to: '/v1/detail/:id',
    profile: { operations: { refresh: REFRESH, readAccount: { path: '/v1/detail/{account-id}' } } },
    breaks: 'ENV-04',
  },
  {
    title: 'the refresh',
    from: '/refresh',
    to: '/v1/update',
    profile: { operations: { refresh: { ...REFRESH, path: '/v1/update' } } },
    breaks: 'ENV-35',
  },
  {
    title: 'information',
    from: '/api/v1/accounts/information',
    to: '/api/v1/accounts/detail',
    profile: { secondVariant: { readAccount: { path: '/api/v1/accounts/detail' } } },
    breaks: 'ENV-26',
  },
  {
    title: 'the submission of a payment',
    from: '/payments/submission',
    to: '/payments/send',
    profile: { payments: { ...payments, submission: { path: '/payments/send' } } },
    breaks: 'ENV-27',
  },
  {
    title: 'the cancellation of a loan application',
    method: 'DELETE',
    from: '/v1/applications/:id',
    to: '/v1/applications/:id/cancel',
    profile: {
      loans: { ...loans, cancellation: { path: '/v1/applications/{application-id}/cancel' } },
    },
    breaks: 'ENV-37',
  },
]

const pattern = (path: string): RegExp => new RegExp(`${path.replace(':id', '([^/]+)')}$`)

const moving =
  ({ method, from, to }: MovedOperation): Wire =>
  (next) =>
  async (request) => {
    const url = new URL(request.url)
    if (method !== undefined && request.method !== method) return next(request)
    const isMoved = pattern(to).test(url.pathname)
    if (!isMoved && pattern(from).test(url.pathname))
      return Response.json({ errorCode: 'NOT_FOUND' }, { status: 404 })
    if (!isMoved) return next(request)
    url.pathname = url.pathname.replace(pattern(to), from.replace(':id', '$1'))
    return next(new Request(url, request))
  }

test.each(MOVED)('$title at another path than the documented one is a violation', async (operation) => {
  const results = await runTrial(
    catalogue,
    () => ({ variation: { id: 'moved', title: operation.title, wire: moving(operation) } }),
    { only: [operation.breaks], profile: operation.profile, socket: false, seed: 42, runsOf: () => 1 },
  )
  expect(results.map(({ verdict }) => verdict)).toContain('fail')
})
