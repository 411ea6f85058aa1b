/** Loans in the words of the nested dialect: the scenario is chosen with a call of its own. */
import { words } from './conversions.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { Wording } from './wording.ts'

const SCENARIO = words({
  CANCELLED: 'cancel',
  EXPIRED: 'expire',
  NON_CLIENT: 'newcomer',
  CLIENT: 'regular',
})

const RECORD: Wording = {
  applicationId: 'data.id',
  applicationStatus: 'data.attributes.state',
  applicationProcessUrl: 'links.process',
  resultCode: 'meta.result',
}

export const nestedLoans: Vocabulary['operations'] = {
  precalculateLoan: {
    asks: {
      loanAmount: 'data.attributes.sum',
      'capacityInfo.monthlyIncome': 'data.attributes.household.income',
      'capacityInfo.monthlyExpenses': 'data.attributes.household.expenses',
      'capacityInfo.numberOfChildren': 'data.attributes.household.children',
    },
    tells: { $: { at: 'data.offers', words: { InstallmentAmount: 'attributes.rate' } } },
    statuses: { 422: 200 },
  },
  applyForLoan: {
    asks: {
      'financeApplication.order.orderNo': 'data.order.id',
      'financeApplication.order.totalAmount': 'data.order.sum',
      'financeApplication.order.orderItems': 'data.order.items',
      'financeApplication.applicant': 'data.applicant',
    },
    tells: RECORD,
    statuses: { 201: 200 },
  },
  selectScenario: { asks: { scenario: { at: 'data.script', as: SCENARIO } } },
  loanStatus: { tells: RECORD, statuses: { 404: 200 } },
  cancelLoan: { tells: RECORD, statuses: { 404: 200, 422: 200 } },
}
