import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { answeringFor, losing } from './defect-wires.ts'
import { ENV } from './requirements.ts'

/** How the loan sandbox can run into the rest of the bank. */

type Variant = Parameters<Rules['grantOfLoanToken']>[0]['variant']

/** A token for loans stands for the latest grant of its application, in this variant. */
const opening =
  (variant: Variant): NonNullable<Defect['rules']> =>
  (lawful) => ({
    grantOfLoanToken: (facts) =>
      facts.variant === variant && facts.endpoint === 'accounts'
        ? [...facts.grants.values()].findLast(({ clientId }) => clientId === facts.token.clientId)
        : lawful.grantOfLoanToken(facts),
  })

export const defectsOfLoans: readonly Defect[] = [
  {
    id: 'loans-are-served-elsewhere',
    story: 'There is nothing below /paylater/sandbox any more.',
    breaks: [ENV.loanSandboxServesTheLoanApi],
    triedIn: 'production',
    wire: losing((path) => path.startsWith('/paylater/sandbox/')),
  },
  {
    id: 'account-token-opens-the-loan-sandbox',
    story: 'The loan sandbox takes the access tokens of the account API.',
    breaks: [ENV.accountTokenIsRefusedInTheLoanSandbox],
    rules: (lawful) => ({
      foreignTokenOpensLoans: (facts) => facts.kind === 'accounts' || lawful.foreignTokenOpensLoans(facts),
    }),
  },
  {
    id: 'account-token-of-production-opens-the-loan-sandbox',
    story: 'The loan sandbox asks the account API of production whether a token is good.',
    breaks: [ENV.accountTokenIsRefusedInTheLoanSandbox],
    rules: (lawful) => ({
      foreignTokenOpensLoans: (facts) =>
        facts.token.environment === 'production' || lawful.foreignTokenOpensLoans(facts),
    }),
  },
  {
    id: 'payment-token-opens-the-loan-sandbox',
    story: 'The loan sandbox takes the access tokens for payments.',
    breaks: [ENV.paymentTokenIsRefusedInTheLoanSandbox],
    rules: (lawful) => ({
      foreignTokenOpensLoans: (facts) => facts.kind === 'payments' || lawful.foreignTokenOpensLoans(facts),
    }),
  },
  {
    id: 'loan-token-lists-accounts',
    story: 'A token for loans opens what the customer has granted to its application.',
    breaks: [ENV.loanTokenIsRefusedByTheAccountApi],
    rules: opening('first'),
  },
  {
    id: 'loan-token-lists-accounts-in-the-second-variant',
    story: 'In the second variant a token for loans opens what the customer has granted to its application.',
    breaks: [ENV.loanTokenIsRefusedByTheAccountApi],
    rules: opening('second'),
  },
  {
    id: 'loan-applications-are-known-in-the-sandbox',
    story: 'The sandbox of the account API passes on what it does not know to the loan sandbox.',
    breaks: [ENV.loanApplicationIsUnknownElsewhere],
    wire: answeringFor(/^\/premium\/sandbox(?=\/v1\/applications\/)/, '/paylater/sandbox'),
  },
  {
    id: 'loan-applications-are-known-in-production',
    story: 'Production shows the loan applications of the sandbox.',
    breaks: [ENV.loanApplicationIsUnknownElsewhere],
    wire: answeringFor(/^\/premium\/production(?=\/v1\/applications\/)/, '/paylater/sandbox'),
  },
  {
    id: 'loan-applications-are-canceled-in-the-sandbox-of-accounts',
    story:
      'A DELETE of an application is one wherever it is sent; its status is told in the loan sandbox alone.',
    breaks: [ENV.loanApplicationIsUnknownElsewhere],
    wire: (next) => {
      const passOn = answeringFor(/^\/premium\/sandbox(?=\/v1\/applications\/)/, '/paylater/sandbox')(next)
      return (request) => (request.method === 'DELETE' ? passOn(request) : next(request))
    },
  },
  {
    id: 'loan-applications-are-canceled-in-silence',
    story: 'The sandbox of accounts says that it has no application, and passes the DELETE on all the same.',
    breaks: [ENV.loanApplicationIsUnknownElsewhere],
    wire: (next) => {
      const passOn = answeringFor(/^\/premium\/sandbox(?=\/v1\/applications\/)/, '/paylater/sandbox')(next)
      return async (request) => {
        const answer = await next(request.clone())
        if (request.method === 'DELETE' && answer.status === 404) await passOn(request)
        return answer
      }
    },
  },
  {
    id: 'loan-applications-are-canceled-elsewhere-a-moment-later',
    story:
      'The sandbox of accounts says that it has no application, and passes the DELETE on once a status was told.',
    breaks: [ENV.loanApplicationIsUnknownElsewhere],
    wire: (next) => {
      const passOn = answeringFor(/^\/premium\/sandbox(?=\/v1\/applications\/)/, '/paylater/sandbox')(next)
      let put: Request | undefined
      return async (request) => {
        const isCancellation = request.method === 'DELETE'
        const waiting = request.method === 'GET' ? put : undefined
        if (isCancellation) put = request.clone()
        const answer = await next(request)
        if (waiting !== undefined) {
          put = undefined
          await passOn(waiting)
        }
        return answer
      }
    },
  },
]
