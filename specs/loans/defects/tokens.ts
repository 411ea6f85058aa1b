import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

type Answer = ReturnType<Rules['loanTokenBody']>
type Caller = Parameters<Rules['loanCallerOtherwise']>[0]

const DAY_MS = 24 * 60 * 60 * 1000

const ageOf = ({ token, now }: Parameters<Rules['loanTokenIsFresh']>[0]): number =>
  now.getTime() - token.issuedAt.getTime()

/** Changes the token answer. */
const telling =
  (change: (answer: Answer) => Answer) =>
  (lawful: Rules): Partial<Rules> => ({ loanTokenBody: (facts) => change(lawful.loanTokenBody(facts)) })

const without = (answer: Answer, name: string): Answer =>
  Object.fromEntries(Object.entries(answer).filter(([member]) => member !== name))

const answers: readonly Defect[] = [
  {
    id: 'loan-token-is-empty',
    story: 'The token of the loan sandbox is an empty text.',
    breaks: [LOA.sandboxIssuesAToken, LOA.sandboxHasItsOwnTokenEndpoint],
    rules: telling((answer) => ({ ...answer, access_token: '' })),
  },
  {
    id: 'loan-token-is-an-object',
    story: 'The token of the loan sandbox is an object.',
    breaks: [LOA.sandboxIssuesAToken],
    rules: telling((answer) => ({ ...answer, access_token: { value: answer.access_token } })),
  },
  {
    id: 'loan-scope-is-refused',
    story: 'The token endpoint of the loan sandbox refuses the scope PAY_LATER.',
    breaks: [LOA.sandboxIssuesAToken, LOA.sandboxHasItsOwnTokenEndpoint],
    rules: { loanScopeIsAccepted: () => false },
  },
  {
    id: 'loan-token-opens-nothing',
    story: 'The loan operations refuse the tokens that the token endpoint of the loan sandbox issues.',
    breaks: [LOA.sandboxHasItsOwnTokenEndpoint],
    rules: { loanTokenIsFresh: () => false },
  },
  {
    id: 'loan-token-answer-has-no-scope',
    story: 'The token answer of the loan sandbox has no scope.',
    breaks: [LOA.sandboxTokenHasTheScopePayLater],
    rules: telling((answer) => ({ ...answer, scope: undefined })),
  },
  {
    id: 'loan-token-tells-another-scope',
    story: 'The token answer of the loan sandbox has the scope of the account interface.',
    breaks: [LOA.sandboxTokenHasTheScopePayLater],
    rules: telling((answer) => ({ ...answer, scope: 'PREMIUM_AIS' })),
  },
  {
    id: 'loan-token-tells-its-scope-in-lower-case',
    story: 'The token answer of the loan sandbox has the scope pay_later.',
    breaks: [LOA.sandboxTokenHasTheScopePayLater],
    rules: telling((answer) => ({ ...answer, scope: 'pay_later' })),
  },
  {
    id: 'loan-token-tells-two-scopes',
    story: 'The token answer of the loan sandbox has a second scope next to PAY_LATER.',
    breaks: [LOA.sandboxTokenHasTheScopePayLater],
    rules: telling((answer) => ({ ...answer, scope: 'PAY_LATER PISP' })),
  },
  {
    id: 'loan-token-is-of-the-type-mac',
    story: 'The token_type of a loan sandbox token is mac.',
    breaks: [LOA.sandboxTokenIsABearerToken],
    rules: telling((answer) => ({ ...answer, token_type: 'mac' })),
  },
  {
    id: 'loan-token-has-no-type',
    story: 'The token answer of the loan sandbox has no token_type.',
    breaks: [LOA.sandboxTokenIsABearerToken],
    rules: telling((answer) => without(answer, 'token_type')),
  },
  {
    id: 'loan-token-expires-in-an-hour',
    story: 'expires_in of a loan sandbox token is 3600.',
    breaks: [LOA.sandboxTokenExpiresInADay],
    rules: telling((answer) => ({ ...answer, expires_in: 3600 })),
  },
  {
    id: 'loan-token-expires-in-milliseconds',
    story: 'expires_in of a loan sandbox token counts milliseconds.',
    breaks: [LOA.sandboxTokenExpiresInADay],
    rules: telling((answer) => ({ ...answer, expires_in: DAY_MS })),
  },
  {
    id: 'loan-token-expires-in-a-text',
    story: 'expires_in of a loan sandbox token is a text.',
    breaks: [LOA.sandboxTokenExpiresInAnInteger],
    rules: telling((answer) => ({ ...answer, expires_in: String(answer.expires_in) })),
  },
  {
    id: 'loan-token-tells-no-lifetime',
    story: 'The token answer of the loan sandbox has no expires_in.',
    breaks: [LOA.sandboxTokenExpiresInADay, LOA.sandboxTokenExpiresInAnInteger],
    rules: telling((answer) => without(answer, 'expires_in')),
  },
]

