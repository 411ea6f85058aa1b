import { PAYMENT_ACCOUNTS } from '../../bank/residents.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The payment API of the compact dialect, as its owner would write it into a profile. */

type PaymentsInput = NonNullable<ProfileInput['payments']>

const HEAD = {
  nr: '{instructionIdentification}',
  erstellt: '{creationDateTime}',
  auftraggeber: { name: '{debtorName}', konto: '{debtorIban}' },
}

const TRANSFER = {
  empfaenger: { name: '{creditorName}', konto: '{creditorIban}' },
  betrag: '{amountMinor}',
  waehrung: '{currency}',
  referenz: '{endToEndIdentification}',
  zweck: '{remittanceInformation}',
}

const { creditor, savings, poor, closed, held } = PAYMENT_ACCOUNTS

/** Another current account of the first customer, with money on it, and her name as some systems spell it. */
const DEBTOR = { name: 'Alena Kovacova', iban: 'SK9798010000002600003300' }

/** A customer of the bank, as a payee. */
const CREDITOR = { name: 'Boris Horváth & Sons', iban: 'SK9098010000002900004444' }

/** The creditor's, with wrong check digits. */
const MISTYPED = creditor.iban.replace(/^(..)../, '$199')

const NIGHT = '20:30'

const party = ({ name, iban }: { readonly name: string; readonly iban: string }) => ({ name, konto: iban })

export const compactPayments: PaymentsInput = {
  application: 'Orchard Foods Treasury',
  basePaths: { sandbox: '/zahlungsverkehr/test', production: '/zahlungsverkehr' },
  oauthBasePaths: { sandbox: '/freigabe/test', production: '/freigabe' },
  requestIdHeader: 'Vorgang',
  token: {
    path: '/oauth/v2/schluessel',
    form: { grant_type: 'client_credentials', scope: 'zahlungen' },
    credentials: 'form',
  },
  authorize: { path: '/oauth/v2/genehmigung', scope: 'zahlung', parameter: 'auftrag' },
  initiations: [
    { name: 'sofort', path: '/auftraege/sofort', body: { ...HEAD, ...TRANSFER } },
    {
      name: 'termin',
      path: '/auftraege/termin',
      body: { ...HEAD, ...TRANSFER, termin: '{date}' },
      future: true,
    },
    {
      name: 'sammler',
      path: '/auftraege/sammler',
      body: { ...HEAD, posten: [TRANSFER], summe: '{amountMinor}' },
    },
  ],
  status: { path: '/auftraege/{orderId}/stand' },
  submission: { path: '/auftraege/ausfuehrung' },
  debtor: DEBTOR,
  creditor: CREDITOR,
  amount: 0.5,
  hours: { from: '07:00', to: '15:00' },
  rejectedAtSubmission: { TM01: { method: 'sofort', change: { zweck: 'Nachts' }, at: NIGHT } },
  provocations: {
    AC01: { change: { empfaenger: { konto: MISTYPED } } },
    AC04: { change: { empfaenger: party(closed) } },
    AG01: { change: { auftraggeber: party(savings) } },
    AM03: { change: { waehrung: 'USD' } },
    AM04: { change: { auftraggeber: party(poor) } },
    AM05: { twice: true },
    AM09: { change: { vereinbart: 100, vereinbarteWaehrung: 'EUR' } },
    AM10: { method: 'sammler', change: { summe: 9999 } },
    DT01: { method: 'termin', change: { termin: '2020-01-03' } },
    MS03: { change: { empfaenger: party(held) } },
    RC01: { change: { empfaenger: { bic: 'REF9SKBX1' } } },
    RR03: { change: { empfaenger: { name: ' ' } } },
    TM01: { at: NIGHT },
  },
}
