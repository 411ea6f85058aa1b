/** Loans in the words of the compact dialect: the scenario is chosen along with the submission. */
import { words } from './conversions.ts'
import type { Vocabulary } from './vocabulary.ts'

const SCENARIO = words({
  CANCELLED: 'storniert',
  EXPIRED: 'verfallen',
  NON_CLIENT: 'neukunde',
  CLIENT: 'kunde',
})

const CAUSE = words({
  LOAN_AMNT_LOW: 'ZU_WENIG',
  LOAN_AMNT_HIGH: 'ZU_VIEL',
  INSUFFICIENT_CAPACITY: 'NICHT_TRAGBAR',
})

export const compactLoans: Vocabulary['operations'] = {
  loanToken: { marks: { kanal: 'handel' } },
  precalculateLoan: {
    asks: {
      loanAmount: 'kreditbetrag',
      'capacityInfo.monthlyIncome': 'einkommen',
      'capacityInfo.monthlyExpenses': 'ausgaben',
      'capacityInfo.numberOfChildren': 'kinder',
    },
    tells: { $: { at: 'angebote', words: { InstallmentAmount: 'rate', LoanDuration: 'monate' } } },
    refuses: { errorCode: { at: 'grund', as: CAUSE }, errorDescription: 'detail' },
    adds: { granted: { ergebnis: 'ja' }, refused: { ergebnis: 'nein' } },
    statuses: { 422: 200 },
  },
  applyForLoan: {
    asks: {
      'financeApplication.order.orderNo': 'bestellung',
      'financeApplication.order.totalAmount': 'kreditbetrag',
      'financeApplication.order.orderItems': 'waren',
      'financeApplication.applicant': 'antragsteller',
      scenario: { at: 'verlauf', as: SCENARIO },
    },
    tells: { applicationId: 'nr', applicationStatus: 'stand', applicationProcessUrl: 'seite' },
  },
  loanStatus: { tells: { resultCode: 'meldung', applicationStatus: 'stand' } },
  cancelLoan: { tells: { resultCode: 'meldung', applicationStatus: 'stand' } },
}
