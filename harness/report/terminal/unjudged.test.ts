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
  [
    'payments/one/3 rejected the valid order with AG01 ("no"): look at payments.debtor; payments/an-other/12 rejected the valid order with AG01 ("no"): look at payments.debtor',
    'the target rejected the valid order with AG01 ("no"): look at payments.debtor',
  ],
  [
    'the order of payments.provocations.AC04: payments/a-payment-that-is-rejected-with-ac04/9 accepted it',
    'the order of payments.provocations.AC04: the target accepted it',
  ],
  [
    'tokens/a@FAC/2 was answered with a server error (503)',
    'a request was answered with a server error (503)',
  ],
  ['the customer has one account (customers)', 'the customer has one account (customers)'],
  ['POST /v1/consents was refused', 'POST /v1/consents was refused'],
])('%s', (because, cause) => {
  expect(withoutExchanges(because)).toBe(cause)
})
