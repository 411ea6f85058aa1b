import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Environment } from './environment.ts'
import { jsonBody, operations, problem } from './http.ts'
import { type Order, paymentMessage, statusRecord } from './orders.ts'
import type { Grant } from './tokens.ts'

/** Initiation, status and submission: everything below the base path of the payment API. */
export function paymentApi({ name, orders, tokens }: Environment): Hono {
  const orderOf = (orderId: string, { application }: Grant): Order => {
    const order = orders.find(orderId, application)
    if (order === undefined) throw problem(404, 'ORDER_UNKNOWN', 'There is no such payment.')
    return order
  }

  const isOrderGrant = ({ scope }: Grant): boolean => scope === 'PIS_ORDER'

  const initiate = async (c: Context): Promise<Response> => {
    const { application } = tokens.grantOf(c, isOrderGrant)
    const order = orders.initiate(application, await jsonBody(c, paymentMessage))
    const location = `/initiation/v1/${name}/payments/${order.orderId}/status`
    return c.json(statusRecord(order), 201, { location })
  }

  const submit = async (c: Context): Promise<Response> => {
    const grant = tokens.grantOf(c, ({ scope }) => scope === 'PIS_CONFIRM')
    const { orderId } = await jsonBody(c, z.object({ orderId: z.string() }))
    const order = orderOf(orderId, grant)
    if (orderId !== grant.orderId) {
      throw problem(403, 'ORDER_MISMATCH', 'The customer has authorized another payment.')
    }
    if (order.status !== 'ACTC') {
      throw problem(409, 'ORDER_STATUS', `The payment is in ${order.status} and cannot be submitted.`)
    }
    orders.submit(order)
    return c.json(statusRecord(order))
  }

  return operations([
    ['POST', '/payments/ecomm/sba', initiate],
    ['POST', '/payments/sepa/sct', initiate],
    ['POST', '/payments/submission', submit],
    [
      'GET',
      '/payments/:orderId/status',
      (c) => c.json(statusRecord(orderOf(c.req.param('orderId') ?? '', tokens.grantOf(c, isOrderGrant)))),
    ],
  ])
}
