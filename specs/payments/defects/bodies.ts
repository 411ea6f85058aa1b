import type { Defect } from '../../../harness/bank/defect.ts'
import { readingInitiations, rewording } from './wires.ts'
import type { Asked, Members, Said } from './wires.ts'
import { PAY } from '../requirements.ts'

const altering = (alter: (order: Members) => Members) =>
  readingInitiations((body) => {
    try {
      const order: unknown = JSON.parse(body)
      return typeof order === 'object' && order !== null && !Array.isArray(order)
        ? JSON.stringify(alter(order as Members))
        : body
    } catch {
      return body
    }
  })

const amountOf = ({ instructedAmount }: Members): Members => (instructedAmount ?? {}) as Members

const withAmount = (order: Members, value: unknown): Members => ({
  ...order,
  instructedAmount: { ...amountOf(order), value },
})

const LONGEST = 140

const malformed: readonly Defect[] = [
  {
    id: 'sign-of-an-amount-is-dropped',
    story: 'An amount below zero is taken without its sign.',
    breaks: [PAY.malformedInitiationIsNotAccepted],
    wire: altering((order) => {
      const { value } = amountOf(order)
      return typeof value === 'number' && value < 0 ? withAmount(order, -value) : order
    }),
  },
  {
    id: 'missing-amount-is-one',
    story: 'A payment without an amount is one of 1 EUR.',
    breaks: [PAY.malformedInitiationIsNotAccepted],
    wire: altering((order) =>
      'instructedAmount' in order && amountOf(order).value === undefined ? withAmount(order, 1) : order,
    ),
  },
  {
    id: 'missing-creditor-account-is-that-of-the-debtor',
    story: 'A payment that names no account of the creditor goes back to the debtor.',
    breaks: [PAY.malformedInitiationIsNotAccepted],
    wire: altering((order) => {
      const [creditor, debtor] = [order.creditor, order.debtor] as readonly (Members | undefined)[]
      return creditor !== undefined && creditor.iban === undefined
        ? { ...order, creditor: { ...creditor, iban: debtor?.iban } }
        : order
    }),
  },
  {
    id: 'long-text-is-cut',
    story: 'A remittance text of any length is accepted, and cut.',
    breaks: [PAY.oversizedTextIsNotAccepted],
    wire: altering((order) =>
      typeof order.remittanceInformation === 'string'
        ? { ...order, remittanceInformation: order.remittanceInformation.slice(0, LONGEST) }
        : order,
    ),
  },
]

const BROKEN: Said = { status: 500, body: { errorCode: 'INTERNAL_ERROR', errorDescription: 'TypeError' } }

const breakingDown = (isMeant: (asked: Asked, said: Said) => boolean) =>
  rewording(
    () => (said, asked) => (asked.operation === 'initiation' && isMeant(asked, said) ? BROKEN : undefined),
  )

const orderIn = ({ body }: Asked): Members => {
  try {
    const order: unknown = JSON.parse(body)
    return typeof order === 'object' && order !== null ? (order as Members) : {}
  } catch {
    return {}
  }
}

const partyIn = (asked: Asked, name: 'creditor' | 'debtor'): string =>
  String((orderIn(asked)[name] as Members | undefined)?.name)

const breakdowns: readonly Defect[] = [
  {
    id: 'empty-list-breaks-the-bank',
    story: 'The bank breaks down over a body that is an empty list.',
    breaks: [PAY.malformedInitiationIsNoBreakdown],
    wire: breakingDown(({ body }) => body === '[]'),
  },
  {
    id: 'broken-json-breaks-the-bank',
    story: 'The bank breaks down over a body that is no JSON.',
    breaks: [PAY.malformedInitiationIsNoBreakdown],
    wire: breakingDown(({ body }) => body.startsWith('{') && !body.endsWith('}')),
  },
  {
    id: 'amount-of-a-billion-breaks-the-bank',
    story: 'The bank breaks down over amounts from 1,000,000,000 on.',
    breaks: [PAY.lawfulInitiationIsNoBreakdown],
    wire: breakingDown((asked) => Number(amountOf(orderIn(asked)).value) >= 1_000_000_000),
  },
  {
    id: 'slovak-letters-break-the-bank',
    story: 'The bank breaks down over the letters ĺ, ľ and ŕ in the name of the creditor.',
    breaks: [PAY.lawfulInitiationIsNoBreakdown],
    wire: breakingDown((asked) => /[ĺľŕ]/.test(partyIn(asked, 'creditor'))),
  },
  {
    id: 'long-name-breaks-the-bank',
    story: 'The bank breaks down over a name of more than 60 characters.',
    breaks: [PAY.lawfulInitiationIsNoBreakdown],
    wire: breakingDown((asked) => partyIn(asked, 'debtor').length > 60),
  },
  {
    id: 'quote-in-a-text-breaks-the-bank',
    story: "The bank breaks down over a ' in the remittance information.",
    breaks: [PAY.lawfulInitiationIsNoBreakdown],
    wire: breakingDown((asked) => String(orderIn(asked).remittanceInformation).includes("'")),
  },
]

export const defectsOfBodies: readonly Defect[] = [...malformed, ...breakdowns]
