import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { stamp } from './clock.ts'
import type { Order, OrderBook, Wish } from './orders.ts'
import type { Guarded, Tokens } from './tokens.ts'
import type { Errand, Visits } from './visits.ts'
import { addressOf, bodyOf, escaped, only, page, refused } from './wire.ts'

/** The payment operations, and the page on which a customer approves an order. */

export const PAY = 'PAY'

const WISH = z.object({
  slip: z.string().refine((slip) => slip !== '' && Array.from(slip).length <= 35),
  from: z.string(),
  to: z.object({ who: z.string().nullish(), iban: z.string() }),
  cents: z.int().positive(),
  unit: z.string(),
  note: z.string().max(140).optional(),
  on: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .optional(),
})

const DATED_WISH = WISH.required({ on: true })

const SUBMISSION = z.object({ orderId: z.string(), told: z.unknown().optional() })

export function paymentRoutes(base: string, tokens: Tokens, book: OrderBook): Hono<Guarded> {
  const initiate = async (context: Context<Guarded>, form: z.ZodType<Wish>): Promise<Response> => {
    const wish = await bodyOf(context, form)
    if (wish === undefined) return refused(context, 422, 'the order is not complete or malformed')
    const order = book.take(context.get('grant').application, wish)
    const approval = { page: addressOf(`${base}/orders/${order.link}`) }
    return context.json(
      { ...recordOf(order), ...(order.status === 'ACTC' ? { customer: approval } : {}) },
      201,
    )
  }
  const routes = new Hono<Guarded>()
  routes
    .use(
      '/payments/*',
      tokens.guard(({ scope }) => scope === PAY),
    )
    .post('/payments/ecomm/sba', (context) => initiate(context, WISH))
    .all('/payments/ecomm/sba', only('POST'))
    .post('/payments/later/sba', (context) => initiate(context, DATED_WISH))
    .all('/payments/later/sba', only('POST'))
    .post('/payments/submission', async (context) => {
      const body = await bodyOf(context, SUBMISSION)
      if (body === undefined) return refused(context, 422, 'the order is not named')
      const order = book.find(context.get('grant').application, body.orderId)
      if (order === undefined) return refused(context, 404, 'the order is unknown')
      if (order.status !== 'ACTC') return refused(context, 409, 'the order is not waiting for a submission')
      if (order.approval === undefined || body.told !== order.approval)
        return refused(context, 403, 'the customer has not told this value')
      book.submit(order)
      return context.json(recordOf(order))
    })
    .all('/payments/submission', only('POST'))
    .get('/payments/:order/status', (context) => {
      const order = book.find(context.get('grant').application, context.req.param('order'))
      return order === undefined
        ? refused(context, 404, 'the order is unknown')
        : context.json(recordOf(order))
    })
    .all('/payments/:order/status', only('GET'))
  return routes
}

const recordOf = ({ id, status, since, reason }: Order): object => ({
  orderId: id,
  status,
  statusDateTime: stamp(since),
  ...(reason === undefined ? {} : { reasonCode: reason.code, additionalInformation: reason.text }),
})

const outcomePage = (status: number, said: 'yes' | 'no', text: string): Response =>
  page(status, 'Your order', `<p class="outcome" data-said="${said}">${escaped(text)}</p>`)

const notApproved = (status: number): Response =>
  outcomePage(status, 'no', 'You have not approved this order.')

export function approvalRoutes(visits: Visits, book: OrderBook): Hono {
  const routes = new Hono()
  routes
    .get('/orders/:link', (context) => {
      const order = book.findByLink(context.req.param('link'))
      if (order === undefined) return page(404, 'This order is unknown', '<p>Please ask the shop.</p>')
      const errand = approvalOf(order, book)
      return errand.obstacle(undefined) ?? visits.begin(context, errand)
    })
    .all('/orders/:link', only('GET'))
  return routes
}

const approvalOf = (order: Order, book: OrderBook): Errand => ({
  mustTick: false,
  obstacle: (customer) => {
    if (order.status !== 'ACTC')
      return page(409, 'This order is closed', '<p>It waits for no approval any more.</p>')
    const isPayer = customer?.accounts.some(({ iban }) => iban === order.wish.from) ?? true
    return isPayer ? undefined : notApproved(403)
  },
  question: () => {
    const { to, from, cents, unit, note, on } = order.wish
    const lines = [
      `${(cents / 100).toFixed(2)} ${unit} from ${from}`,
      `to ${to.who ?? ''}, ${to.iban}`,
      ...(note === undefined ? [] : [`Note: ${note}`]),
      ...(on === undefined ? [] : [`On ${on}`]),
    ]
    return `<p>${escaped(order.application.id)} asks you to approve this order:</p><p>${lines.map(escaped).join('<br>')}</p>`
  },
  decided: (_, agrees) => {
    if (agrees) return outcomePage(200, 'yes', `Thank you. Tell the shop: ${book.approve(order)}.`)
    book.disapprove(order)
    return notApproved(200)
  },
})
