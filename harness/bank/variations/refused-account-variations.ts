/** Accounts that are kept shut, and what is answered of them. */
import type { Variation, Wire } from '../defect.ts'

/** Answers whatever it refuses for another reason than the token with nothing where something might be. */
const answeringNull: Wire = (next) => async (request) => {
  const response = await next(request)
  const { pathname } = new URL(request.url)
  if (![403, 404].includes(response.status) || !/\/accounts(\/|$)/.test(pathname)) return response
  return Response.json({ account: null, balances: null, transactions: null })
}

export const refusedAccountVariations: readonly Variation[] = [
  {
    id: 'shut-accounts-refused-with-403',
    story: 'An account that is not open is refused with 403, an unknown one with 404.',
    rules: (lawful) => ({
      refusalStatus: (facts) =>
        facts.error === 'account_unknown' && facts.account !== undefined ? 403 : lawful.refusalStatus(facts),
    }),
  },
  {
    id: 'unknown-accounts-refused-with-400',
    story: 'Every account that is not open is refused with 400, in a body of other members.',
    rules: (lawful) => ({
      refusalStatus: (facts) => (facts.error === 'account_unknown' ? 400 : lawful.refusalStatus(facts)),
      refusalBody: (facts) =>
        facts.error === 'account_unknown'
          ? { tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }] }
          : lawful.refusalBody(facts),
    }),
  },
  {
    id: 'unknown-accounts-answered-with-null',
    story: 'Of an account that is not open nothing is said: each member of the answer is null.',
    wire: answeringNull,
  },
]
