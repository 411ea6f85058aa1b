import { createHash } from 'node:crypto'
import { BASES } from '../base-paths.ts'
import { calling, translating } from './translate.ts'
import type { Dialect } from '../defect.ts'
import type { Vocabulary, Wording } from './vocabulary.ts'

/** Dialects with generated names and envelopes: one for each number. */

/** The names of a generated dialect. Its profile is generated from the same names. */
export interface GeneratedNames {
  /** The member that contains the whole answer, as a dotted path that ends with a dot; empty for none. */
  readonly envelope: string
  readonly accounts: string
  readonly iban: string
  readonly account: string
  readonly balances: string
  readonly amount: string
  readonly transactions: string
  readonly transactionId: string
  readonly next: string
  readonly refreshToken: string
  readonly consentId: string
  readonly identification: string
  readonly pageSize: string
  readonly page: string
  readonly pageCount: string
  readonly accountId: string
  readonly typedIban: string
  readonly requestId: string
  readonly username: string
  readonly password: string
  readonly decision: string
  /** The index of the table of refusals: statuses and media types. */
  readonly refusal: number
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

const bytesOf = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/** A word of two to four syllables. The number of the name makes the words of one dialect unique. */
const wordOf = (number: number, place: number): string => {
  const [length = 0, ...bytes] = bytesOf(`${number} ${place}`)
  const syllables = bytes.slice(0, 2 + (length % 3)).map((byte) => SYLLABLES[byte % SYLLABLES.length])
  return `${syllables.join('')}${place}`
}

const ENVELOPES = 3

export const generatedNames = (number: number): GeneratedNames => {
  const word = (place: number): string => wordOf(number, place)
  const [depth = 0, refusal = 0] = bytesOf(`${number} envelope`)
  const outer = Array.from({ length: depth % ENVELOPES }, (_, level) => `${word(90 + level)}.`)
  return {
    envelope: outer.join(''),
    accounts: word(1),
    iban: word(2),
    account: word(3),
    balances: word(4),
    amount: word(5),
    transactions: word(6),
    transactionId: word(7),
    next: word(8),
    refreshToken: word(9),
    consentId: word(10),
    identification: word(11),
    pageSize: word(12),
    page: word(13),
    pageCount: word(14),
    accountId: word(15),
    typedIban: word(16),
    requestId: `x-${word(17)}`,
    username: word(18),
    password: word(19),
    decision: word(20),
    refusal: refusal % REFUSALS.length,
  }
}

const REFUSALS: readonly Pick<Vocabulary['refusals'], 'statuses' | 'mediaType'>[] = [
  { statuses: {}, mediaType: 'application/json' },
  { statuses: { 403: 404, 409: 422 }, mediaType: 'application/problem+json' },
  { statuses: { 400: 422, 409: 400 }, mediaType: 'application/vnd.api+json' },
]

const operationsOf = (names: GeneratedNames): Vocabulary['operations'] => {
  const within = (name: string): string => names.envelope + name
  const naming: Wording = { accountId: names.accountId, iban: names.typedIban }
  return {
    token: {
      form: { refresh_token: names.refreshToken },
      tells: { refresh_token: names.refreshToken },
    },
    listAccounts: {
      tells: {
        accounts: { at: within(names.accounts), words: { 'accountReference.iban': names.iban } },
      },
    },
    readAccount: {
      tells: {
        'account.balances': {
          at: within(names.balances),
          words: { 'balanceAmount.amount': names.amount },
        },
        'account.accountReference.iban': within(names.iban),
        account: within(names.account),
      },
    },
    listTransactions: {
      tells: {
        transactions: { at: within(names.transactions), words: { transactionId: names.transactionId } },
        '_links.next.href': within(names.next),
      },
    },
    refresh: { asks: { consentId: within(names.consentId) } },
    listInSecond: {
      tells: {
        accounts: {
          at: within(names.accounts),
          words: { identification: names.identification, iban: names.iban },
        },
      },
    },
    readInSecond: {
      asks: naming,
      tells: {
        'account.iban': within(names.iban),
        account: within(names.account),
        balances: { at: within(names.balances), words: { 'amount.value': names.amount } },
      },
    },
    searchInSecond: {
      asks: { ...naming, pageSize: names.pageSize, page: names.page },
      tells: {
        transactions: { at: within(names.transactions), words: { transactionId: names.transactionId } },
        pageCount: within(names.pageCount),
      },
    },
  }
}

const ID = /^generated-(\d+)$/

/** The number in the id of a generated dialect; undefined for any other id. */
export const generatedNumber = (id: string): number | undefined => {
  const digits = ID.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const generatedDialect = (number: number): Dialect => {
  const names = generatedNames(number)
  const vocabulary: Vocabulary = {
    places: { bases: BASES, paths: {} },
    headers: { accounts: { 'x-request-id': names.requestId }, second: { 'request-id': names.requestId } },
    operations: operationsOf(names),
    refusals: { words: {}, ...(REFUSALS[names.refusal] ?? { statuses: {}, mediaType: 'application/json' }) },
    pages: {
      fields: { username: names.username, password: names.password, decision: names.decision },
      values: {},
      rewrites: [],
    },
    events: {},
  }
  return {
    id: `generated-${number}`,
    story: `Members, parameters and form fields have generated names${names.envelope === '' ? '' : `, in an envelope ${names.envelope}`}.`,
    bases: BASES,
    wire: translating(vocabulary),
    calls: calling(vocabulary.events),
  }
}
