import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { type Clock, timestamp } from './clock.ts'
import { Refusal, jsonBody, operations, problem } from './http.ts'
import type { Application } from './seed.ts'
import { Tokens, oauthError, tokenEndpoint } from './tokens.ts'

const ONE_DAY = 86_400
const STEP_MILLISECONDS = 3 * 60_000
const RETENTION_MILLISECONDS = 7 * 86_400_000
const LEAST_EUROS = 100
const MOST_EUROS = 2000
const INSTALMENTS = 6
const EUROS_FOR_A_CHILD = 200

const PATHS = {
  CANCELLED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  EXPIRED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  NON_CLIENT: [
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
    'LOAN_APPLICATION_IN_PROGRESS',
    'LOAN_APPLICATION_FINISHED',
    'LOAN_DISBURSED',
  ],
  CLIENT: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
}

const CANCELABLE = ['NEW', 'CUSTOMER_CREATION_IN_PROGRESS', 'LOAN_APPLICATION_IN_PROGRESS']

const circumstances = {
  monthlyIncome: z.number().min(0).optional(),
  monthlyExpenses: z.number().min(0).optional(),
  children: z.int().min(0).max(20).optional(),
}

const precalculationRequest = z.object({ loanAmount: z.number().min(0), ...circumstances })

const applicationRequest = z.object({
  loanAmount: z.number().min(LEAST_EUROS).max(MOST_EUROS),
  ...circumstances,
})

interface LoanApplication {
  applicationId: string
  owner: Application
  request: z.infer<typeof applicationRequest>
  submittedAt: number
  scenario?: keyof typeof PATHS
  selectedAt: number
  canceledAt?: number
}

/** Why the loan would be refused; undefined if it would be granted. */
function obstacle(request: z.infer<typeof precalculationRequest>): string | undefined {
  const { loanAmount, monthlyIncome, monthlyExpenses = 0, children = 0 } = request
  if (loanAmount < LEAST_EUROS) return 'AMOUNT_TOO_LOW'
  if (loanAmount > MOST_EUROS) return 'AMOUNT_TOO_HIGH'
  // Without an income nothing is known about the capacity.
  const left = (monthlyIncome ?? Infinity) - monthlyExpenses - children * EUROS_FOR_A_CHILD
  return loanAmount / INSTALMENTS > left ? 'INSUFFICIENT_CAPACITY' : undefined
}

function precalculate(request: z.infer<typeof precalculationRequest>): unknown {
  const reason = obstacle(request)
  return {
    outcome: reason === undefined ? 'POSITIVE' : 'NEGATIVE',
    loanAmount: request.loanAmount,
    ...(reason === undefined
      ? {
          instalments: INSTALMENTS,
          monthlyInstalment: Math.ceil((request.loanAmount * 100) / INSTALMENTS) / 100,
        }
      : { reason }),
  }
}

/** The answer with a result code of the interface. */
const resultCode = (status: 404 | 409, code: 'APP_NOT_FOUND' | 'NOT_ALLOWED_OPER', text: string): Refusal =>
  new Refusal(status, 'application/json', { resultCode: code, resultText: text })

/** The sandbox of the instalment loans with the tokens that it issues. */
export function loanApi(clock: Clock): { app: Hono; tokens: Tokens } {
  const tokens = new Tokens(clock, ONE_DAY)
  const applications = new Map<string, LoanApplication>()

  const callerOf = (c: Context): Application => tokens.grantOf(c, () => true).application

  const find = (c: Context, owner: Application): LoanApplication => {
    const application = applications.get(c.req.param('applicationId') ?? '')
    if (application?.owner !== owner || clock.now() >= application.submittedAt + RETENTION_MILLISECONDS) {
      throw resultCode(404, 'APP_NOT_FOUND', 'There is no application with this id.')
    }
    return application
  }

  const statusOf = (application: LoanApplication): { status: string; statusSince: string } => {
    const { scenario, submittedAt, selectedAt, canceledAt } = application
    if (canceledAt !== undefined) return { status: 'CANCELED', statusSince: timestamp(canceledAt) }
    const path = scenario === undefined ? ['NEW'] : PATHS[scenario]
    const steps = Math.min(Math.floor((clock.now() - selectedAt) / STEP_MILLISECONDS), path.length - 1)
    const since = steps === 0 ? submittedAt : selectedAt + steps * STEP_MILLISECONDS
    return { status: path[steps] ?? '', statusSince: timestamp(since) }
  }

  const record = (application: LoanApplication): Record<string, unknown> => ({
    applicationId: application.applicationId,
    ...statusOf(application),
    ...application.request,
    submittedAt: timestamp(application.submittedAt),
    ...(application.scenario && { scenario: application.scenario }),
  })

  const submit = async (c: Context): Promise<Response> => {
    const owner = callerOf(c)
    const request = await jsonBody(c, applicationRequest)
    const now = clock.now()
    const application = { applicationId: randomUUID(), owner, request, submittedAt: now, selectedAt: now }
    applications.set(application.applicationId, application)
    return c.json(record(application), 201)
  }

  const select = async (c: Context): Promise<Response> => {
    const owner = callerOf(c)
    const choice = z.object({ scenario: z.enum(['CANCELLED', 'EXPIRED', 'NON_CLIENT', 'CLIENT']) })
    const { scenario } = await jsonBody(c, choice)
    const application = find(c, owner)
    if (application.scenario !== undefined || application.canceledAt !== undefined) {
      throw problem(409, 'SCENARIO_SELECTED', 'The way of this application is settled.')
    }
    application.scenario = scenario
    application.selectedAt = clock.now()
    return c.json(record(application))
  }

  const cancel = (c: Context): Response => {
    const application = find(c, callerOf(c))
    if (!CANCELABLE.includes(statusOf(application).status)) {
      throw resultCode(409, 'NOT_ALLOWED_OPER', 'The application cannot be canceled any more.')
    }
    application.canceledAt = clock.now()
    return c.body(null, 204)
  }

  const app = operations([
    [
      'POST',
      '/auth/oauth/v2/token',
      tokenEndpoint({
        client_credentials: (application, form) => {
          if ((form.get('scope') ?? 'PAY_LATER') !== 'PAY_LATER') {
            throw oauthError('invalid_scope', 'The scope must be PAY_LATER.')
          }
          return tokens.issue({ application, scope: 'PAY_LATER', revoked: false }, { renewable: false })
        },
      }),
    ],
    [
      'PUT',
      '/v1/applications/precalculation',
      async (c) => {
        callerOf(c)
        return c.json(precalculate(await jsonBody(c, precalculationRequest)))
      },
    ],
    ['POST', '/v1/applications', submit],
    ['DELETE', '/v1/applications/:applicationId', cancel],
    [
      'GET',
      '/v1/applications/:applicationId/status',
      (c) => {
        const application = find(c, callerOf(c))
        const { applicationId } = application
        return c.json({ resultCode: 'OK', applicationId, ...statusOf(application) })
      },
    ],
    ['PUT', '/v1/applications/:applicationId/scenario', select],
  ])
  return { app, tokens }
}
