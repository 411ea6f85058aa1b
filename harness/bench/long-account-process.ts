import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server with accounts that have as many transactions as their id says: `/v1/accounts/100000/transactions?pageSize=100`. */

/** Of the usual length. */
const transaction = (at: number): string =>
  JSON.stringify({
    transactionId: `7f1c2d3e-${String(at).padStart(12, '0')}`,
    bookingDate: '2026-01-05',
    valueDate: '2026-01-05',
    transactionAmount: { currency: 'EUR', amount: -17.31 },
    creditorName: 'Kníhkupectvo na rohu',
    creditorAccount: { iban: 'SK2998010000002600001129', currency: 'EUR' },
    remittanceInformationUnstructured: 'Faktúra 2026/0042, ďakujeme',
    bankTransactionCode: '1000051000100100000',
  })

const page = (id: string, count: number, offset: number, size: number): string => {
  const end = Math.min(offset + size, count)
  const items = Array.from({ length: Math.max(0, end - offset) }, (_, at) => transaction(offset + at))
  const next = `/premium/sandbox/v1/accounts/${id}/transactions?pageSize=${size}&offset=${end}`
  const links = end < count ? JSON.stringify({ next: { href: next } }) : '{}'
  return `{"transactions":[${items.join(',')}],"_links":${links}}`
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank.example')
  const id = /accounts\/(\d+)\/transactions$/.exec(pathname)?.[1] ?? '0'
  const number = (name: string): number => Number(searchParams.get(name) ?? 0)
  response.setHeader('content-type', 'application/json')
  response.end(page(id, Number(id), number('offset'), number('pageSize')))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit())
