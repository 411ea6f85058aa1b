import type { Defect, Wire } from '../../harness/bank/defect.ts'
import { CON } from './requirements.ts'

/** Refusals that look like a success, or tell too much. */

/** Changes what a refused consent request is answered with. */
const onRefusal =
  (change: (response: Response, request: Request) => Promise<Response>): Wire =>
  (next) =>
  async (request) => {
    const response = await next(request)
    const isRefusal = response.status >= 400 && new URL(request.url).pathname.endsWith('/v1/consents')
    return isRefusal ? change(response, request) : response
  }

const credentialsOf = ({ headers }: Request): string =>
  Buffer.from((headers.get('authorization') ?? '').split(' ')[1] ?? '', 'base64').toString()

export const defectsOfRefusing: readonly Defect[] = [
  {
    id: 'refused-consent-has-status-200',
    story: 'A consent request that is refused is answered with 200 and an error in the body.',
    breaks: [CON.refusalHasNoSuccessStatus],
    rules: (lawful) => ({
      refusalStatus: (facts) => (facts.endpoint === 'consents' ? 200 : lawful.refusalStatus(facts)),
    }),
  },
  {
    id: 'fac-is-refused-with-status-202',
    story: 'A FAC that asks for a consent is answered with 202, and is given none.',
    breaks: [CON.refusalHasNoSuccessStatus],
    rules: (lawful) => ({
      refusalStatus: (facts) => (facts.error === 'not_entitled' ? 202 : lawful.refusalStatus(facts)),
    }),
  },
  {
    id: 'missing-credentials-have-status-204',
    story: 'A consent request without credentials is answered with 204.',
    breaks: [CON.refusalHasNoSuccessStatus],
    wire: onRefusal(async (response, { headers }) =>
      headers.has('authorization') ? response : new Response(null, { status: 204 }),
    ),
  },
  {
    id: 'refused-consent-repeats-the-secret',
    story: 'The answer to a wrong secret says what was sent.',
    breaks: [CON.refusalRepeatsNoSecret],
    wire: onRefusal(async ({ status }, request) =>
      Response.json({ errorCode: 'INVALID_CLIENT', errorDescription: credentialsOf(request) }, { status }),
    ),
  },
  {
    id: 'refused-consent-repeats-the-authorization-header',
    story:
      'A refusal of POST /v1/consents carries the Authorization header of the request in one of its own.',
    breaks: [CON.refusalRepeatsNoSecret],
    wire: onRefusal(async (response, { headers }) => {
      response.headers.set('x-received', headers.get('authorization') ?? 'nothing')
      return response
    }),
  },
  {
    id: 'unknown-client-is-told-its-secret-in-hidden-form',
    story: 'The answer to an unknown client has the secret that it sent, in base64.',
    breaks: [CON.refusalRepeatsNoSecret],
    wire: onRefusal(async (response, request) => {
      const [clientId = '', secret = ''] = credentialsOf(request).split(':')
      if (!clientId.startsWith('nobody')) return response
      const trace = Buffer.from(secret).toString('base64')
      return Response.json({ errorCode: 'INVALID_CLIENT', trace }, { status: response.status })
    }),
  },
]
