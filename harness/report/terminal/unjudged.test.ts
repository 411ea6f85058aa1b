import { expect, test } from 'vitest'
import { withoutExchanges } from './unjudged.ts'

test.each([
  ['no token was issued (tokens/an-expired-token@TPP/4)', 'no token was issued'],
  ['the valid request was not accepted (consent/a@TPP.1/2: 201)', 'the valid request was not accepted (201)'],
  ['its DELETE was answered 404 (clean-up/321)', 'its DELETE was answered 404'],
  [
    'tokens/a-code@TPP:grant/2 (createConsent) answered 500; accounts/a-list@TPP/12 (createConsent) answered 500',
    'createConsent answered 500',
  ],
  ['the customer has one account (customers)', 'the customer has one account (customers)'],
  ['POST /v1/consents was refused', 'POST /v1/consents was refused'],
])('%s', (because, cause) => {
  expect(withoutExchanges(because)).toBe(cause)
})
