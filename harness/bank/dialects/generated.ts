import { createHash } from 'node:crypto'
import { calling, translating } from './translate.ts'
import { decimalText, fromZero, hundredths, words } from './conversions.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { FieldMap } from './json.ts'
import type { Bases } from '../base-paths.ts'
import type { Dialect, RuleChange } from '../defect.ts'
import type { OperationName } from './addresses.ts'

/**
 * Dialects with generated names, envelopes, paths and forms: one for each number. Wherever the interface leaves several
 * forms, the remainder of the number selects one of three: three consecutive numbers have all of them.
 */

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

/** What has a name of its own. */
const NAMED = [
  ...['accounts', 'iban', 'account', 'balances', 'amount', 'transactions', 'transactionId', 'next'],
  ...['refreshToken', 'consentId', 'identification', 'pageSize', 'page', 'pageCount', 'accountId'],
  ...['typedIban', 'requestId', 'username', 'password', 'decision', 'code', 'cause', 'mark', 'envelope'],
  ...['instruction', 'created', 'debtor', 'creditor', 'party', 'value', 'currency', 'endToEnd', 'text'],
  ...['agreed', 'agreedCurrency', 'due', 'total', 'transfers', 'orderId', 'scope', 'place', 'loanAmount'],
  ...['income', 'expenses', 'children', 'offers', 'result', 'orderNo', 'items', 'applicant', 'scenario'],
  ...['applicationId', 'status', 'process', 'resultCode', 'address', 'outer'],
] as const

type Name = (typeof NAMED)[number]

const FORMS = [0, 1, 2] as const

/** The names of a generated dialect. Its profile is generated from the same names. */
export interface GeneratedNames extends Readonly<Record<Name, string>> {
  readonly form: (typeof FORMS)[number]
  /** The path of a member of an answer, in the envelope that contains the whole answer. */
  readonly within: (name: string) => string
}

const bytesOf = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/** A word of two to four syllables. The number of the name makes the words of one dialect unique. */
const wordOf = (number: number, place: number): string => {
  const [length = 0, ...bytes] = bytesOf(`${number} ${place}`)
  const syllables = bytes.slice(0, 2 + (length % 3)).map((byte) => SYLLABLES[byte % SYLLABLES.length])
  return `${syllables.join('')}${place}`
}

const ENVELOPES = 3

export const generatedNames = (number: number): GeneratedNames => {
  const entries = NAMED.map((name, place) => [name, wordOf(number, place)] as const)
  const names = Object.fromEntries(entries) as Record<Name, string>
  const [depth = 0] = bytesOf(`${number} envelope`)
  const envelope = [names.outer, names.envelope].slice(0, depth % ENVELOPES)
  return {
    ...names,
    requestId: `x-${names.requestId}`,
    address: `x-${names.address}`,
    form: FORMS[number % FORMS.length] ?? 0,
    within: (name) => [...envelope, name].join('.'),
  }
}

export const basesOf = ({ place }: GeneratedNames): Bases => {
  const both = (api: string) => ({ sandbox: `/${place}/${api}-test`, production: `/${place}/${api}` })
  return {
    accounts: both('a'),
    second: both('s'),
    payments: both('p'),
    oauth: both('o'),
    loans: { sandbox: `/${place}/l` },
  }
}

/** The paths of a dialect, below its base paths. */
export const pathsOf = ({ place }: GeneratedNames) =>
  ({
    listInSecond: `/v1/${place}`,
    readInSecond: `/v1/${place}/one`,
    searchInSecond: `/v1/${place}/all`,
    ecomm: '/payments/ecomm/sba',
    standard: `/payments/${place}`,
    batch: `/payments/${place}/many`,
    authorizePayment: `/${place}/v2/authorize`,
    paymentToken: `/${place}/v2/token`,
    selectScenario: `/v1/applications/{id}/${place}`,
  }) as const satisfies Partial<Record<OperationName, string>>

/** The values of the dialect for the scenarios of a loan and for the causes of a negative calculation. */
export const scenariosOf = ({ scenario }: GeneratedNames) => ({
  cancelled: `${scenario}-a`,
  expired: `${scenario}-b`,
  nonClient: `${scenario}-c`,
  client: `${scenario}-d`,
})

export const causesOf = ({ cause }: GeneratedNames) => ({
  tooLow: `${cause}-a`,
  tooHigh: `${cause}-b`,
  insufficient: `${cause}-c`,
})

const amountAt = ({ form }: GeneratedNames, at: string): FieldMap[string] => {
  const as = [undefined, hundredths, decimalText][form]
  return as === undefined ? at : { at, as }
}

const transferOf = (names: GeneratedNames, within: GeneratedNames['within']): FieldMap => ({
  creditor: { at: within(names.creditor), words: { iban: names.party } },
  'instructedAmount.value': amountAt(names, within(names.value)),
  'instructedAmount.currency': within(names.currency),
  endToEndIdentification: within(names.endToEnd),
  remittanceInformation: within(names.text),
})

