import { expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { NotReached } from '../../evidence/signals.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { isAccepted } from '../../evidence/record/answer.ts'
import { change } from '../http/request.ts'
import { createVariants } from './variants.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { HttpRequest } from '../http/request.ts'

/** What the variants send, and answers to it. */
const variantsOf = (parts: Partial<ProfileInput> = {}, answers: readonly unknown[] = []) => {
  const sent: HttpRequest[] = []
  const left = [...answers]
  const http = {
    origins: [],
    redactor: createRedactor([]),
    send: async (request: HttpRequest): Promise<Exchange> => {
      sent.push(request)
      const { operation, sender, method, url, headers, successFields } = request
      return {
        ...sampleExchange({ operation, body: JSON.stringify(left.shift() ?? {}) }),
        sender,
        request: { method, url, headers, ...(request.text && { body: { text: request.text, bytes: 1 } }) },
        ...(successFields && { successFields }),
      }
    },
  }
  const profile = parsedProfile({ secondVariant: {}, ...parts })
  return { sent, variant: createVariants({ profile, baseUrl: 'https://bank.example', http }) }
}

const bodyOf = ({ text = 'null' }: HttpRequest): unknown => JSON.parse(text)

test('the first variant names the account in the path, whatever characters its id has', async () => {
  const { sent, variant } = variantsOf()
  await variant('first').read('t0ken', { accountId: 'a/b ?c#%' })
  await variant('first').transactions('t0ken', { accountId: '$&' }, { size: 10 })
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://bank.example/premium/sandbox/v1/accounts/a%2Fb%20%3Fc%23%25',
    'GET https://bank.example/premium/sandbox/v1/accounts/%24%26/transactions?pageSize=10',
  ])
  for (const { headers } of sent) expect(headers).toContainEqual(['Authorization', 'Bearer t0ken'])
})

test('each request of either variant has an id of its own, in the header that the profile names', async () => {
  const { sent, variant } = variantsOf({ secondVariant: { requestIdHeader: 'Call' } })
  await variant('first').list('t')
  await variant('second').list('t')
  await variant('second').read('t', { iban: 'SK1' })
  const ids = sent.map(({ headers }) => headers.find(([name]) => ['X-Request-ID', 'Call'].includes(name)))
  expect(ids.map((field) => field?.[0])).toEqual(['X-Request-ID', 'Call', 'Call'])
  expect(new Set(ids.map((field) => field?.[1])).size).toBe(3)
})

test('the second variant names the account in the body as the profile says, at any depth', async () => {
  const picked = { account: { ids: ['{accountId}', 'id:{accountId}'] }, kind: 1 }
  const { sent, variant } = variantsOf({ secondVariant: { readAccount: { picked } } })
  await variant('second').read('t', { accountId: '$&' })
  await variant('second').read('t', { iban: 'SK29 9801' })
  expect(sent.map(bodyOf)).toEqual([{ account: { ids: ['$&', 'id:$&'] }, kind: 1 }, { iban: 'SK29 9801' }])
})

test('a link is followed as it stands, and never out of the base path', async () => {
  const { sent, variant } = variantsOf()
  const follow = (url: string) =>
    variant('first').transactions('t', { accountId: 'a' }, { size: 10, position: { kind: 'link', url } })
  await follow('https://bank.example/premium/sandbox/next?a=1')
  await expect(follow('https://bank.example/premium/production/next?a=1')).rejects.toThrow(NotReached)
  await expect(follow('https://evil.example/premium/sandbox/next')).rejects.toThrow(/not followed/)
  expect(sent.map(({ url }) => url)).toEqual(['https://bank.example/premium/sandbox/next?a=1'])
})

test('a change is made to the whole request; members are put into its body', async () => {
  const { sent, variant } = variantsOf()
  await variant('second').read('t', { accountId: 'a' }, change.members({ iban: 'SK1', accountId: 'b' }))
  await variant('second').list('t', change.noHeader('Authorization'))
  expect(sent[0] && bodyOf(sent[0])).toEqual({ accountId: 'b', iban: 'SK1' })
  expect(sent[0]?.successFields).toEqual(['balances', 'account.iban'])
  expect(sent[1]?.headers.map(([name]) => name)).toEqual(['Request-ID'])
})

test('the accounts of a list are those that can be picked', async () => {
  const first = {
    accounts: [{ accountId: 'a', accountReference: { iban: 'SK29 98' } }, { accountId: 7 }, {}, null],
  }
  const second = { accounts: [{ identification: 'b', iban: 'SK2**8' }, { identification: '' }] }
  const { variant } = variantsOf({}, [first, second, { accounts: 'none' }])
  const listed = async (name: 'first' | 'second') => variant(name).accountsIn(await variant(name).list('t'))
  expect(await listed('first')).toEqual([{ accountId: 'a', iban: 'SK29 98' }, { accountId: '7' }])
  expect(await listed('second')).toEqual([{ accountId: 'b' }])
  await expect(listed('first')).rejects.toThrow(/without a list under accounts/)
})

test.each([
  ['balances', { account: { balances: [{}] } }, true],
  ['an IBAN', { account: { accountReference: { iban: 'SK29' } } }, true],
  ['neither', { account: { name: 'x' } }, false],
  ['empty balances', { account: { balances: [] } }, false],
  ['nothing', {}, false],
])('a detail with %s is accepted: %s', async (_, json, accepted) => {
  const { variant } = variantsOf({}, [json])
  expect(isAccepted(await variant('first').read('t', { accountId: 'a' }))).toBe(accepted)
})

test('an IBAN that the request has asked for is no sign of an acceptance, in whatever spelling', async () => {
  const { variant } = variantsOf({}, [{ account: { iban: 'SK2998' } }, { account: { iban: 'SK2997' } }])
  const read = () => variant('second').read('t', { iban: 'sk29 98' })
  expect(isAccepted(await read())).toBe(false)
  expect(isAccepted(await read())).toBe(true)
})

test('an empty page, an empty list or null in its place is no acceptance', async () => {
  const pages = [{ transactions: [] }, { transactions: null }, { transactions: [{}] }]
  const { variant } = variantsOf({}, [...pages, { accounts: [] }])
  const read = () => variant('first').transactions('t', { accountId: 'a' })
  expect([isAccepted(await read()), isAccepted(await read()), isAccepted(await read())]).toEqual([
    false,
    false,
    true,
  ])
  expect(isAccepted(await variant('second').list('t'))).toBe(false)
})

test('without a second variant in the profile there is none', () => {
  const { variant } = variantsOf({ secondVariant: undefined })
  expect(() => variant('second')).toThrow(NotReached)
})
