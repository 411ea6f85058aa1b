import { PAYMENT_ACCOUNTS } from '../bank/residents.ts'
import type { ProfileInput } from '../profile/schema.ts'

/** The payment API of the reference bank, as its owner would write it into a profile. */

type PaymentsInput = NonNullable<ProfileInput['payments']>

const PARTIES = {
  debtor: { name: '{debtorName}', iban: '{debtorIban}' },
  creditor: { name: '{creditorName}', iban: '{creditorIban}' },
}

const IDENTIFIERS = {
  instructionIdentification: '{instructionIdentification}',
  creationDateTime: '{creationDateTime}',
}

const AMOUNT = { value: '{amount}', currency: '{currency}' }

const TEXTS = {
  endToEndIdentification: '{endToEndIdentification}',
  remittanceInformation: '{remittanceInformation}',
}

const ORDER = { ...IDENTIFIERS, ...PARTIES, instructedAmount: AMOUNT, ...TEXTS }

const INITIATIONS: PaymentsInput['initiations'] = [
  { name: 'ecomm', path: '/payments/ecomm/sba', body: ORDER },
  {
    name: 'standard',
    path: '/payments/standard/sba',
    body: { ...ORDER, requestedExecutionDate: '{date}' },
    future: true,
  },
  {
    name: 'batch',
    path: '/payments/batch/sba',
    body: {
      ...IDENTIFIERS,
      debtor: PARTIES.debtor,
      transfers: [{ creditor: PARTIES.creditor, instructedAmount: AMOUNT, ...TEXTS }],
      controlSum: '{amount}',
    },
  },
]

const { debtor, creditor, savings, poor, closed, held } = PAYMENT_ACCOUNTS

/** The creditor's, with wrong check digits. */
const MISTYPED = creditor.iban.replace(/^(..)../, '$199')

/** After the cut-off time of the reference bank. */
const NIGHT = '21:00'

export const paymentsOfReference = (): PaymentsInput => ({
  initiations: INITIATIONS,
  debtor,
  creditor,
  hours: { from: '06:00', to: '16:00' },
  rejectedAtSubmission: { TM01: { at: NIGHT } },
  provocations: {
    AC01: { change: { creditor: { iban: MISTYPED } } },
    AC04: { change: { creditor: closed } },
    AG01: { change: { debtor: savings } },
    AM03: { change: { instructedAmount: { currency: 'USD' } } },
    AM04: { change: { debtor: poor } },
    AM05: { twice: true },
    AM09: { change: { agreedAmount: { value: 1, currency: 'EUR' } } },
    AM10: { method: 'batch', change: { controlSum: 99.99 } },
    DT01: { method: 'standard', change: { requestedExecutionDate: '2020-01-03' } },
    MS03: { change: { creditor: held } },
    RC01: { change: { creditor: { bic: 'REF9SKBX1' } } },
    RR03: { change: { creditor: { name: ' ' } } },
    TM01: { at: NIGHT },
  },
})