/** The members of a payment order. */
export const orderFields = (names: GeneratedNames): FieldMap => {
  const { within } = names
  return {
    instructionIdentification: within(names.instruction),
    creationDateTime: within(names.created),
    debtor: { at: within(names.debtor), words: { iban: names.party } },
    'agreedAmount.value': amountAt(names, within(names.agreed)),
    'agreedAmount.currency': within(names.agreedCurrency),
    requestedExecutionDate: within(names.due),
    controlSum: amountAt(names, within(names.total)),
    transfers: { at: within(names.transfers), words: transferOf(names, (name) => name) },
    ...transferOf(names, within),
  }
}

/** The members of a calculation and of an application for a loan. */
export const loanFields = ({ within, ...names }: GeneratedNames): FieldMap => ({
  loanAmount: within(names.loanAmount),
  'capacityInfo.monthlyIncome': within(names.income),
  'capacityInfo.monthlyExpenses': within(names.expenses),
  'capacityInfo.numberOfChildren': within(names.children),
  'financeApplication.order.orderNo': within(names.orderNo),
  'financeApplication.order.totalAmount': within(names.loanAmount),
  'financeApplication.order.orderItems': within(names.items),
  'financeApplication.applicant': within(names.applicant),
})

/** Members whose names the interface gives: only the envelope is around them. */
const enveloped = ({ within }: GeneratedNames, ...names: readonly string[]): FieldMap =>
  Object.fromEntries(names.map((name) => [name, within(name)]))

const paymentsIn = (names: GeneratedNames): Vocabulary['operations'] => {
  const scope = { at: 'scope', as: words({ PISP: names.scope }) }
  const response = enveloped(
    names,
    ...['orderId', 'status', 'reasonCode', 'additionalInformation', 'statusDateTime'],
  )
  const request = orderFields(names)
  return {
    paymentToken: { form: { scope }, response: { scope } },
    authorizePayment: { query: { orderId: names.orderId, scope } },
    ecomm: { request, response },
    standard: { request, response },
    batch: { request, response },
    paymentStatus: { response },
    submitPayment: { response },
  }
}

const loansIn = (names: GeneratedNames): Vocabulary['operations'] => {
  const { form, within } = names
  const { cancelled: CANCELLED, expired: EXPIRED, nonClient: NON_CLIENT, client: CLIENT } = scenariosOf(names)
  const scenario = {
    at: within(names.scenario),
    as: words({ CANCELLED, EXPIRED, NON_CLIENT, CLIENT }),
  }
  const causes = causesOf(names)
  const cause = words({
    LOAN_AMNT_LOW: causes.tooLow,
    LOAN_AMNT_HIGH: causes.tooHigh,
    INSUFFICIENT_CAPACITY: causes.insufficient,
  })
  const request = loanFields(names)
  const response = {
    applicationId: within(names.applicationId),
    applicationStatus: within(names.status),
    applicationProcessUrl: within(names.process),
    resultCode: within(names.resultCode),
  }
  return {
    ...(form === 1 && { loanToken: { marks: { [names.mark]: names.mark } } }),
    precalculateLoan: {
      request,
      response: { $: within(names.offers) },
      refusal: { errorCode: { at: within(names.cause), as: cause } },
      ...(form === 1 && {
        adds: { granted: { [names.result]: 'a' }, refused: { [names.result]: 'b' } },
      }),
      ...(form !== 0 && { statuses: { 422: 200 } }),
    },
    applyForLoan: { request: { ...request, scenario }, response },
    selectScenario: { request: { scenario } },
    loanStatus: { response },
    cancelLoan: { response },
  }
}

const accountsIn = (names: GeneratedNames): Vocabulary['operations'] => {
  const { form, within } = names
  return {
    token: {
      form: { refresh_token: names.refreshToken },
      response: { refresh_token: names.refreshToken },
    },
    createConsent: { response: enveloped(names, 'consentId'), ...(form === 1 && { statuses: { 201: 200 } }) },
    listAccounts: {
      response: {
        accounts: {
          at: form === 1 ? '$' : within(names.accounts),
          words: { 'accountReference.iban': names.iban },
        },
      },
      ...(form === 1 && { statuses: { 200: 203 } }),
    },
    readAccount: {
      response: {
        'account.balances': {
          at: within(names.balances),
          words: { 'balanceAmount.amount': names.amount },
        },
        'account.accountReference.iban': within(names.iban),
        account: within(names.account),
      },
      ...(form === 1 && { statuses: { 200: 203, 404: 403 } }),
    },
    listTransactions: {
      response: {
        transactions: {
          at: form === 1 ? '$' : within(names.transactions),
          words: { transactionId: names.transactionId },
        },
        '_links.next.href': within(names.next),
      },
      ...(form === 1 && {
        statuses: { 200: 206, 404: 403 },
        marks: { [names.mark]: names.mark },
        linksInHeader: '_links.next.href',
      }),
    },
    refresh: {
      request: { consentId: within(names.consentId) },
      response: enveloped(names, 'taskId'),
      ...(form === 1 && { statuses: { 202: 200 } }),
    },
  }
}

