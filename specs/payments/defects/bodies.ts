import { refusing } from '../../shared/defects.ts'
import { PAY } from '../requirements.ts'
import type { Defect, Exchange, Wire } from '../../../harness/bank/defect.ts'

/** How a bank can word its payment answers wrongly, and take for a payment what is none, without a rule of its own. */

export type Members = Readonly<Record<string, unknown>>

type Operation = 'initiation' | 'status' | 'submission'

/** A payment call on its way to the bank. */
export interface Asked {
  readonly operation: Operation
  /** The last segments of its path: `ecomm/sba`, the orderId, or nothing. */
  readonly method: string
  readonly orderId: string
  readonly body: string
  readonly hasToken: boolean
  /** The token is that of a customer's authorization. */
  readonly isGranted: boolean
  /** Another call of the kind is under way. */
  readonly isConcurrent: boolean
}

/** An answer on its way back. Its body is a JSON object. */
export interface Said {
  readonly status: number
  readonly body: Members
}

/** Called for every payment answer; what it gives replaces what was said. */
type Reword = (said: Said, asked: Asked) => Partial<Said> | undefined

const OPERATIONS: readonly (readonly [Operation, RegExp])[] = [
  ['submission', /\/payments\/(submission)$/],
  ['status', /\/payments\/([^/]+)\/status$/],
  ['initiation', /\/payments\/(\w+\/sba)$/],
]

const operationOf = (url: string): readonly [Operation, string] | undefined => {
  const { pathname } = new URL(url)
  for (const [operation, form] of OPERATIONS) {
    const part = form.exec(pathname)?.[1]
    if (part !== undefined) return [operation, decodeURIComponent(part)]
  }
  return undefined
}

const tokenOf = ({ headers }: Request): string => (headers.get('authorization') ?? '').replace(/^Bearer /, '')

const membersOf = (text: string): Members | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Members) : undefined
  } catch {
    return undefined
  }
}

const reworded = (response: Response, { status, body }: Said): Response => {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers })
}

/** A lawful bank may refuse with a page or with nothing: that says no member. */
const saidIn = async (response: Response): Promise<Members | undefined> => {
  const members = membersOf(await response.clone().text())
  return members === undefined && response.status >= 400 ? {} : members
}

/** Notes the tokens that a customer has granted. */
const listenForGrants = async (
  request: Request,
  next: Exchange,
  granted: Set<unknown>,
): Promise<Response> => {
  const form = request.method === 'POST' ? await request.clone().text() : ''
  const response = await next(request)
  if (form.includes('grant_type=authorization_code'))
    granted.add(membersOf(await response.clone().text())?.access_token)
  return response
}

/** Rewords the answers to payment calls. @param make called once for each bank: what it closes over is that bank's. */
export const rewording =
  (make: () => Reword): Wire =>
  (next) => {
    const reword = make()
    const granted = new Set<unknown>()
    const underWay = { initiation: 0, status: 0, submission: 0 }
    return async (request) => {
      const found = operationOf(request.url)
      if (found === undefined) return listenForGrants(request, next, granted)
      const [operation, part] = found
      const isConcurrent = underWay[operation] > 0
      underWay[operation] += 1
      const body = await request.clone().text()
      const response = await next(request)
      underWay[operation] -= 1
      const members = await saidIn(response)
      if (members === undefined) return response
      const token = tokenOf(request)
      const asked: Asked = {
        operation,
        method: operation === 'initiation' ? part : '',
        orderId: operation === 'status' ? part : '',
        body,
        hasToken: token !== '',
        isGranted: granted.has(token),
        isConcurrent,
      }
      const said = { status: response.status, body: members }
      const changed = reword(said, asked)
      return changed === undefined ? response : reworded(response, { ...said, ...changed })
    }
  }

/** Rewords the records that are such, wherever they are told. */
export const wordingRecords = (
  isMeant: (record: Members, asked: Asked) => boolean,
  change: (record: Members, asked: Asked) => Members,
): Wire =>
  rewording(() => ({ body }, asked) => {
    const isRecord = body.orderId !== undefined && isMeant(body, asked)
    return isRecord ? { body: change(body, asked) } : undefined
  })

