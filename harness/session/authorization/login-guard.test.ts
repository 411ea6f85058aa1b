import { describe, expect, test } from 'vitest'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { ProfileMistake } from '../../profile/mismatch/mismatch.ts'
import { recipeOf } from '../../profile/schema/authorization.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { createLoginGuard } from './login-guard.ts'
import { openAuthorizationDriver } from './open-driver.ts'
import type { AuthorizationRequest } from './driver.ts'
import type { Http } from '../http/http.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'

const profile = parsedProfile({
  customers: [
    { name: 'first', username: 'anna', password: 'right' },
    { name: 'second', username: 'bela', password: 'right-too' },
  ],
})
const recipe = recipeOf(profile.authorization)
const [first, second] = profile.customers
if (recipe === undefined || first === undefined || second === undefined) throw new Error('no customers')

const exchange = {
  id: 'scenario/3',
  response: { status: 200, headers: [], body: { text: '<p>Wrong password.</p>' } },
} as unknown as Exchange

const redirectResult = (parts: Partial<RedirectResult>): RedirectResult => ({
  kind: 'redirect-result',
  outcome: 'page',
  exchange,
  acted: [0],
  decision: 'unasked',
  ...parts,
})

const REFUSED = redirectResult({ isAskedAgain: true })
const GRANTED = redirectResult({ outcome: 'redirect', code: 'a-code', acted: [0, 1], decision: 'granted' })

const start = (answers: readonly RedirectResult[]) => {
  const guard = createLoginGuard(profile.customers)
  let sent = 0
  const login = (customer = first, isToBeGranted = false) => {
    const authorize = async () => {
      sent += 1
      return answers[sent - 1] ?? GRANTED
    }
    return guard(customer, recipe, authorize, isToBeGranted)
  }
  return { login, sent: () => sent }
}

describe('a refused login', () => {
  test('is an error of the profile, reported with the key and the answer of the bank', async () => {
    const { login } = start([REFUSED])
    const thrown: unknown = await login().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(ProfileMistake)
    expect(thrown).toMatchObject({ mismatch: { key: 'customers.0.password', exchange: 'scenario/3' } })
    expect(String(thrown)).toContain('Wrong password.')
    expect(String(thrown)).not.toContain('right')
  })

  test('is followed by at most one more login', async () => {
    const { login, sent } = start(Array.from({ length: 10 }, () => REFUSED))
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => login()))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(sent()).toBe(2)
    await expect(login()).rejects.toThrow('no further login after 2 refused ones')
  })

  test('is sent once again where the bank has no reason to refuse: another server may have answered', async () => {
    const once = start([REFUSED])
    await expect(once.login(first, true)).resolves.toBe(GRANTED)
    const twice = start([REFUSED, REFUSED])
    await expect(twice.login(first, true)).rejects.toThrow(ProfileMistake)
    await expect(twice.login(first, true)).rejects.toThrow('no further login after 2 refused ones')
    expect(twice.sent()).toBe(2)
  })

  test('does not stop the logins of another customer', async () => {
    const { login } = start([REFUSED, REFUSED, GRANTED])
    await expect(login()).rejects.toThrow(NotReached)
    await expect(login()).rejects.toThrow(NotReached)
    await expect(login(second)).resolves.toBe(GRANTED)
  })
})

describe('once a login has succeeded', () => {
  test('a refusal is the answer of the bank', async () => {
    const { login } = start([GRANTED, REFUSED])
    await login()
    await expect(login()).resolves.toBe(REFUSED)
  })

  test('a success between two refusals resets the count', async () => {
    const { login } = start([GRANTED, REFUSED, GRANTED, REFUSED, GRANTED])
    for (const expected of [GRANTED, REFUSED, GRANTED, REFUSED, GRANTED])
      await expect(login()).resolves.toBe(expected)
  })
})

test('four refusals in a row after a success end the logins, and the password is not blamed', async () => {
  const { login, sent } = start([GRANTED, REFUSED, REFUSED, REFUSED, REFUSED])
  await login()
  for (let count = 0; count < 2; count += 1) await expect(login(first, true)).resolves.toBe(REFUSED)
  await expect(login(first, true)).rejects.toThrow(Inconclusive)
  expect(sent()).toBe(5)
})

test('wrong passwords that a check sends intentionally are not counted', async () => {
  const { login, sent } = start(Array.from({ length: 5 }, () => REFUSED))
  for (let count = 0; count < 5; count += 1)
    await expect(login({ ...first, password: 'wrong' })).resolves.toBe(REFUSED)
  await expect(login()).resolves.toBe(GRANTED)
  expect(sent()).toBe(6)
})

test('an error page after the login is not a refused login', async () => {
  const page = redirectResult({ exchange: { ...exchange, response: { status: 400 } } as unknown as Exchange })
  const { login } = start([page, page, page])
  for (let count = 0; count < 3; count += 1) await expect(login()).resolves.toBe(page)
})

test('an authorization that is to be granted is sent once again after a refused login with 401, not more often', async () => {
  const ANSWERS = {
    GET: {
      status: 200,
      text: '<form method="post"><input name="username"><input name="password"><button type="submit">',
    },
    POST: { status: 401, text: '<p>Wrong password.</p>' },
  }
  const methods: string[] = []
  const http: Http = {
    origins: ['https://bank.example'],
    redactor: createRedactor([]),
    async send({ method, url }) {
      methods.push(method)
      const { status, text } = method === 'POST' ? ANSWERS.POST : ANSWERS.GET
      return {
        ...sampleExchange({
          id: `login/${methods.length}`,
          operation: 'authorizePayment',
          status,
          body: text,
        }),
        sender: 'customer',
        request: { method, url, headers: [] },
      }
    },
  }
  const driver = openAuthorizationDriver(profile)
  const request: AuthorizationRequest = {
    http,
    customer: first,
    decision: 'grant',
    redirectUri: 'https://client.example/callback',
    isToBeGranted: true,
  }
  const start: HttpRequest = {
    operation: 'authorizePayment',
    sender: 'customer',
    method: 'GET',
    url: 'https://bank.example/authorize',
    headers: [],
  }
  await expect(driver.authorize(request, start)).rejects.toThrow(ProfileMistake)
  expect(methods.filter((method) => method === 'POST')).toHaveLength(2)
})
