import type { Hiding } from './entry.ts'

/** What hides defects of environments and paths. */
export const HIDING_ENVIRONMENTS: readonly Hiding[] = [
  {
    variations: ['generated-*'],
    defects: [
      'basic-header-is-not-read',
      'initiation-is-not-found',
      'authorization-takes-post-alone',
      'list-has-status-404',
      'detail-has-status-404',
      'second-list-has-status-404',
      'information-has-status-404',
      'pages-have-status-404',
      'numbered-pages-have-status-404',
      'account-detail-of-production-has-moved',
      'transactions-of-production-have-moved',
      'transactions-of-the-second-variant-of-production-have-moved',
      'submission-of-production-has-moved',
      'loans-are-served-elsewhere',
    ],
    reason:
      'The profile names another path or header than the interface, which may be wrong: the run is incomplete.',
  },
  {
    variations: ['accounts-of-production-have-other-ibans'],
    defects: ['unconsented-account-is-listed-in-production', 'task-ids-are-all-alike-in-production'],
    reason: 'The profile of the reference bank knows no account of production.',
  },
  {
    variations: ['order-ids-are-counted-per-environment'],
    defects: ['payment-of-production-is-authorized-in-the-sandbox'],
    reason: 'A payment of the sandbox has the same orderId.',
  },
  {
    variations: ['absolute-addresses'],
    defects: ['base-of-the-login-is-plain-http'],
    reason: 'No address of the page is relative to its base.',
  },
  {
    variations: ['generated-*'],
    defects: [
      'accounts-are-listed-without-a-version',
      'account-detail-needs-no-version',
      'tokens-are-issued-without-a-version',
      'loans-are-calculated-without-a-version',
      'login-is-sent-without-tls',
    ],
    reason:
      'The dialect does not serve a path without its version, and it replaces the address of each form.',
  },
  {
    variations: ['generated-*'],
    defects: ['payment-of-production-is-authorized-in-the-sandbox'],
    reason:
      'A payment that must not be accessed is refused with 404, under a path that may be wrong: the run is incomplete.',
  },
  {
    variations: ['generated-*'],
    defects: ['cancellation-of-loans-has-moved', 'status-of-loans-has-moved'],
    reason: 'The dialect answers 200 to what is not found, at an address of loans as well.',
  },
  {
    variations: ['new-ids-in-each-list'],
    defects: [
      'token-of-the-other-environment-opens-a-detail',
      'loan-token-reads-transactions-in-the-second-variant',
    ],
    reason: 'An id of a later list is that of one token: another token cannot name the account.',
  },
]
