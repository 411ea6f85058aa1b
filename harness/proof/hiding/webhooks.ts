import type { Hiding } from './entry.ts'

/** What hides defects of webhooks. */
export const HIDING_WEBHOOKS: readonly Hiding[] = [
  {
    variations: ['webhook-catches-up'],
    defects: ['webhooks-active-a-minute-after-the-hour', 'webhooks-active-half-a-minute-after-the-hour'],
    reason: 'A booking before the activation is notified after it: a late activation is only a delay.',
  },
  {
    variations: ['refresh-refused-if-too-soon'],
    defects: ['second-refresh-not-notified', 'account-event-of-another-task'],
    reason: 'The second refresh is refused.',
  },
  {
    variations: ['refresh-at-once', 'refresh-finished-alone'],
    defects: [
      'begin-of-a-refresh-is-reported-under-the-first-consent',
      'task-id-of-the-beginning-in-capitals',
      'task-status-of-the-beginning-is-a-number',
      'account-event-of-the-beginning-without-*',
      'event-type-of-accounts-is-null-at-first',
    ],
    reason: 'The first event of a refresh reports its end.',
  },
  {
    variations: ['numeric-task-ids', 'task-id-format'],
    defects: ['task-id-of-the-beginning-in-capitals'],
    reason: 'A taskId without small letters is the same in capitals.',
  },
  {
    variations: ['account-events-of-changed-accounts'],
    defects: ['event-type-of-accounts-is-null-at-first'],
    reason: 'Until the refresh is FINISHED, no account has changed, and none is named.',
  },
  {
    variations: ['account-ids-per-consent'],
    defects: ['accounts-of-all-customers-notified'],
    reason: 'An account that the consent does not open is named by an id that no list has.',
  },
]
