import type { ProfileInput } from '../profile/schema.ts'

/** The sandbox of loans at the reference bank, as its owner would write it into a profile. */

type LoansInput = NonNullable<ProfileInput['loans']>

const ORDER = {
  orderNo: '{orderNo}',
  totalAmount: '{amount}',
  orderItems: [{ name: 'Bicycle', quantity: 1, price: '{amount}' }],
}

const APPLICANT = {
  firstName: 'Anna',
  lastName: 'Nováková',
  email: 'anna@shop.example',
  phone: '+421900000001',
}

export const loansOfReference = (): LoansInput => ({
  precalculation: {
    cause: { tooLow: 'LOAN_AMNT_LOW', tooHigh: 'LOAN_AMNT_HIGH', insufficient: 'INSUFFICIENT_CAPACITY' },
  },
  submission: { body: { financeApplication: { order: ORDER, applicant: APPLICANT } } },
  scenario: {
    kind: 'page',
    pages: [
      { when: 'button[name=scenario]', press: 'button[name=scenario][value="{scenario}"]' },
      // Whatever else comes is agreed to.
      { when: 'form', press: 'button[type=submit]' },
    ],
  },
  status: { code: 'resultCode' },
})
