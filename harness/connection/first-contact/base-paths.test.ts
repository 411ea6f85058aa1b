import { expect, test } from 'vitest'
import { examineBasePaths } from './base-paths.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import type { Examination } from '../../connection/first-contact/examination.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Http } from '../../session/http/http.ts'

test.each([
  ['sign.ts', true],
  [undefined, false],
])('a payment request with payments.signature %j is said to be unsigned: %j', async (signature, isSaid) => {
  const payments = {
    debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
    creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
    ...(signature !== undefined && { signature }),
  }
  const profile = parsedProfile({ payments })
  const http: Pick<Http, 'send'> = {
    send: (request) =>
      Promise.resolve({
        kind: 'exchange',
        id: 'probe/1',
        request,
        response: { status: 401, headers: [], body: { text: '{}', bytes: 2 } },
      } as unknown as Exchange),
  }
  const examination = { target: { profile, baseUrl: 'https://bank.example', secrets: [] } } as unknown
  const findings = await examineBasePaths(examination as Examination, http as Http)
  const [ofPayments] = findings.filter(({ cause }) => cause.includes('payments.basePaths'))
  expect(ofPayments?.cause.includes('not signed by `payments.signature`: --day sends')).toBe(isSaid)
  expect(findings.filter(({ cause }) => cause.includes('not signed')).length).toBe(isSaid ? 1 : 0)
})
