import { PAYMENT_ACCOUNTS } from '../../bank/residents.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The payment API of the nested dialect, as its owner would write it into a profile. */

type PaymentsInput = NonNullable<ProfileInput['payments']>

const SUM = { value: '{amountText}', currency: '{currency}' }

const DEBTOR = { name: '{debtorName}', iban: '{debtorIban}' }
const CREDITOR = { name: '{creditorName}', iban: '{creditorIban}' }

const TEXTS = { endToEnd: '{endToEndIdentification}', text: '{remittanceInformation}' }

const orderOf = (attributes: Readonly<Record<string, unknown>> = {}) => ({
  data: {
    id: '{instructionIdentification}',
    type: 'payment',
    attributes: { created: '{creationDateTime}', sum: SUM, ...TEXTS, ...attributes },
    relationships: { debtor: DEBTOR, creditor: CREDITOR },
  },
})

const BULK = {
  data: {
    id: '{instructionIdentification}',
    type: 'bulk',
    attributes: { created: '{creationDateTime}', total: '{amountText}' },
    relationships: { debtor: DEBTOR },
    positions: [{ creditor: CREDITOR, sum: SUM, ...TEXTS }],
  },
}

const { debtor, creditor, savings, poor, closed, held } = PAYMENT_ACCOUNTS

/** The creditor's, with wrong check digits. */
const MISTYPED = creditor.iban.replace(/^(..)../, '$199')

/** After the cut-off time of the reference bank. */
const NIGHT = '20:15'

type Change = Readonly<Record<string, unknown>>

const related = (relationships: Change) => ({ change: { data: { relationships } } })
const attributed = (attributes: Change) => ({ change: { data: { attributes } } })

export const nestedPayments: PaymentsInput = {
  basePaths: { sandbox: '/open/pis-sandbox', production: '/open/pis' },
  oauthBasePaths: { sandbox: '/login-sandbox', production: '/login' },
  requestIdHeader: 'Idempotency-Key',
  token: {
    path: '/connect/v2/token',
    form: { grant_type: 'client_credentials', scope: 'payments:write' },
  },
  authorize: { path: '/connect/v2/authorize', scope: 'payments:write', parameter: 'payment_id' },
  initiations: [
    { name: 'instant', path: '/payments/instant', body: orderOf() },
    { name: 'dated', path: '/payments/dated', body: orderOf({ due: '{date}' }), future: true },
    { name: 'bulk', path: '/payments/bulk', body: BULK },
  ],
  status: { path: '/payments/{orderId}' },
  submission: { path: '/submissions', token: 'client', body: { data: { payment: { id: '{orderId}' } } } },
  debtor,
  creditor,
  amount: 2,
  hours: { from: '08:30', to: '14:30' },
  rejectedAtSubmission: { TM01: { at: NIGHT } },
  provocations: {
    AC01: related({ creditor: { iban: MISTYPED } }),
    AC04: related({ creditor: closed }),
    AG01: related({ debtor: savings }),
    AM03: attributed({ sum: { currency: 'USD' } }),
    AM04: related({ debtor: poor }),
    AM05: { twice: true },
    AM09: attributed({ agreed: { value: '1.00', currency: 'EUR' } }),
    AM10: { method: 'bulk', ...attributed({ total: '99.99' }) },
    DT01: { method: 'dated', ...attributed({ due: '2020-01-03' }) },
    MS03: related({ creditor: held }),
    RC01: related({ creditor: { bic: 'REF9SKBX1' } }),
    RR03: related({ creditor: { name: ' ' } }),
    TM01: { at: NIGHT },
  },
}
