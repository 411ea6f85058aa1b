import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { createRedactor } from '../redaction.ts'
import type { Exchange } from '../exchange.ts'

const IBAN = 'SK2998010000002600001129'
const UNCHECKED = 'XX0012345678901234'

const SETTINGS = {
  personalData: 'pseudonyms',
  applications: [{ clientSecret: 'shop-secret-1' }],
  customers: [{ accounts: [{ iban: UNCHECKED }] }],
} as const

const answered = (operation: string, body: unknown, status = 200): Exchange => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    ...sampleExchange(),
    operation,
    response: { status, headers: [], body: { text, bytes: Buffer.byteLength(text) } },
  }
}

const shown = (exchange: Exchange, redactor = createRedactor([], SETTINGS)): string =>
  redactor.exchange(exchange).response?.body.text ?? ''

const PAGE = {
  transactions: [
    {
      transactionId: '9b1c0a52-0c2d-4f0b-9f5e-0a64e4f5ed7a',
      creditorName: 'Jana Nováková',
      creditorAccount: { iban: IBAN },
      amount: 12.5,
      bookingDate: '2026-01-05',
      remittanceInformationUnstructured: 'Rent for May',
      description: 'Paid to Jana Nováková',
    },
  ],
  account: { name: 'Alena Malá', product: 'Current account' },
  bank: { name: 'Reference Bank' },
  bankName: 'Reference Bank',
}

describe('the data of accounts', () => {
  test('loses names, account numbers and texts, and nothing else', () => {
    const text = shown(answered('listTransactions', PAGE))
    for (const personal of ['Jana', 'Alena', IBAN, 'Rent']) expect(text).not.toContain(personal)
    const [transaction] = PAGE.transactions
    expect(JSON.parse(text)).toEqual({
      ...PAGE,
      transactions: [
        {
          ...transaction,
          creditorName: expect.stringMatching(/^\[name:[\da-f]{10}\]$/) as string,
          creditorAccount: { iban: expect.stringMatching(/^\[account:[\da-f]{10}\]$/) as string },
          remittanceInformationUnstructured: expect.stringMatching(/^\[text:/) as string,
          description: expect.stringMatching(/^\[text:/) as string,
        },
      ],
      account: { ...PAGE.account, name: expect.stringMatching(/^\[name:/) as string },
    })
  })

  test('is kept if the profile says so, and where there is no profile', () => {
    const page = answered('listTransactions', PAGE)
    expect(createRedactor([], { ...SETTINGS, personalData: 'kept' }).exchange(page)).toEqual(page)
    expect(createRedactor([]).exchange(page)).toEqual(page)
  })
})

test('the profile names members and parties that have other names at this bank', () => {
  const payments = {
    debtor: { name: 'Alena Malá' },
    creditor: { name: 'Jana Nováková' },
    initiations: [{ body: { posten: [{ zweck: '{remittanceInformation}', konto: '{creditorIban}' }] } }],
  }
  const settings = { ...SETTINGS, payments, personalMembers: { Meno: 'name' } } as const
  const text = shown(
    answered('paymentStatus', {
      zweck: 'Rent for May',
      konto: '19-2000145399/0800',
      meno: 'Cyril',
      text: 'Jana Nováková is paid',
      stadt: 'Praha',
    }),
    createRedactor([], settings),
  )
  expect(JSON.parse(text)).toEqual({
    zweck: expect.stringMatching(/^\[text:/) as string,
    konto: expect.stringMatching(/^\[account:/) as string,
    meno: expect.stringMatching(/^\[name:/) as string,
    text: expect.stringMatching(/^\[name:[\da-f]{10}\] is paid$/) as string,
    stadt: 'Praha',
  })
})

test('the same value has the same pseudonym in all scenarios, and another one with other secrets', () => {
  const page = answered('listTransactions', PAGE)
  const again = { ...SETTINGS, applications: [...SETTINGS.applications] }
  const others = { ...SETTINGS, applications: [{ clientSecret: 'another' }] }
  expect(shown(page, createRedactor([], again))).toBe(shown(page))
  expect(shown(page, createRedactor([], others))).not.toBe(shown(page))
})

/** An id of 32 characters, like an orderId, with the check digits of an IBAN. */
const withCheckDigits = (country: string, rest: string): string => {
  const digits = `${rest}${country}00`.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${rest}`
}

test('an id that only has the check digits of an IBAN is no account number', () => {
  const redactor = createRedactor([], SETTINGS)
  for (const country of ['AD', 'BE', 'DE', 'FA']) {
    const orderId = withCheckDigits(country, '0F1A2B3C4D5E6F708192A3B4C5D6')
    expect(redactor.text(`{"orderId":"${orderId}"}`)).toBe(`{"orderId":"${orderId}"}`)
  }
})

test('an IBAN is found in any text, in groups and in any spelling', () => {
  const redactor = createRedactor([], SETTINGS)
  const text = (plain: string): string => redactor.text(plain)
  const pseudonym = text(IBAN)
  expect(pseudonym).toMatch(/^\[account:[\da-f]{10}\]$/)
  expect(text(`Account ${IBAN}, and SK29 9801 0000 0026 0000 1129 AND MORE`)).toBe(
    `Account ${pseudonym}, and ${pseudonym} AND MORE`,
  )
  expect(text(`https://bank/v1?iban=${IBAN}&x=1`)).toBe(`https://bank/v1?iban=${pseudonym}&x=1`)
  expect(text(Buffer.from(`{"iban":"${IBAN}"}`).toString('base64'))).not.toContain('SK')
  expect(text(UNCHECKED)).toMatch(/^\[account:/)
})

test('an id that has no check digits stays, and so do the words of an error', () => {
  const redactor = createRedactor([], SETTINGS)
  const text = (plain: string): string => redactor.text(plain)
  for (const plain of ['SK0098010000002600001129', 'AC01', '9b1c0a52-0c2d-4f0b', 'PREMIUM_AIS'])
    expect(text(plain)).toBe(plain)
  const error = {
    error: 'x',
    error_description: 'no name',
    description: 'No such account',
    message: 'not found',
  }
  expect(shown(answered('readAccount', error, 404))).toBe(JSON.stringify(error))
})

test('a name that was seen in a member is gone from pages and sentences', () => {
  const redactor = createRedactor([], SETTINGS)
  redactor.exchange(answered('listAccounts', PAGE))
  expect(redactor.text('<p>Alena Malá</p>')).toMatch(/^<p>\[name:[\da-f]{10}\]<\/p>$/)
  expect(redactor.sentence(`expected nothing of ${IBAN}`)).toMatch(/^expected nothing of \[account:/)
})
