import { applicationOf, type Bank } from './bank.ts'
import { randomId, type Environment } from './environment.ts'
import { fault, json, type Call, type Answer } from './wire.ts'

/** POST /v1/consents */

export const createConsent = (bank: Bank, environment: Environment, call: Call): Answer => {
  const application = applicationOf(call)
  if (application === undefined) {
    return fault(401, 'WHO', 'The application is not known.', {
      'WWW-AUTHENTICATE': 'Basic realm="saltmarsh"',
    })
  }
  if (application.kind !== 'TPP') return fault(403, 'TPP_ONLY', 'Consents are for third parties.')
  const requestId = call.headers['x-request-id']
  if (typeof requestId !== 'string' || requestId === '')
    return fault(422, 'REQUEST_ID', 'X-Request-ID is missing.')
  if (bank.choices.bodyOfConsentRefused && call.text !== '') return fault(400, 'BODY', 'No body is expected.')

  const repeated = bank.choices.sameRequestSameConsent
    ? [...environment.consents.values()].find(
        (consent) => consent.application === application && consent.requestId === requestId,
      )
    : undefined
  const consentId = repeated?.consentId ?? randomId(9)
  if (repeated === undefined)
    environment.consents.set(consentId, { consentId, application, requestId, ended: false })
  const shapes = {
    nested: { record: { kind: 'consent', identity: { consentId, issuer: 'Saltmarsh' } } },
    flat: { consentId, status: 'RECEIVED', _links: { scope: `PREMIUM_AIS:${consentId}` } },
    list: { records: [{ consentId }] },
  }
  return json(bank.choices.consentStatus, shapes[bank.choices.consentShape], { 'X-REQUEST-ID': requestId })
}
