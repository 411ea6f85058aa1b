import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { AUT } from './requirements.ts'

/** Customers who are not known, not asked, or not heard. */

type Login = Parameters<Rules['customerIsAuthenticated']>[0]

/** Lets a customer in with another password than the right one. */
const admitting =
  (admits: (facts: Login) => boolean): RuleChange =>
  (lawful) => ({
    customerIsAuthenticated: async (facts) =>
      (facts.customer !== undefined && admits(facts)) || lawful.customerIsAuthenticated(facts),
  })

const logins: readonly Defect[] = [
  {
    id: 'login-may-be-empty',
    story: 'A login with nothing typed is that of the first customer.',
    breaks: [AUT.userIsAuthenticated],
    rules: (lawful) => ({
      customerOf: (facts) => (facts.username === '' ? facts.customers[0] : lawful.customerOf(facts)),
      customerIsAuthenticated: async (facts) =>
        (facts.password === '' && facts.customer !== undefined) || lawful.customerIsAuthenticated(facts),
    }),
  },
  {
    id: 'login-for-a-tpp-may-be-empty',
    story: 'A login with nothing typed passes, if it is for a TPP.',
    breaks: [AUT.userIsAuthenticated],
    rules: (lawful) => ({
      customerOf: (facts) =>
        facts.username === '' && facts.client.kind === 'TPP' ? facts.customers[0] : lawful.customerOf(facts),
      customerIsAuthenticated: async (facts) =>
        (facts.password === '' && facts.customer !== undefined) || lawful.customerIsAuthenticated(facts),
    }),
  },
  {
    id: 'nobody-is-asked-to-log-in',
    story: 'The customer is asked to grant, and not who they are.',
    breaks: [
      AUT.userIsAuthenticated,
      AUT.wrongPasswordGivesNoCode,
      { id: 'ACC-01' },
      { id: 'ACC-14' },
      { id: 'ACC-02' },
      { id: 'ACC-15' },
    ],
    rules: (lawful) => ({
      steps: () => ['decision'],
      customerOf: (facts) => (facts.username === undefined ? facts.customers[0] : lawful.customerOf(facts)),
    }),
  },
  {
    id: 'every-password-is-right',
    story: 'The user name is looked at, and the password is not.',
    breaks: [AUT.wrongPasswordGivesNoCode],
    rules: admitting(() => true),
  },
  {
    id: 'password-is-compared-by-its-length-in-production',
    story: 'In production every password of the right length is right.',
    breaks: [AUT.wrongPasswordGivesNoCode],
    environment: 'production',
    rules: admitting(({ password, customer }) => password.length === customer?.password.length),
  },
  {
    id: 'password-of-another-customer-is-right',
    story: 'The password is looked for among those of all customers.',
    breaks: [AUT.wrongPasswordGivesNoCode],
    rules: (lawful) => {
      let passwords: readonly string[] = []
      return {
        customerOf: (facts) => {
          passwords = facts.customers.map(({ password }) => password)
          return lawful.customerOf(facts)
        },
        customerIsAuthenticated: async (facts) =>
          (facts.customer !== undefined && passwords.includes(facts.password)) ||
          lawful.customerIsAuthenticated(facts),
      }
    },
  },
  {
    id: 'third-wrong-password-passes',
    story: 'After two wrong passwords a customer is let in with a third.',
    breaks: [AUT.wrongPasswordGivesNoCode],
    rules: (lawful) => {
      let wrong = 0
      return {
        customerIsAuthenticated: async (facts) => {
          if (facts.customer === undefined || (await lawful.customerIsAuthenticated(facts)))
            return lawful.customerIsAuthenticated(facts)
          wrong += 1
          return wrong === 3
        },
      }
    },
  },
]

/** Adds something to the page that follows a login which failed. */
const addingToTheLogin =
  (addition: (password: string) => string): Wire =>
  (next) =>
  async (request) => {
    const form = new URLSearchParams(request.method === 'POST' ? await request.clone().text() : '')
    const response = await next(request)
    const password = form.get('password')
    if (password === null || !new URL(request.url).pathname.includes('/visits/')) return response
    if (response.status < 200 || (response.status >= 300 && response.status < 400)) return response
    const text = (await response.text()).replace('</form>', `${addition(password)}</form>`)
    return new Response(text, { status: response.status, headers: { 'content-type': 'text/html' } })
  }

const passwords: readonly Defect[] = [
  {
    id: 'failed-login-repeats-the-password',
    story: 'After a wrong password the page says what was typed.',
    breaks: [AUT.failedLoginRepeatsNoPassword],
    wire: addingToTheLogin((password) => `<p>${password}</p>`),
  },
  {
    id: 'failed-login-remembers-the-password',
    story: 'After a wrong password the form has it in a hidden field, in base64.',
    breaks: [AUT.failedLoginRepeatsNoPassword],
    wire: addingToTheLogin(
      (password) => `<input type="hidden" name="last" value="${Buffer.from(password).toString('base64')}">`,
    ),
  },
]

