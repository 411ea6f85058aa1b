import type { Hiding } from './entry.ts'

/** What hides defects of loans. */
export const HIDING_LOANS: readonly Hiding[] = [
  {
    variations: ['loan-token-is-given-once-more', 'loan-token-is-prolonged'],
    defects: ['loan-token-expires-in-an-hour'],
    reason: 'An hour may be the rest of a day for a token that was issued before.',
  },
  {
    variations: ['scripted-precalculations-only'],
    defects: [
      'precalculation-begins-behind-*',
      'precalculation-ends-before-*',
      'amounts-with-an-empty-byte-are-negative',
      'large-loans-need-an-income',
      'household-is-that-of-the-request-before',
      'loan-amount-99-50-is-rounded',
    ],
    reason: 'The bank refuses every amount within the bounds that no scenario has, which is lawful.',
  },
  {
    variations: ['capacity-by-income-and-expenses'],
    defects: ['children-are-ignored', 'capacity-has-to-carry-five-loans'],
    reason: 'With this capacity the scenarios have the same results.',
  },
  {
    variations: ['capacity-by-instalments'],
    defects: ['children-are-ignored', 'expenses-are-ignored', 'expenses-count-as-income'],
    reason: 'With this capacity the scenarios have the same results.',
  },
  {
    variations: ['extra-members'],
    defects: ['application-id-is-left-out'],
    reason: 'Another member may be the application-id, and the profile wrong: the run is incomplete.',
  },
  {
    variations: ['application-ids-are-counted'],
    defects: ['end-of-an-application-id-is-not-read'],
    reason: 'Such an id is too short to have two halves.',
  },
  {
    variations: ['new-loans-cannot-be-canceled', 'loans-can-be-canceled-while-in-progress'],
    defects: [
      'status-follows-the-last-cancellation',
      'cancellation-of-a-new-application-does-nothing',
      'canceled-application-is-expired',
      'second-cancellation-makes-new',
      'end-of-an-application-id-is-not-read',
      'cancellation-on-a-path-does-nothing-while-new',
      'expired-loan-token-cancels',
    ],
    reason: 'No application is canceled while it is NEW.',
  },
  {
    variations: ['loans-can-be-canceled-while-new', 'loans-can-be-canceled-while-in-progress'],
    defects: ['cancellation-of-a-client-to-be-expires'],
    reason: 'No application is canceled while its customer is created.',
  },
  {
    variations: ['loans-can-be-canceled-while-new', 'loans-can-be-canceled-until-in-progress'],
    defects: [
      'application-canceled-in-progress-goes-on',
      'cancellation-in-progress-does-nothing',
      'cancellation-takes-along-the-path',
    ],
    reason: 'No application is canceled while it is in progress.',
  },
  {
    variations: ['loans-can-be-canceled-until-they-end'],
    defects: [
      'client-path-is-never-disbursed',
      'client-path-steps-back',
      'refused-cancellation-of-a-finished-application-cancels',
      'refused-cancellation-begins-anew',
      'refused-cancellation-holds-the-application-up',
    ],
    reason: 'No DELETE is refused before the end of a path.',
  },
  {
    variations: ['generated-*'],
    defects: [
      'applications-begin-in-progress',
      'status-follows-the-last-cancellation',
      'cancellation-of-a-new-application-does-nothing',
      'new-application-is-not-found-by-delete',
      'canceled-application-is-expired',
      'time-begins-with-the-submission',
      'time-of-all-steps-is-counted-in-hours',
      'application-moves-without-a-scenario',
      'late-selection-*',
      'application-without-scenario-is-never-deleted',
    ],
    reason: 'The submission selects the scenario: no application is without one, and none gets it later.',
  },
  {
    variations: ['generated-*'],
    defects: ['canceled-application-is-expired'],
    reason:
      'The scenario of the canceled application cannot be chosen, which may be a matter of the profile: not reached.',
  },
  {
    variations: ['generated-*'],
    defects: ['account-token-cancels-an-application'],
    reason:
      'The profile has another application for loans than the first one, for which the defect takes the caller.',
  },
]
