import { describe, expect, test } from 'vitest'
import { seedData, RESULT_SCREEN } from './seed-data.ts'

const accounts = seedData.customers.flatMap((customer) => customer.accounts)

/** ISO 13616: the first four characters move to the end, letters become numbers, and the remainder is 1. */
const remainder = (iban: string): bigint => {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`
  return BigInt(moved.replace(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`)) % 97n
}

const weighted = (number: string): number => {
  const weights = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1].slice(-number.length)
  return Array.from(number).reduce((sum, digit, place) => sum + Number(digit) * (weights[place] ?? 0), 0)
}

describe('the seed data', () => {
  test.each(accounts)('$name has a Slovak IBAN with valid check digits', ({ iban, bankCode }) => {
    expect(iban).toMatch(/^SK\d{22}$/)
    expect(iban.slice(4, 8)).toBe(bankCode)
    expect(remainder(iban)).toBe(1n)
    expect(weighted(iban.slice(8, 14)) % 11).toBe(0)
    expect(weighted(iban.slice(14)) % 11).toBe(0)
  })

  test('all ids, secrets and names are unique', () => {
    for (const names of [
      accounts.map(({ accountId }) => accountId),
      accounts.map(({ iban }) => iban),
      seedData.clients.map(({ clientId }) => clientId),
      seedData.clients.map(({ secret }) => secret),
      seedData.customers.map(({ username }) => username),
    ]) {
      expect(new Set(names).size).toBe(names.length)
    }
  })

  test('each kind has enough clients, accounts and redirect URIs', () => {
    const kinds = seedData.clients.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'FAC').length).toBeGreaterThanOrEqual(2)
    expect(kinds.filter((kind) => kind === 'TPP').length).toBeGreaterThanOrEqual(2)
    for (const { accounts } of seedData.customers) expect(accounts.length).toBeGreaterThanOrEqual(2)
    for (const { redirectUris } of seedData.clients) {
      expect(redirectUris).toContain(RESULT_SCREEN)
      expect(redirectUris.some((uri) => uri.includes('?'))).toBe(true)
    }
  })
})
