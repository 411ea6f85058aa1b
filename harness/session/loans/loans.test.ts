import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { NotReached } from '../../evidence/signals.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { createLoans, type Loans } from './loans.ts'
import { openAuthorizationDriver } from '../authorization/open-driver.ts'
import type { Exchange, Operation } from '../../evidence/exchange.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { HttpRequest } from '../http/request.ts'

const BANK = 'https://api.bank.example'
const HOUR_MS = 60 * 60_000

/** What the target answers; a text is a page. */
type Answer = (request: HttpRequest) => unknown

const ANSWERS: Readonly<Partial<Record<Operation, Answer>>> = {
  applyForLoan: () => ({ applicationId: 'A/1', applicationProcessUrl: `${BANK}/process/77` }),
}

/** A target that gives each token a number, and whose clock stands where it is put. */
const target = (loans: ProfileInput['loans'], answers: typeof ANSWERS = {}) => {
  const profile = parsedProfile({ loans: { ...loans, requestIdHeader: 'Request-Id' } })
  const sent: HttpRequest[] = []
  let now = Date.parse('2026-01-05T09:00:00Z')
  let tokens = 0
  const issue = () => ({ access_token: `token-${(tokens += 1)}`, expires_in: 86_400 })
  const answer = (request: HttpRequest): unknown => {
    if (request.operation === 'loanToken') return (answers.loanToken ?? issue)(request)
    return (answers[request.operation] ?? ANSWERS[request.operation] ?? (() => ({})))(request)
  }
  const context = {
    profile,
    baseUrl: BANK,
    customer: undefined,
    driver: openAuthorizationDriver(profile),
    http: {
      origins: [BANK],
      redactor: createRedactor([]),
      send: async (request: HttpRequest): Promise<Exchange> => {
        sent.push(request)
        const reported = answer(request)
        const body = typeof reported === 'string' ? reported : JSON.stringify(reported)
        const { method, url, headers } = request
        return {
          ...sampleExchange({ id: `s/${sent.length}`, operation: request.operation, body }),
          request: { method, url, headers },
        }
      },
    },
    clock: {
      kind: 'virtual' as const,
      now: () => new Date(now),
      pass: async (ms: number) => void (now += ms),
    },
  }
  return { open: (): Promise<Loans> => createLoans(context)(), sent, context }
}

const bodyOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.text ?? 'null')
const header = (request: HttpRequest | undefined, name: string): string | undefined =>
  request?.headers.find(([field]) => field === name)?.[1]

describe('the token', () => {
  test('is used for most of its life, and then asked for anew', async () => {
    const { open, sent, context } = target({})
    const loans = await open()
    await context.clock.pass(19 * HOUR_MS)
    await loans.status('A')
    await context.clock.pass(HOUR_MS)
    await loans.status('A')
    expect(sent.map(({ operation }) => operation)).toEqual(['loanToken', 'readLoan', 'loanToken', 'readLoan'])
    expect(header(sent[1], 'Authorization')).toBe('Bearer token-1')
    expect(header(sent[3], 'Authorization')).toBe('Bearer token-2')
  })

  test('that was renewed takes the place of the one before, and a given one stays', async () => {
    const { open, sent, context } = target({})
    const loans = await open()
    const held = loans.bearing(loans.tokenIn(loans.token))
    await loans.renewToken()
    await context.clock.pass(48 * HOUR_MS)
    await held.status('A')
    expect(header(sent.at(-1), 'Authorization')).toBe('Bearer token-1')
  })

  test('that was not given is missed when it is needed', async () => {
    const loans = await target({}, { loanToken: () => ({ error: 'invalid_client' }) }).open()
    await expect(loans.precalculate({ amount: 250 })).rejects.toThrow(NotReached)
  })
})

const PAGE = `<form method="post" action="/process/77">
  <button name="scenario" value="EXPIRED">Expired</button><button name="scenario" value="CLIENT">Client</button>
</form>`

describe('the selection of a scenario', () => {
  test('needs a page that the recipe knows, the first time', async () => {
    let isFirst = true
    const selectLoanScenario = ({ method }: HttpRequest) => {
      if (method === 'POST') isFirst = false
      return isFirst && method === 'GET' ? PAGE : '<p>It was selected before.</p>'
    }
    const loans = await target({}, { selectLoanScenario }).open()
    const submission = await loans.submit()
    await loans.select(submission, 'client')
    await expect(loans.select(submission, 'expired')).resolves.toMatchObject({ kind: 'exchange' })
    await expect(loans.select(await loans.submit(), 'expired')).rejects.toThrow('loans.scenario.pages')
  })

  test('stays at the bank', async () => {
    const applyForLoan = () => ({ applicationId: 'A', applicationProcessUrl: 'https://else.example/' })
    const loans = await target({}, { applyForLoan }).open()
    await expect(loans.start('client')).rejects.toThrow('add it to `origins`')
  })

  const CHOOSE = { applicationId: 'A/1', choose: { address: '/choose/7?once=1', method: 'post' } }

  test.each([
    [
      'in the path',
      { method: 'POST', path: '/v1/applications/{application-id}/{scenario}' },
      { method: 'POST', url: `${BANK}/paylater/sandbox/v1/applications/A%2F1/THE%20CLIENT` },
    ],
    [
      'in the query, at the address in the answer',
      { link: 'choose.address', query: { line: '{scenario}' } },
      { method: 'PUT', url: `${BANK}/choose/7?once=1&line=THE+CLIENT` },
    ],
    [
      'in a form, by the method in the answer',
      { link: 'choose.address', methodIn: 'choose.method', form: { line: '{scenario}' } },
      { method: 'POST', url: `${BANK}/choose/7?once=1`, form: [['line', 'THE CLIENT']] },
    ],
  ] as const)('may stand %s', async (_, call, expected) => {
    const scenario = { kind: 'call', values: { client: 'THE CLIENT' }, ...call } as const
    const { open, sent } = target({ scenario }, { applyForLoan: () => CHOOSE })
    await (await open()).start('client')
    expect(sent.at(-1)).toMatchObject({ operation: 'selectLoanScenario', ...expected })
    expect(sent.at(-1)?.text).toBeUndefined()
  })

  test('by a method that is none is not selected', async () => {
    const scenario = { kind: 'call', link: 'choose.address', methodIn: 'choose.address' } as const
    const loans = await target({ scenario }, { applyForLoan: () => CHOOSE }).open()
    await expect(loans.start('client')).rejects.toThrow('(loans.scenario.methodIn)')
  })

  test('may be a part of the submission', async () => {
    const { open, sent } = target({ scenario: { kind: 'parameter' } })
    const loans = await open()
    const { submission, selection } = await loans.start('cancelled')
    expect(selection).toBe(submission)
    expect(bodyOf(sent.at(-1))).toMatchObject({ scenario: 'CANCELLED' })
    await loans.submit()
    expect(bodyOf(sent.at(-1))).toMatchObject({ scenario: 'CLIENT' })
    await expect(loans.select(submission, 'client')).rejects.toThrow(NotReached)
  })
})