const secondIn = (names: GeneratedNames): Vocabulary['operations'] => {
  const { form, within } = names
  const naming: FieldMap = { accountId: names.accountId, iban: names.typedIban }
  return {
    listInSecond: {
      response: {
        accounts: {
          at: form === 1 ? '$' : within(names.accounts),
          words: { identification: names.identification, iban: names.iban },
        },
      },
    },
    readInSecond: {
      request: naming,
      response: {
        'account.iban': within(names.iban),
        account: within(names.account),
        balances: { at: within(names.balances), words: { 'amount.value': names.amount } },
      },
    },
    searchInSecond: {
      request: {
        ...naming,
        pageSize: names.pageSize,
        page: form === 1 ? { at: names.page, as: fromZero } : names.page,
      },
      response: {
        transactions: { at: within(names.transactions), words: { transactionId: names.transactionId } },
        pageCount: within(names.pageCount),
        nextCursor: within(names.next),
      },
    },
  }
}

const REFUSALS: readonly Pick<Vocabulary['refusals'], 'statuses' | 'mediaType'>[] = [
  { statuses: {}, mediaType: 'application/json' },
  { statuses: { 400: 422, 409: 400 }, mediaType: 'application/problem+json' },
  { statuses: { 403: 404, 409: 422 }, mediaType: 'application/vnd.api+json' },
]

const CURSOR = /^after-([1-9]\d*)$/

/** The second variant has cursors instead of page numbers. */
const cursors: RuleChange = (conforming) => ({
  pageNumber: ({ page }) => {
    if (page === undefined) return 1
    const passed = typeof page === 'string' ? CURSOR.exec(page)?.[1] : undefined
    return passed === undefined ? undefined : Number(passed) + 1
  },
  transactionPageBody: (facts) => {
    if (facts.variant === 'first') return conforming.transactionPageBody(facts)
    const { items, number = 1, pageCount } = facts
    return { transactions: items, nextCursor: number < pageCount ? `after-${number}` : null }
  },
})

/** A refresh needs the address of the customer, and a client may authenticate in the form. */
const otherClients: RuleChange = {
  customerAddressIsAccepted: ({ address }) => address !== undefined,
  clientWithoutBasic: ({ form, clients, endpoint }) =>
    clients.find(
      ({ clientId, secret }) =>
        endpoint === 'token' && form.get('client_id') === clientId && form.get('client_secret') === secret,
    ),
}

const ID = /^generated-(\d+)$/

/** The number in the id of a generated dialect; undefined for any other id. */
export const generatedNumber = (id: string): number | undefined => {
  const digits = ID.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** How the page shows a code. */
const CODES = [
  '<output id="code">$1</output>',
  '<b data-code="x">It is: $1</b>',
  '<input id="shown" value="$1" />',
]

const vocabularyOf = (names: GeneratedNames): Vocabulary => {
  const { form, within } = names
  return {
    places: { bases: basesOf(names), paths: pathsOf(names) },
    headers: {
      accounts: { 'x-request-id': names.requestId, 'psu-ip-address': names.address },
      second: { 'request-id': names.requestId },
      payments: { 'request-id': names.requestId },
      loans: { 'x-request-id': names.requestId },
    },
    operations: { ...accountsIn(names), ...secondIn(names), ...paymentsIn(names), ...loansIn(names) },
    refusals: {
      words: form === 0 ? {} : { errorCode: within(names.code), error: names.code },
      ...(REFUSALS[form] ?? { statuses: {}, mediaType: 'application/json' }),
    },
    pages: {
      fields: { username: names.username, password: names.password, decision: names.decision },
      values: { decision: { grant: `${names.decision}-a`, deny: `${names.decision}-b` } },
      rewrites: [[/<output id="code">([^<]*)<\/output>/, CODES[form] ?? '']],
    },
    events: enveloped(
      names,
      ...['consentId', 'eventType', 'accounts', 'taskId', 'taskStatus', 'bankCode', 'bankName'],
    ),
  }
}

export const generatedDialect = (number: number): Dialect => {
  const names = generatedNames(number)
  const vocabulary = vocabularyOf(names)
  const rules = [undefined, otherClients, cursors][names.form]
  return {
    id: `generated-${number}`,
    title: `Members, parameters, fields and paths have generated names, such as ${names.within(names.account)}; ${['numbers as amounts, and pages', 'bare lists, amounts in hundredths, and links in a header', 'amounts as texts, and cursors'][names.form] ?? ''}.`,
    bases: vocabulary.places.bases,
    ...(rules && { rules }),
    wire: translating(vocabulary),
    calls: calling(vocabulary.events),
  }
}

/** Dialects that are tried by themselves: together they have all forms of generated dialects. */
export const dialects: readonly Dialect[] = [0, 1, 2].map(generatedDialect)
