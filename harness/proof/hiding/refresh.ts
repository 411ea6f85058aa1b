import type { Hiding } from './entry.ts'

/** What hides defects of refreshes. */
export const HIDING_REFRESH: readonly Hiding[] = [
  {
    variations: ['other-banks-are-watched'],
    defects: [
      'refresh-updates-once',
      'refresh-updates-nothing',
      'refresh-updates-one-bank-alone',
      'refresh-leaves-the-first-bank-out',
      'data-come-two-days-after-finished',
      'finished-is-reported-*',
    ],
    reason: 'A booking at another bank is known before the refresh.',
  },
  {
    variations: ['refresh-ignores-the-body'],
    defects: [
      'refresh-takes-any-consent',
      'refresh-takes-consents-of-*',
      'refresh-takes-the-newest-consent',
      'refresh-takes-unknown-consents',
      'refresh-in-the-sandbox-takes-tokens-of-production-for-its-consents',
      'refused-refresh-is-a-server-error',
    ],
    reason: 'The consent that a request names is not read: that of the token is refreshed.',
  },
  {
    variations: ['new-grant-ends-older'],
    defects: ['refused-refresh-of-another-consent-is-carried-out'],
    reason:
      'The tokens of the consent that the request names have ended, and the other customer has no account at another bank.',
  },
  {
    variations: ['refresh-joins-the-one-under-way', 'refresh-refused-if-too-soon'],
    defects: ['task-ids-of-each-application-begin-at-41'],
    reason: 'The refreshes that are to make the counts meet start no tasks of their own.',
  },
  {
    variations: ['refusals-empty', 'refusals-as-pages'],
    defects: ['refresh-answered-with-404', 'second-refresh-answered-with-409', 'rejection-is-unprocessable'],
    reason: 'What an answer with the status of a refusal tells is removed.',
  },
]
