import type { Hiding } from './entry.ts'

/** What hides defects of consents, authorizations and tokens. */
export const HIDING_AUTHORIZATION_AND_TOKENS: readonly Hiding[] = [
  {
    variations: ['result-always-shown', 'grant-shown-denial-sent'],
    defects: ['AUT-01', 'AUT-32', 'AUT-34', 'AUT-36'],
    reason: 'The defect is in a redirect with a code, and this bank sends none.',
  },
  {
    variations: ['result-always-shown', 'errors-shown'],
    defects: ['AUT-12', 'AUT-13'],
    reason: 'A refusal that is shown leaves open whether the page is one of the flow: the run is incomplete.',
  },
  {
    variations: ['frames-are-refused-by-x-frame-options'],
    defects: ['AUT-46'],
    reason: 'The defect changes the Content-Security-Policy, and these pages have X-Frame-Options instead.',
  },
  {
    variations: ['extra-return-parameters'],
    defects: ['code-stands-behind-a-second-question-mark'],
    reason:
      'The second question mark stands behind the issuer, so that the own query of the address is kept.',
  },
  {
    variations: ['scope-without-its-consent'],
    defects: ['AUT-14'],
    reason: 'The stated scope is without the unknown word, which is lawful.',
  },
  {
    variations: ['one-page'],
    defects: ['AUT-18', 'denial-authorizes'],
    reason: 'The customer denies before the login, so that nothing can be granted.',
  },
  {
    variations: ['generated-*', 'pretty-printed'],
    defects: ['TOK-12', 'TOK-14'],
    reason: 'A body is written anew, with its media type and each member once.',
  },
  {
    variations: ['members-in-other-order', 'extra-members'],
    defects: ['TOK-14'],
    reason: 'A body is written anew, with each member once.',
  },
  {
    variations: ['tokens-end-with-the-grant'],
    defects: [
      'detail-needs-a-younger-token',
      'second-variant-needs-a-younger-token',
      'account-id-ends-with-a-later-list',
    ],
    reason: 'A renewed token ends with its grant, before the reads in which the defect shows.',
  },
  {
    variations: ['generated-*'],
    defects: ['late-refusal-carries-a-refresh-token'],
    reason: 'A refresh token in a refusal has no name in a dialect.',
  },
  {
    variations: [
      'padded-consent-ids',
      'numeric-consent-ids',
      'urn-consent-ids',
      'hex-consent-ids',
      'consent-id-format',
    ],
    defects: ['CON-03', 'CON-11'],
    reason: 'The defect depends on the form of the consentIds of the reference bank.',
  },
  {
    variations: ['result-always-shown', 'grant-shown-denial-sent'],
    defects: ['TOK-38', 'TOK-39'],
    reason: 'The defect reads the codes in redirects.',
  },
  {
    variations: ['scope-without-its-consent'],
    defects: ['code-exchange-takes-any-scope', 'refresh-takes-any-scope'],
    reason: 'The defect is only in the stated scope, and it is not stated.',
  },
  {
    variations: ['hex-secrets', 'uuid-secrets', 'secret-format'],
    defects: ['token-in-another-case-is-accepted', 'refresh-token-in-another-case-is-accepted'],
    reason: 'The digits of a number are the same in both cases.',
  },
  {
    variations: ['long-secrets'],
    defects: ['code-is-compared-as-far-as-its-sixteenth-character'],
    reason: 'All of its codes begin alike, so that none is found.',
  },
  {
    variations: ['short-lived-codes', 'code-lifetime'],
    defects: ['code-expires-by-the-time-of-day'],
    reason: 'A code expires before the time of day is the same again.',
  },
  {
    variations: ['generated-*'],
    defects: ['failed-client-authentication-has-a-code'],
    reason: 'The member for the error is called code in this dialect, so that it is given.',
  },
  {
    variations: ['new-grant-ends-older'],
    defects: [
      'TOK-62',
      'used-code-is-forgotten-after-a-day',
      'late-refresh-keeps-the-access-token',
      'new-grant-revives-the-expired-token',
      'nobody-is-asked-to-log-in',
      'refresh-of-the-own-consent-refreshes-the-named-one-too',
      'expired-token-has-status-403-from-the-second-call-on',
    ],
    reason:
      'A later grant of the scenario has ended the code or the token, before the bank answers to it wrongly.',
  },
  {
    variations: ['renewal-outlives-the-token', 'renewal-retires-access', 'tokens-end-with-the-grant'],
    defects: [
      'refresh-takes-an-expired-token-whose-grant-was-renewed',
      'refresh-attempt-revives-the-expired-token',
      'new-grant-revives-the-expired-token',
      'expiry-is-swept-away-after-a-month',
      'refreshed-refresh-token-lives-*',
      'expired-token-has-status-403-from-the-second-call-on',
      'late-refresh-keeps-the-access-token',
      'picked-id-ends-with-a-later-list',
      'late-refusal-carries-a-refresh-token',
      'refresh-token-of-another-customer-lives-a-month',
    ],
    reason: 'The refresh on which the defect depends ends otherwise.',
  },
  {
    variations: ['renewal-outlives-the-token'],
    defects: [
      'granted-consent-is-used-up',
      'consent-serves-two-grants',
      'consent-ends-with-its-tokens',
      'renewal-waits-until-it-is-too-late',
    ],
    reason:
      'A refresh after the 90 days succeeds: no new grant is called for, and a bank may renew only what has expired.',
  },
  {
    variations: ['padded-secrets', 'secret-format'],
    defects: ['longer-code-is-accepted'],
    reason: 'What the check adds stands before the padding, and not behind the code.',
  },
  {
    variations: ['refusals-empty'],
    defects: ['refused-consent-repeats-the-secret', 'unknown-client-is-told-its-secret-in-hidden-form'],
    reason: 'The members of the refusal are removed.',
  },
]
