import { randomInt } from 'node:crypto'
import type { Clock } from './money-data.ts'
import { MoneyGrants } from './money-grants.ts'
import type { Client } from './money-data.ts'
import {
  type Call,
  type Fields,
  type Reply,
  at,
  isFields,
  record,
  unknownPath,
  plainText,
} from './money-wire.ts'
import { objectOf } from './wire.ts'

/** The sandbox of loans. It answers 200 to a known client, with a result code. */

const LOANS = '/paylater/sandbox'

const GRANT_TYPE = 'urn:quay:counter'
const DAY = 86_400_000
const STEP = 192_000

const LINES: Record<string, string[]> = {
  '1': ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  '2': ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  '3': [
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
    'LOAN_APPLICATION_IN_PROGRESS',
    'LOAN_APPLICATION_FINISHED',
    'LOAN_DISBURSED',
  ],
  '4': ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
}

const WITHDRAWABLE = new Set(['NEW', 'CUSTOMER_CREATION_IN_PROGRESS', 'LOAN_APPLICATION_IN_PROGRESS'])

interface Application {
  number: number
  client: Client
  amount: number
  submitted: number
  line?: { path: string[]; since: number }
  withdrawn?: true
}

const outcome = (code: string, more: Fields = {}): Reply => {
  return record(200, { outcome: { code }, ...more })
}

export class Loans {
  readonly base = LOANS
  readonly grants: MoneyGrants
  readonly #applications = new Map<number, Application>()
  #next = 70_001

  constructor(readonly clock: Clock) {
    this.grants = new MoneyGrants(clock)
  }

  serve(call: Call): Reply {
    const path = call.path.slice(LOANS.length)
    if (path === '/auth/oauth/v2/token') return this.grants.token(call, granted)
    const [, number, rest] = /^\/v1\/applications\/(\d{1,12})(?:\/(status|line))?$/.exec(path) ?? []
    const what = number === undefined ? `${call.method} ${path}` : `${call.method} ${rest ?? ''}`
    const operation = this.#operation(what, Number(number ?? 0), call)
    if (operation === undefined) return unknownPath()
    const client = this.grants.grantFor(call)?.client
    return client === undefined
      ? plainText(401, 'the token is missing or invalid\n', {
          'www-authenticate': 'Bearer',
        })
      : operation(client)
  }

  #operation(what: string, number: number, call: Call): ((client: Client) => Reply) | undefined {
    if (what === 'PUT /v1/applications/precalculation') return () => calculated(objectOf(call.body))
    if (what === 'POST /v1/applications') return (client) => this.#submitted(client, objectOf(call.body))
    if (/^(GET|DELETE) \/v1\/applications\/[^/]+(\/status)?$/.test(what))
      return () => outcome('APP_NOT_FOUND')
    if (what === 'GET status') return (client) => this.#status(this.#find(client, number))
    if (what === 'DELETE ') return (client) => this.#withdrawn(this.#find(client, number))
    if (what === 'PUT line')
      return (client) => this.#scenarioSelected(this.#find(client, number), objectOf(call.body))
    return undefined
  }

  #find(client: Client, number: number): Application | undefined {
    const application = this.#applications.get(number)
    if (application?.client !== client) return undefined
    const end = application.submitted + 7 * DAY
    if (this.clock.now() < end) return application
    this.#applications.delete(number)
    return undefined
  }

  #submitted(client: Client, body: Fields | undefined): Reply {
    const amount = at(body, 'wish', 'euros')
    if (within(amount) !== 'fine') return outcome('WISH_NOT_TAKEN')
    this.#next += randomInt(1, 50)
    const application = { number: this.#next, client, amount: Number(amount), submitted: this.clock.now() }
    this.#applications.set(application.number, application)
    return outcome('TAKEN', { paper: { number: application.number, wish: { euros: amount }, stage: 'NEW' } })
  }

  #scenarioSelected(application: Application | undefined, body: Fields | undefined): Reply {
    if (application === undefined) return outcome('APP_NOT_FOUND')
    const path = LINES[String(body?.line)]
    if (path === undefined) return outcome('NO_SUCH_LINE')
    if (application.line !== undefined || application.withdrawn) return outcome('ON_ITS_WAY')
    const now = this.clock.now()
    application.line = { path, since: now }
    return { status: 204 }
  }

  #status(application: Application | undefined): Reply {
    return application === undefined
      ? outcome('APP_NOT_FOUND')
      : outcome('OK', { paper: { number: application.number, stage: this.#stage(application) } })
  }

  #withdrawn(application: Application | undefined): Reply {
    if (application === undefined) return outcome('APP_NOT_FOUND')
    if (application.withdrawn || !WITHDRAWABLE.has(this.#stage(application)))
      return outcome('NOT_ALLOWED_OPER')
    application.withdrawn = true
    return { status: 204 }
  }

  #stage({ withdrawn, line }: Application): string {
    if (withdrawn) return 'CANCELED'
    if (line === undefined) return 'NEW'
    const steps = Math.floor((this.clock.now() - line.since) / STEP)
    return line.path[Math.min(steps, line.path.length - 1)] ?? 'NEW'
  }
}

function granted(form: URLSearchParams): { scope: string; seconds: number } | 'invalid_scope' | undefined {
  if (form.get('grant_type') !== GRANT_TYPE) return undefined
  return form.get('scope') === 'PAY_LATER' ? { scope: 'PAY_LATER', seconds: 86_400 } : 'invalid_scope'
}

function within(amount: unknown): 'fine' | 'less' | 'more' | 'unclear' {
  if (typeof amount !== 'number' || !Number.isInteger(amount)) return 'unclear'
  return amount < 100 ? 'less' : amount > 2000 ? 'more' : 'fine'
}

/** The highest loan for the household: six times its monthly surplus. Infinity if the request has no household. */
function highestLoan(household: unknown): number {
  if (!isFields(household)) return Infinity
  const left = Number(household.earns) - Number(household.spends) - 200 * Number(household.children ?? 0)
  return 6 * left
}

function calculated(body: Fields | undefined): Reply {
  const amount = at(body, 'wish', 'euros')
  const size = within(amount)
  const no = { less: 'TOO_SMALL', more: 'TOO_BIG', unclear: 'UNCLEAR' }
  if (size !== 'fine') return outcome('CALCULATED', { answer: { word: 'no', because: no[size] } })
  if (!(Number(amount) <= highestLoan(at(body, 'wish', 'household'))))
    return outcome('CALCULATED', { answer: { word: 'no', because: 'BEYOND_MEANS' } })
  return outcome('CALCULATED', { answer: { word: 'yes', monthly: Math.ceil(Number(amount) * 17.5) / 100 } })
}
