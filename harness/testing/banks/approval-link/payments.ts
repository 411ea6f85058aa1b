import { createHash, createHmac } from 'node:crypto'
import type { Hono, Next } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import { decimal } from './ledger.ts'
import { DATED, UNDATED } from './messages.ts'
import { type Order, type Orders, recordOf } from './orders.ts'
import { type Customer, isRegistered } from './seed-data.ts'
import { type Errand, type Step, type Visits, gone } from './visits.ts'
import {
  BASIC,
  type Call,
  type Served,
  basicApplication,
  bodyOf,
  fault,
  jsonOf,
  only,
  originOf,
  page,
  randomToken,
  sameText,
} from './wire.ts'

/** The payment API of one environment, and the links by which customers approve. */

const SUBMISSION = z.object({ order: z.object({ orderId: z.string() }) })

interface Options {
  environment: string
  /** The path below which the payment API is. */
  base: string
  orders: Orders
  visits: Visits
}

export function servePayments(app: Hono<Served>, { environment, base, orders, visits }: Options): void {
  app.use('/payments/*', async (call: Call, next: Next) => {
    const application = basicApplication(call)
    if (application === undefined)
      return fault(call, 401, 'unauthorized', 'The application is unknown or its secret is wrong.', BASIC)
    if (!sameText(call.req.header('lock-signature') ?? '', await signatureOf(call, application.signing)))
      return fault(call, 401, 'signature', 'Lock-Signature is missing or wrong.', {
        'WWW-Authenticate': 'Lock-Signature realm="lock"',
      })
    if (call.req.header('lock-version') !== '3') return fault(call, 400, 'version', 'Lock-Version is not 3.')
    call.set('application', application)
    return next()
  })

  const initiation =
    (form: typeof DATED | typeof UNDATED) =>
    async (call: Call): Promise<Response> => {
      const application = call.var.application
      const returnTo = call.req.header('lock-return') ?? ''
      if (!isRegistered(application, returnTo, originOf(call), environment))
        return fault(call, 400, 'return', 'Lock-Return is no registered redirect URI.')
      const body = form.safeParse(await jsonOf(call))
      if (!body.success) {
        const [issue] = body.error.issues
        return fault(call, 400, 'body', `Missing or not in its form: ${issue?.path.join('.') || 'the body'}.`)
      }
      const order = orders.initiate(application, body.data, returnTo)
      const approve = `${originOf(call)}${base}/approvals/${order.link}`
      return call.json(
        { order: recordOf(order), ...(order.status === 'ACTC' ? { next: { approve } } : {}) },
        201,
      )
    }
  app.post('/payments/ecomm/sba', initiation(UNDATED))
  app.post('/payments/dated/sba', initiation(DATED))

  app.post('/payments/submission', async (call) => {
    const body = SUBMISSION.safeParse(await jsonOf(call))
    if (!body.success) return fault(call, 400, 'body', 'order.orderId is missing.')
    const order = orders.find(call.var.application, body.data.order.orderId)
    if (order === undefined) return unknownOrder(call)
    const refused = orders.submit(order, call.req.header('lock-approval') ?? '')
    if (refused === 'unapproved')
      return fault(call, 403, 'approval', 'Lock-Approval is missing, or does not open this order.')
    if (refused === 'closed') return fault(call, 409, 'status', 'The order is not ACTC any more.')
    return call.json({ order: recordOf(order) })
  })
  for (const path of ['/payments/ecomm/sba', '/payments/dated/sba', '/payments/submission'])
    app.all(path, only('POST'))

  app.get('/payments/:id/status', (call) => {
    const order = orders.find(call.var.application, call.req.param('id'))
    return order === undefined ? unknownOrder(call) : call.json({ order: recordOf(order) })
  })
  app.all('/payments/:id/status', only('GET, HEAD'))

  app.get('/approvals/:link', (call) => {
    const order = orders.byLink(call.req.param('link'))
    if (order === undefined) return page(call, 404, 'Unknown page', html`<p>There is no such order.</p>`)
    return order.status === 'ACTC' ? visits.begin(call, errandOf(order, orders)) : gone(call, DECIDED)
  })
  app.all('/approvals/:link', only('GET, HEAD'))
}

const DECIDED = 'There is nothing left to decide about this order.'

const unknownOrder = (call: Call): Response => fault(call, 404, 'order', 'There is no such order.')

/** The signature that a request has to carry. */
async function signatureOf(call: Call, key: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await bodyOf(call))
    .digest('hex')
  // The path counts as the application has written it.
  const { method = '', url = '' } = call.env.incoming
  return createHmac('sha256', key).update(`${method}\n${url}\n${digest}`).digest('hex')
}

function errandOf(order: Order, orders: Orders): Errand {
  const { message, returnTo, application } = order
  const payer = orders.payerOf(order)
  const ask = (customer: Customer): Step => {
    if (!customer.accounts.includes(payer.seed))
      return { leave: returnTo, more: { approval_error: 'not_yours' } }
    if (order.status !== 'ACTC') return { gone: DECIDED }
    return {
      ask: {
        title: 'Your order',
        facts: html`<dl>
          <dt>Asked for by</dt>
          <dd>${application.name}</dd>
          <dt>From</dt>
          <dd>${payer.seed.iban}</dd>
          <dt>To</dt>
          <dd>${message.payee.holder}, ${message.payee.iban}</dd>
          <dt>Sum</dt>
          <dd>${decimal(message.sum.value)} ${message.sum.unit}</dd>
          <dt>Reference</dt>
          <dd>${message.reference}</dd>
          <dt>Text</dt>
          <dd>${message.text ?? 'none'}</dd>
          <dt>Day</dt>
          <dd>${message.due ?? 'at once'}</dd>
        </dl>`,
        button: 'verdict',
        yes: 'approve',
        no: 'reject',
      },
    }
  }
  return {
    ask,
    decide: (_, yes) => {
      if (yes) {
        const approval = randomToken()
        order.approvals.add(approval)
        return { leave: returnTo, more: { approval } }
      }
      // The customer's last word counts: what was approved before does not open the order any more.
      order.approvals.clear()
      return { leave: returnTo, more: { approval_error: 'rejected' } }
    },
  }
}