const lifetimes: readonly Defect[] = [
  {
    id: 'loan-token-never-ends',
    story: 'A loan sandbox token lives for ever.',
    breaks: [LOA.sandboxTokenEndsAfterADay],
    rules: { loanTokenIsFresh: () => true },
  },
  {
    id: 'expired-loan-token-is-forbidden',
    story: 'A loan operation with a token that has expired is answered with 403.',
    breaks: [LOA.expiredTokenHasStatus401],
    rules: (lawful) => ({
      refusalStatus: (facts) =>
        facts.error === 'token_expired' && facts.endpoint.startsWith('loan-')
          ? 403
          : lawful.refusalStatus(facts),
    }),
  },
  {
    id: 'loan-token-lives-for-an-hour-more',
    story: 'A loan sandbox token lives for 25 hours.',
    breaks: [LOA.sandboxTokenEndsAfterADay],
    rules: { loanTokenIsFresh: (facts) => ageOf(facts) < DAY_MS + DAY_MS / 24 },
  },
  {
    id: 'loan-token-lives-for-ten-minutes-less',
    story: 'A loan sandbox token ends 10 minutes before its day is over.',
    breaks: [LOA.sandboxTokenLivesForADay],
    rules: { loanTokenIsFresh: (facts) => ageOf(facts) < DAY_MS - 10 * 60_000 },
  },
]

/** Accepts a request without a valid token as one of the client that asked for a token last. */
const welcoming =
  (isWelcome: (caller: Caller) => boolean) =>
  (lawful: Rules): Partial<Rules> => {
    let last: Caller['clients'][number] | undefined
    return {
      loanSecretMatches: (facts) => {
        last = facts.client
        return lawful.loanSecretMatches(facts)
      },
      loanCallerOtherwise: (caller) => (isWelcome(caller) ? last : undefined),
    }
  }

const isBare = ({ value }: Caller): boolean => value === undefined

const doors: readonly Defect[] = [
  {
    id: 'loans-need-no-token',
    story: 'A loan operation needs no token.',
    breaks: [LOA.loanCallWithoutTokenIsRefused],
    rules: welcoming(isBare),
  },
  {
    id: 'precalculation-needs-no-token',
    story: 'A precalculation needs no token.',
    breaks: [LOA.loanCallWithoutTokenIsRefused],
    rules: welcoming((caller) => isBare(caller) && caller.endpoint === 'loan-precalculation'),
  },
  {
    id: 'application-needs-no-token',
    story: 'An application needs no token.',
    breaks: [LOA.loanCallWithoutTokenIsRefused],
    rules: welcoming((caller) => isBare(caller) && caller.endpoint === 'loan-submission'),
  },
  {
    id: 'loan-status-needs-no-token',
    story: 'The status of an application is reported without a token.',
    breaks: [LOA.loanCallWithoutTokenIsRefused],
    rules: welcoming((caller) => isBare(caller) && caller.endpoint === 'loan-status'),
  },
  {
    id: 'cancellation-needs-no-token',
    story: 'An application can be canceled without a token.',
    breaks: [LOA.loanCallWithoutTokenIsRefused],
    rules: welcoming((caller) => isBare(caller) && caller.endpoint === 'loan-cancellation'),
  },
  {
    id: 'any-text-is-a-loan-token',
    story: 'The loan operations accept any text as a token, unless it is a token for another interface.',
    breaks: [LOA.loanCallWithUnknownTokenIsRefused],
    rules: (lawful) => {
      const foreign = new Set<string>()
      return {
        foreignTokenOpensLoans: (facts) => {
          foreign.add(facts.token.value)
          return lawful.foreignTokenOpensLoans(facts)
        },
        ...welcoming(({ value }) => value !== undefined && !foreign.has(value))(lawful),
      }
    },
  },
  {
    id: 'unknown-token-cancels',
    story: 'A DELETE accepts a token that was never issued.',
    breaks: [LOA.loanCallWithUnknownTokenIsRefused, { id: 'ENV-10' }, { id: 'ENV-32' }],
    rules: welcoming((caller) => !isBare(caller) && caller.endpoint === 'loan-cancellation'),
  },
  {
    id: 'loan-secret-is-not-compared',
    story: 'The token endpoint of the loan sandbox compares no secret.',
    breaks: [LOA.wrongSecretGetsNoLoanToken],
    rules: { loanSecretMatches: () => true },
  },
  {
    id: 'loan-secret-is-compared-in-small-letters',
    story: 'The token endpoint of the loan sandbox compares secrets without regard to case.',
    breaks: [LOA.wrongSecretGetsNoLoanToken],
    rules: {
      loanSecretMatches: ({ client, secret }) => client.secret.toLowerCase() === secret.toLowerCase(),
    },
  },
  {
    id: 'loan-secret-is-compared-as-far-as-it-is-known',
    story: 'The token endpoint of the loan sandbox ignores what follows a correct secret.',
    breaks: [LOA.wrongSecretGetsNoLoanToken],
    rules: { loanSecretMatches: ({ client, secret }) => secret.startsWith(client.secret) },
  },
  {
    id: 'any-scope-opens-loans',
    story: 'The token endpoint of the loan sandbox grants any scope, and its tokens open loans.',
    breaks: [LOA.tokenOfAnotherScopeIsRefused],
    rules: { loanScopeIsAccepted: () => true },
  },
]

export const defectsOfTokens: readonly Defect[] = [...answers, ...lifetimes, ...doors]
