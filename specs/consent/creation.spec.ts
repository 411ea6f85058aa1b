import { check, note, scenario } from '../../harness/check/index.ts'
import { CON } from './requirements.ts'

const creation = scenario('a consent request', { effect: 'consent', as: 'TPP' }, async ({ app }) => ({
  consent: await app.createConsent(),
}))

check(CON.answerCarriesAConsentId, creation, ({ consent }) => {
  consent.body.anywhere('consentId').isPresent()
})

note(CON.shapeOfTheConsentAnswer, creation, ({ consent }) => `status ${consent.status.value}`)
