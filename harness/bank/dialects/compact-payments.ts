/** Payments in the words of the compact dialect. */
import { hundredths, words } from './conversions.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { Wording } from './wording.ts'

const PARTY: Wording = { iban: 'konto' }

const TRANSFER: Wording = {
  creditor: { at: 'empfaenger', words: PARTY },
  'instructedAmount.value': { at: 'betrag', as: hundredths },
  'instructedAmount.currency': 'waehrung',
  endToEndIdentification: 'referenz',
  remittanceInformation: 'zweck',
}

const MESSAGE: Wording = {
  instructionIdentification: 'nr',
  creationDateTime: 'erstellt',
  debtor: { at: 'auftraggeber', words: PARTY },
  'agreedAmount.value': { at: 'vereinbart', as: hundredths },
  'agreedAmount.currency': 'vereinbarteWaehrung',
  requestedExecutionDate: 'termin',
  controlSum: { at: 'summe', as: hundredths },
}

const SCOPE = words({ PISP: ['zahlungen', 'zahlung'] })

export const compactPayments: Vocabulary['operations'] = {
  paymentToken: {
    form: { scope: { at: 'scope', as: SCOPE } },
    tells: { scope: { at: 'scope', as: SCOPE } },
  },
  authorizePayment: { query: { orderId: 'auftrag', scope: { at: 'scope', as: SCOPE } } },
  ecomm: { asks: { ...MESSAGE, ...TRANSFER } },
  standard: { asks: { ...MESSAGE, ...TRANSFER } },
  batch: { asks: { ...MESSAGE, transfers: { at: 'posten', words: TRANSFER } } },
}
