import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Application } from './seed-data.ts'
import type { Guarded, Tokens } from './tokens.ts'
import { addressOf, bodyOf, formOf, only, refused } from './wire.ts'

/** The sandbox of loans. */

export const PAY_LATER = 'PAY_LATER'

const STEP_MS = 180_000
const RETENTION_MS = 7 * 86_400_000

const LINES = {
  one: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  two: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  three: [
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
    'LOAN_APPLICATION_IN_PROGRESS',
    'LOAN_APPLICATION_FINISHED',
    'LOAN_DISBURSED',
  ],
  four: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
} as const

type Line = (typeof LINES)[keyof typeof LINES]
type State = Line[number]

const FINAL_STATES = new Set<State>(['CANCELED', 'EXPIRED', 'LOAN_DISBURSED'])

interface Loan {
  number: string
  application: Application
  state: State
  submitted: number
  scenario?: { line: Line; chosen: number }
}

const WHOLE = z.int().nonnegative()

const PRECALCULATION = z.object({
  euros: z.int(),
  home: z.object({ income: WHOLE, costs: WHOLE, children: WHOLE }).optional(),
})

const LOAN = z.object({ euros: z.int(), label: z.string() })

export class Loans {
  readonly #loans = new Map<string, Loan>()
  #count = 0

  constructor(readonly clock: Clock) {}

  submit(application: Application): Loan {
    this.#count += 1
    const loan: Loan = {
      number: `loan-${1000 + this.#count}`,
      application,
      state: 'NEW',
      submitted: this.clock.now(),
    }
    this.#loans.set(loan.number, loan)
    return loan
  }

  /** A loan of an application; those of others are unknown to it. */
  find(application: Application, number: string): Loan | undefined {
    const loan = this.#loans.get(number)
    return loan?.application === application ? loan : undefined
  }

  /** Does what has fallen due. Each step is counted from the choice, so that none comes later than the last. */
  advanceDue(): void {
    const now = this.clock.now()
    for (const loan of this.#loans.values()) {
      if (now >= loan.submitted + RETENTION_MS) this.#loans.delete(loan.number)
      if (loan.scenario === undefined || FINAL_STATES.has(loan.state)) continue
      const { line, chosen } = loan.scenario
      loan.state = line[Math.floor((now - chosen) / STEP_MS)] ?? line.at(-1) ?? loan.state
    }
  }
}

export function loanRoutes(base: string, tokens: Tokens, loans: Loans): Hono<Guarded> {
  const withLoan = (
    context: Context<Guarded>,
    answer: (loan: Loan) => Response | Promise<Response>,
  ): Response | Promise<Response> => {
    const loan = loans.find(context.get('grant').application, context.req.param('number') ?? '')
    return loan === undefined ? context.json({ word: 'APP_NOT_FOUND' }, 404) : answer(loan)
  }
  const routes = new Hono<Guarded>()
  routes
    .use(
      '/v1/applications/*',
      tokens.guard(({ scope }) => scope === PAY_LATER),
    )
    .put('/v1/applications/precalculation', async (context) => {
      const body = await bodyOf(context, PRECALCULATION)
      if (body === undefined) return refused(context, 422, 'whole numbers are needed')
      const why = boundOf(body.euros) ?? (isWithinMeans(body) ? null : 'MEANS')
      return context.json({ answer: { ok: why === null, why } })
    })
    .post('/v1/applications', async (context) => {
      const body = await bodyOf(context, LOAN)
      if (body === undefined || boundOf(body.euros) !== undefined)
        return refused(context, 422, 'a whole number from 100 to 2000 and a label are needed')
      const { number, state } = loans.submit(context.get('grant').application)
      const choose = { address: addressOf(`${base}/v1/applications/${number}/line`), method: 'POST' }
      return context.json({ application: { number, state, choose } }, 201)
    })
    .all('/v1/applications', only('POST'))
    .delete('/v1/applications/:number', (context) =>
      withLoan(context, (loan) => {
        if (FINAL_STATES.has(loan.state)) return context.json({ word: 'NOT_ALLOWED_OPER' }, 409)
        loan.state = 'CANCELED'
        return context.json({ word: 'OK' })
      }),
    )
    .all('/v1/applications/:number', only('DELETE'))
    .get('/v1/applications/:number/status', (context) =>
      withLoan(context, ({ state }) => context.json({ application: { state }, word: 'OK' })),
    )
    .all('/v1/applications/:number/status', only('GET'))
    .post('/v1/applications/:number/line', async (context) => {
      const form = await formOf(context)
      return withLoan(context, (loan) => choice(context, loan, form?.values.get('line'), loans.clock.now()))
    })
    .all('/v1/applications/:number/line', only('POST'))
  return routes
}

function choice(context: Context, loan: Loan, named: string | undefined, now: number): Response {
  const line = Object.entries(LINES).find(([name]) => name === named)?.[1]
  if (line === undefined) return refused(context, 422, 'the line is unknown')
  if (loan.scenario !== undefined || FINAL_STATES.has(loan.state))
    return refused(context, 409, 'there is nothing to choose any more')
  loan.scenario = { line, chosen: now }
  return context.body(null, 204)
}

function boundOf(euros: number): 'LOW' | 'HIGH' | undefined {
  return euros < 100 ? 'LOW' : euros > 2000 ? 'HIGH' : undefined
}

/** A third of what is left in a year must be enough; without figures of the household nothing is known against it. */
function isWithinMeans({ euros, home }: z.infer<typeof PRECALCULATION>): boolean {
  if (home === undefined) return true
  return euros <= ((home.income - home.costs - 250 * home.children) * 12) / 3
}