export const without = (record: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

/** The record of a payment that is not rejected has no reason. */
export const inState = (record: Members, status: string): Members => ({
  ...without(record, 'reasonCode', 'additionalInformation'),
  status,
})

export const rejectedFor = (record: Members, reasonCode: string): Members => ({
  ...record,
  status: 'RJCT',
  reasonCode,
  additionalInformation: 'The payment cannot be executed.',
})

/** Alters the body of an initiation before the bank reads it. */
const readingInitiations =
  (alter: (body: string) => string): Wire =>
  (next) =>
  async (request) => {
    if (operationOf(request.url)?.[0] !== 'initiation') return next(request)
    const old = await request.clone().text()
    const body = alter(old)
    if (body === old) return next(request)
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    return next(new Request(request.url, { method: 'POST', headers, body }))
  }

/** Gives payments names of its own, and knows them by these. */
export const naming =
  (make: () => (orderId: string, asked: { readonly isConcurrent: boolean }) => unknown): Wire =>
  (next) => {
    const nameOf = make()
    const names = new Map<string, unknown>()
    let underWay = 0
    const realOf = (name: string): string =>
      [...names].find(([, alias]) => String(alias) === name)?.[0] ?? name
    return async (request) => {
      const url = new URL(request.url)
      const found = operationOf(request.url)
      const asked = found?.[0] === 'status' ? found[1] : url.searchParams.get('orderId')
      if (asked !== null && realOf(asked) !== asked)
        return renamed(await next(new Request(readdressed(url, asked, realOf(asked)), request)), names)
      if (found?.[0] !== 'initiation') return renamed(await next(request), names)
      const isConcurrent = underWay > 0
      underWay += 1
      const response = await next(request)
      underWay -= 1
      const orderId = membersOf(await response.clone().text())?.orderId
      if (typeof orderId === 'string') names.set(orderId, nameOf(orderId, { isConcurrent }))
      return renamed(response, names)
    }
  }

const readdressed = (url: URL, name: string, orderId: string): string =>
  url.href
    .replace(`/${encodeURIComponent(name)}/`, `/${orderId}/`)
    .replace(`orderId=${name}`, `orderId=${orderId}`)

const renamed = async (response: Response, names: ReadonlyMap<string, unknown>): Promise<Response> => {
  const body = membersOf(await response.clone().text())
  const name = names.get(String(body?.orderId))
  return body === undefined || name === undefined
    ? response
    : reworded(response, { status: response.status, body: { ...body, orderId: name } })
}

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
    breaks: [PAY.initiationWithoutCreditorIsNotAccepted],
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
    id: 'unknown-order-breaks-the-bank',
    story: 'The status of an orderId that was never issued is always answered with the status 500.',
    // The payment of another application is unknown as well.
    breaks: [PAY.unknownOrderIsRefused, PAY.foreignPaymentIsRefused],
    rules: refusing(({ error }) => error === 'order_unknown', { status: 500 }),
  },
  {
    id: 'unknown-order-is-an-outage',
    story: 'The status of an orderId that was never issued is always answered with the status 503.',
    breaks: [PAY.unknownOrderIsRefused, PAY.foreignPaymentIsRefused],
    rules: refusing(({ error }) => error === 'order_unknown', { status: 503 }),
  },
  {
    id: 'malformed-initiation-breaks-the-bank',
    story: 'Every initiation whose body is no JSON object is answered with the status 500.',
    breaks: [PAY.malformedInitiationIsNoBreakdown, PAY.malformedInitiationIsNotAccepted],
    rules: (lawful) => ({
      orderOf: (facts) => {
        const { body } = facts
        // The bank answers what a rule throws with the status 500.
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new Error('no JSON object')
        return lawful.orderOf(facts)
      },
    }),
  },
  {
    id: 'empty-list-breaks-the-bank',
    story: 'The bank breaks down over a body that is an empty list.',
    breaks: [PAY.malformedInitiationIsNoBreakdown, PAY.malformedInitiationIsNotAccepted],
    wire: breakingDown(({ body }) => body === '[]'),
  },
  {
    id: 'broken-json-breaks-the-bank',
    story: 'The bank breaks down over a body that is no JSON.',
    breaks: [PAY.malformedInitiationIsNoBreakdown, PAY.malformedInitiationIsNotAccepted],
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
