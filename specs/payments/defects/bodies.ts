import {
  alter,
  defectsOf,
  membersOf,
  read,
  refusal,
  when,
  type Change,
  type Defect,
  type FactsOf,
  type Incoming,
  type Members,
} from '../../shared/changes.ts'
import { PAY } from '../requirements.ts'
import { jsonOf, refusedWith } from './records.ts'
import type { Exchange, Wire } from '../../../harness/bank/defect.ts'

/** Initiations that the bank accepts though they are malformed, and requests over which it breaks down. */

/** Initiations with another body. */
const reading = (change: (order: Members) => Members): Change<FactsOf<'orderOf'>> =>
  alter({
    orderOf: (_, facts, { rules }) => rules.orderOf({ ...facts, body: change(membersOf(facts.body)) }),
  })

const amountOf = ({ instructedAmount }: Members): Members => membersOf(instructedAmount)

const withAmount = (order: Members, value: number): Members => ({
  ...order,
  instructedAmount: { ...amountOf(order), value },
})

const malformed: readonly Defect[] = [
  ...defectsOf([PAY.malformedInitiationIsNotAccepted], {
    'The minus sign of an amount is ignored': reading((order) => {
      const { value } = amountOf(order)
      return typeof value === 'number' && value < 0 ? withAmount(order, -value) : order
    }),
    'A payment without an amount is one of 1 EUR': reading((order) =>
      'instructedAmount' in order && amountOf(order).value === undefined ? withAmount(order, 1) : order,
    ),
  }),
  ...defectsOf([PAY.initiationWithoutCreditorIsNotAccepted], {
    'A payment without creditor account is paid to the debtor': reading((order) => ({
      ...order,
      ...('creditor' in order && {
        creditor: { iban: membersOf(order.debtor).iban, ...membersOf(order.creditor) },
      }),
    })),
  }),
  ...defectsOf([PAY.oversizedTextIsNotAccepted], {
    'A long remittance text is cut': read('initiatePayment', (asked) => {
      const { remittanceInformation: text } = asked.members
      if (typeof text === 'string')
        asked.body = JSON.stringify({ ...asked.members, remittanceInformation: text.slice(0, 140) })
    }),
  }),
]

/** The bank breaks down over these bodies: it answers what a rule throws with the status 500. */
const breaksDownOver = (where: (body: unknown) => boolean): Change<FactsOf<'orderOf'>> =>
  alter({
    orderOf: (usual, { body }) => {
      if (where(body)) throw new TypeError('The bank breaks down over this body.')
      return usual
    },
  })

const isNoObject = (body: unknown): boolean =>
  typeof body !== 'object' || body === null || Array.isArray(body)

const isTruncated = ({ body }: Incoming): boolean => body.startsWith('{') && !body.endsWith('}')

const nameOf = (body: unknown, party: 'creditor' | 'debtor'): string =>
  String(membersOf(membersOf(body)[party]).name)

const breakdowns: readonly Defect[] = [
  // The payment of another application is unknown as well.
  ...defectsOf([PAY.unknownOrderIsRefused, PAY.foreignPaymentIsRefused], {
    'An unknown orderId is answered with the status 500': refusedWith('order_unknown', 500),
    'An unknown orderId is answered with the status 503': refusedWith('order_unknown', 503),
  }),
  ...defectsOf([PAY.malformedInitiationIsNoBreakdown, PAY.malformedInitiationIsNotAccepted], {
    'The bank breaks down over a body that is no JSON object': breaksDownOver(isNoObject),
    'The bank breaks down over an empty list': breaksDownOver(
      (body) => Array.isArray(body) && body.length === 0,
    ),
    'The bank breaks down over truncated JSON': when(
      isTruncated,
      refusal('initiatePayment', { status: 500, ...jsonOf({ errorCode: 'INTERNAL_ERROR' }) }),
    ),
  }),
  ...defectsOf([PAY.lawfulInitiationIsNoBreakdown], {
    'The bank breaks down over amounts from 1,000,000,000 on': breaksDownOver(
      (body) => Number(amountOf(membersOf(body)).value) >= 1_000_000_000,
    ),
    'The bank breaks down over the letters ĺ, ľ and ŕ in the name of the creditor': breaksDownOver((body) =>
      /[ĺľŕ]/.test(nameOf(body, 'creditor')),
    ),
    'The bank breaks down over a name of more than 60 characters': breaksDownOver(
      (body) => nameOf(body, 'debtor').length > 60,
    ),
    'The bank breaks down over an apostrophe in the remittance information': breaksDownOver((body) =>
      String(membersOf(body).remittanceInformation).includes("'"),
    ),
  }),
]

export const defectsOfBodies: readonly Defect[] = [...malformed, ...breakdowns]

// ---- Words of the files that are not converted yet

export type { Members }

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

const membersIn = (text: string): Members | undefined => {
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
  const members = membersIn(await response.clone().text())
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
    granted.add(membersIn(await response.clone().text())?.access_token)
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
