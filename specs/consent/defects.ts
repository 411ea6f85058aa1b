import { CON } from './requirements.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  {
    id: 'consent-without-consent-id',
    story: 'the answer names the consent id, and not consentId',
    breaks: [CON.answerCarriesAConsentId],
    wire: (next) => async (request) => {
      const response = await next(request)
      if (!new URL(request.url).pathname.endsWith('/v1/consents')) return response
      const text = (await response.text()).replace('consentId', 'id')
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
    },
  },
]
