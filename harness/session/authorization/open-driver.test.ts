import { describe, expect, test } from 'vitest'
import { observe } from '../../check/observed/observe.ts'
import { ViolationError } from '../../check/verdict.ts'
import { NotReached } from '../../evidence/signals.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { profileSchema } from '../../profile/schema.ts'
import { openAuthorizationDriver, openPersonDriver } from './open-driver.ts'
import { UsedExchanges } from '../../check/observed/exchange.ts'
import type { Question, Reply } from './thread-channel.ts'
import type { Exchange, Handover } from '../../evidence/exchange.ts'
import type { CustomerProfile } from '../../profile/schema.ts'
import type { Decision } from './customer-acts.ts'
import type { Delivery, Http, SecretsOf } from '../http/http.ts'
import type { HttpRequest } from '../http/request.ts'

/** The answer of a person as the end of an authorization, and in a check. */

const CUSTOMER: CustomerProfile = { name: 'Anna', username: 'anna', password: 'p', accounts: [] }
const REDIRECT = 'https://client.example/callback'
const SHOWN = 'https://bank.example/result'
const LINK = 'https://bank.example/authorize?state=the-state&code_challenge=the-challenge'
const START: HttpRequest = {
  operation: 'authorize',
  sender: 'customer',
  method: 'GET',
  url: LINK,
  headers: [],
}

const authorize = async (reply: Reply, decision: Decision = 'grant', redirectUri = REDIRECT) => {
  const asked: Question[] = []
  const learned: string[] = []
  const send = async (request: HttpRequest, secretsOf?: SecretsOf, delivery: Delivery = {}) => {
    const handover = await delivery.bring?.('act/1', undefined)
    if (handover === undefined) throw new Error('nobody was asked')
    const exchange: Exchange = {
      kind: 'exchange',
      id: 'act/1',
      sender: 'customer',
      operation: 'authorize',
      effect: 'consent',
      request: { method: 'GET', url: request.url, headers: [] },
      handover,
      sentAt: '2026-01-05T09:00:00.000Z',
      durationMs: 1,
    }
    learned.push(...(secretsOf?.(exchange) ?? []).map(({ name, value }) => `${name}=${value}`))
    return exchange
  }
  const driver = openPersonDriver({
    shownAt: [SHOWN],
    close: () => undefined,
    ask: async (question) => {
      asked.push(question)
      return reply
    },
  })
  const http = { origins: [], send } as unknown as Http
  const redirectResult = await driver.authorize({ http, customer: CUSTOMER, decision, redirectUri }, START)
  return { redirectResult, observed: observe(redirectResult, new UsedExchanges()), asked, learned }
}

const brought = (handover: Handover): Reply => ({ handover })
const at = (query: string): Handover => {
  const address = `${REDIRECT}?${query}`
  const code = new URL(address).searchParams.get('code')
  return { by: 'address', address, ...(code !== null && { code }) }
}

test('the question has the customer, the decision and the link, whose parameters are secret', async () => {
  const { asked, learned } = await authorize(brought(at('code=c-1&state=s')), 'grant')
  expect(asked).toEqual([
    {
      id: 'act/1',
      link: LINK,
      customer: 'Anna',
      decision: 'grant',
      redirectUri: REDIRECT,
      isShown: false,
    },
  ])
  expect(learned).toEqual(['state=the-state', 'code_challenge=the-challenge', 'code=c-1'])
})

describe('a redirect with a code', () => {
  test('is judged by all parts of its address, and not by pages that were not seen', async () => {
    const { observed } = await authorize(brought(at('code=c-1&state=s')))
    expect([observed.outcome, observed.accepted, observed.parameter('state').value]).toEqual([
      'redirect',
      true,
      's',
    ])
    for (const look of [
      () => observed.exchange.status,
      () => observed.exchange.header('Location'),
      () => observed.decision,
      () => observed.pages,
    ])
      expect(look).toThrow(NotReached)
  })

  test('is not reached if the person was to refuse', async () => {
    await expect(authorize(brought(at('code=c-1')), 'deny')).rejects.toThrow(
      'was asked to REFUSE, and the bank gave a code',
    )
  })
})

describe('a redirect with an error', () => {
  test('is a denial if the customer was to refuse', async () => {
    const { observed } = await authorize(brought(at('error=access_denied')), 'deny')
    expect([observed.decision, observed.accepted]).toEqual(['denied', false])
    expect(() => observed.isRefused('the customer has refused')).not.toThrow()
  })

  test('is a refusal of the request if it is about the request', async () => {
    const { observed } = await authorize(brought(at('error=invalid_scope')))
    expect(() => observed.isAccepted('it is valid')).toThrow(ViolationError)
  })

  test.each(['access_denied', 'login_required', 'server_error'])(
    '%s may be caused by the person',
    async (error) => {
      await expect(authorize(brought(at(`error=${error}`)))).rejects.toThrow(
        `was asked to AGREE, and the bank answered ${error}`,
      )
    },
  )
})

test('a code without its redirect is judged only if a page has to show it', async () => {
  const alone = await authorize(brought({ by: 'code', code: 'c-1' }))
  expect(alone.observed.accepted).toBe(true)
  expect(() => alone.observed.outcome).toThrow(NotReached)
  expect(() => alone.observed.parameter('state')).toThrow(NotReached)
  const shown = await authorize(brought({ by: 'code', code: 'c-1' }), 'grant', SHOWN)
  expect([shown.observed.outcome, shown.observed.code.value]).toEqual(['result-screen', 'c-1'])
})

test('a skipped authorization is not reached', async () => {
  const { observed } = await authorize(brought({ by: 'skipped' }))
  expect(() => observed.accepted).toThrow('the person who was asked left act/1 out')
  expect(() => observed.isRefused('of whatever')).toThrow(NotReached)
})

test('the password that is typed becomes secret before it is sent, also a wrong one', async () => {
  const learned: string[] = []
  const redactor = { learn: (name: string, value: string) => void learned.push(`${name}=${value}`) }
  const send = () => Promise.reject(new Error('sent'))
  const driver = openAuthorizationDriver(profileSchema.parse(referenceProfile()))
  const http = { origins: [], redactor, send } as unknown as Http
  const wrong = { ...CUSTOMER, password: 'like-the-right-one' }
  const request = { http, customer: wrong, decision: 'grant', redirectUri: REDIRECT } as const
  await expect(driver.authorize(request, START)).rejects.toThrow('sent')
  expect(learned).toEqual(['password=like-the-right-one'])
})