const decisions: readonly Defect[] = [
  {
    id: 'login-grants',
    story: 'A customer who has logged in is taken to have granted.',
    breaks: [AUT.noCodeBeforeTheUserGrants],
    rules: { steps: () => ['login'] },
  },
  {
    id: 'login-grants-a-tpp',
    story: 'A customer who has logged in is taken to have granted whatever a TPP asks for.',
    breaks: [AUT.noCodeBeforeTheUserGrants],
    rules: (lawful) => ({
      steps: (facts) => (facts.client.kind === 'TPP' ? ['login'] : lawful.steps(facts)),
    }),
  },
  {
    id: 'login-grants-in-production',
    story: 'In production a customer who has logged in is taken to have granted.',
    breaks: [AUT.noCodeBeforeTheUserGrants],
    environment: 'production',
    rules: { steps: () => ['login'] },
  },
  {
    id: 'denial-grants',
    story: 'Both buttons grant.',
    breaks: [AUT.denialGivesNoCode],
    rules: { decisionGrants: () => true },
  },
  {
    id: 'denial-grants-a-fac',
    story: 'Both buttons grant, if it is a FAC that asks.',
    breaks: [AUT.denialGivesNoCode],
    rules: (lawful) => ({
      decisionGrants: (facts) => facts.client.kind === 'FAC' || lawful.decisionGrants(facts),
    }),
  },
  {
    id: 'denial-after-a-grant-grants',
    story: 'Whoever has granted a TPP one consent is not heard when they deny it the next.',
    breaks: [AUT.denialGivesNoCode],
    rules: (lawful) => {
      let granted = 0
      return {
        decisionGrants: (facts) => {
          if (facts.client.kind === 'TPP' && facts.decision === 'grant') granted += 1
          return (facts.client.kind === 'TPP' && granted > 0) || lawful.decisionGrants(facts)
        },
      }
    },
  },
  {
    id: 'second-denial-grants',
    story: 'Whoever denies a TPP a consent for the second time is taken to have granted it.',
    breaks: [AUT.denialGivesNoCode],
    rules: (lawful) => {
      const denied = new Set<string>()
      return {
        // Who has denied may be asked again, which is right.
        consentAfterDecision: ({ consent, granted }) => (granted ? 'valid' : consent.status),
        decisionGrants: (facts) => {
          const isGranted = lawful.decisionGrants(facts) || denied.has(facts.consentId ?? '')
          if (!isGranted && facts.consentId !== undefined) denied.add(facts.consentId)
          return isGranted
        },
      }
    },
  },
  {
    id: 'second-denial-of-a-fac-grants',
    story: 'A FAC whose user has denied twice is given a code.',
    breaks: [AUT.denialGivesNoCode],
    rules: (lawful) => {
      let denials = 0
      return {
        decisionGrants: (facts) => {
          if (facts.client.kind === 'FAC' && !lawful.decisionGrants(facts)) denials += 1
          return (facts.client.kind === 'FAC' && denials > 1) || lawful.decisionGrants(facts)
        },
      }
    },
  },
]

/** Changes what a denial is sent back with. */
const denying =
  (edit: (parameters: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): RuleChange =>
  (lawful) => ({
    returnParameters: (facts) => {
      const parameters = lawful.returnParameters(facts)
      return facts.ending === 'denied' ? edit(parameters) : parameters
    },
  })

const denials: readonly Defect[] = [
  {
    id: 'denial-is-a-server-error',
    story: 'A denial is reported as server_error.',
    breaks: [AUT.denialIsReportedAsAccessDenied],
    rules: denying((parameters) => ({ ...parameters, error: 'server_error' })),
  },
  {
    id: 'denial-has-no-error',
    story: 'A denial is sent back with the state, and nothing else.',
    breaks: [AUT.denialIsReportedAsAccessDenied],
    rules: denying(({ state = '' }) => (state === '' ? {} : { state })),
  },
  {
    id: 'denial-goes-to-the-home-page',
    story: 'A denial is reported to the home page of the application.',
    breaks: [AUT.denialIsReportedAsAccessDenied],
    rules: (lawful) => ({
      returnLocation: (facts) => {
        const location = lawful.returnLocation(facts)
        const { origin, search } = new URL(location)
        return facts.ending === 'denied' ? `${origin}/${search}` : location
      },
    }),
  },
]

export const defectsOfDeciding: readonly Defect[] = [...logins, ...passwords, ...decisions, ...denials]
