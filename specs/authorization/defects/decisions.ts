import { breaking, isOfAFac, isOfATpp, on, rewordingAnswers, where } from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { AUT } from '../requirements.ts'

/** Customers who are not authenticated, not asked for their decision, or whose decision is ignored. */

type Login = Parameters<Rules['customerIsAuthenticated']>[0]

/** Accepts other passwords too. */
const admitting =
  (admits: (facts: Login) => boolean): RuleChange =>
  (lawful) => ({
    customerIsAuthenticated: async (facts) =>
      (facts.customer !== undefined && admits(facts)) || lawful.customerIsAuthenticated(facts),
  })

const logins: readonly Defect[] = [
  ...breaking(AUT.userIsAuthenticated, {
    'login-may-be-empty': {
      story: 'An empty login is accepted as that of the first customer.',
      rules: (lawful) => ({
        customerOf: (facts) => (facts.username === '' ? facts.customers[0] : lawful.customerOf(facts)),
        customerIsAuthenticated: async (facts) =>
          (facts.password === '' && facts.customer !== undefined) || lawful.customerIsAuthenticated(facts),
      }),
    },
    'login-for-a-tpp-may-be-empty': {
      story: 'An empty login is accepted as that of the first customer, for a TPP.',
      rules: (lawful) => ({
        customerOf: (facts) =>
          facts.username === '' && facts.client.kind === 'TPP'
            ? facts.customers[0]
            : lawful.customerOf(facts),
        customerIsAuthenticated: async (facts) =>
          (facts.password === '' && facts.customer !== undefined) || lawful.customerIsAuthenticated(facts),
      }),
    },
    'nobody-is-asked-to-log-in': {
      story: 'The customer decides without a login.',
      // The page offers no account of the second customer, so that the lists of that customer are not reached.
      alsoBreaks: [AUT.wrongPasswordGivesNoCode],
      rules: (lawful) => ({
        steps: () => ['decision'],
        customerOf: (facts) => (facts.username === undefined ? facts.customers[0] : lawful.customerOf(facts)),
      }),
    },
  }),
  ...breaking(AUT.wrongPasswordGivesNoCode, {
    'every-password-is-right': {
      story: 'Any password is accepted.',
      rules: admitting(() => true),
    },
    'password-is-compared-by-its-length-in-production': {
      story: 'In production any password of the right length is accepted.',
      environment: 'production',
      rules: admitting(({ password, customer }) => password.length === customer?.password.length),
    },
    'password-of-another-customer-is-right': {
      story: 'The password of any customer is accepted.',
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
    'third-wrong-password-passes': {
      story: 'After two wrong passwords, a third one is accepted.',
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
  }),
]

/** Adds something to the page after a failed login. */
const addingToTheLogin = (addition: (password: string) => string): Wire =>
  rewordingAnswers(on('POST', /\/visits\//), ({ status, text }, { form }) => {
    const password = form.get('password')
    return password === null || (status >= 300 && status < 400)
      ? undefined
      : {
          headers: { 'content-type': 'text/html' },
          text: text.replace('</form>', `${addition(password)}</form>`),
        }
  })

const passwords: readonly Defect[] = [
  ...breaking(AUT.failedLoginRepeatsNoPassword, {
    'failed-login-repeats-the-password': {
      story: 'After a wrong password the page contains the password.',
      wire: addingToTheLogin((password) => `<p>${password}</p>`),
    },
    'failed-login-remembers-the-password': {
      story: 'After a wrong password the form contains it in a hidden field, in base64.',
      wire: addingToTheLogin(
        (password) => `<input type="hidden" name="last" value="${Buffer.from(password).toString('base64')}">`,
      ),
    },
  }),
]

const decisions: readonly Defect[] = [
  ...breaking(AUT.noCodeBeforeTheUserGrants, {
    'login-grants': {
      story: 'A login grants without a decision.',
      rules: { steps: () => ['login'] },
      inProduction: 'login-grants-in-production',
    },
    'login-grants-a-tpp': {
      story: 'A login grants without a decision, for a TPP.',
      rules: where(isOfATpp, { steps: () => ['login'] }),
    },
  }),
  ...breaking(AUT.denialGivesNoCode, {
    'denial-grants': {
      story: 'Both buttons grant.',
      rules: { decisionGrants: () => true },
    },
    'denial-grants-a-fac': {
      story: 'Both buttons grant, for a FAC.',
      rules: where(isOfAFac, { decisionGrants: () => true }),
    },
    'denial-after-a-grant-grants': {
      story: 'After a grant to a TPP, a denial grants too.',
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
    'second-denial-grants': {
      story: 'A second denial of the same consent grants.',
      rules: (lawful) => {
        const denied = new Set<string>()
        return {
          // A customer who has denied may be asked again, which is permitted.
          consentAfterDecision: ({ consent, granted }) => (granted ? 'valid' : consent.status),
          decisionGrants: (facts) => {
            const isGranted = lawful.decisionGrants(facts) || denied.has(facts.consentId ?? '')
            if (!isGranted && facts.consentId !== undefined) denied.add(facts.consentId)
            return isGranted
          },
        }
      },
    },
    'second-denial-of-a-fac-grants': {
      story: 'A second denial to a FAC grants.',
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
  }),
]

/** Changes the parameters that a denial is sent back with. */
const denying =
  (edit: (parameters: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): RuleChange =>
  (lawful) => ({
    returnParameters: (facts) => {
      const parameters = lawful.returnParameters(facts)
      return facts.ending === 'denied' ? edit(parameters) : parameters
    },
  })

const denials: readonly Defect[] = [
  ...breaking(AUT.denialIsReportedAsAccessDenied, {
    'denial-is-a-server-error': {
      story: 'A denial is reported as server_error.',
      rules: denying((parameters) => ({ ...parameters, error: 'server_error' })),
    },
    'denial-has-no-error': {
      story: 'A denial is sent back with the state only.',
      rules: denying(({ state = '' }) => (state === '' ? {} : { state })),
    },
    'denial-goes-to-the-home-page': {
      story: 'A denial is sent to the home page of the application.',
      rules: (lawful) => ({
        returnLocation: (facts) => {
          const location = lawful.returnLocation(facts)
          const { origin, search } = new URL(location)
          return facts.ending === 'denied' ? `${origin}/${search}` : location
        },
      }),
    },
  }),
]

const DAY_MS = 24 * 60 * 60 * 1000

/** Grants without a page from 85 days after the first grant to the client on, as the first customer. */
const renewingWithoutTheUser =
  (applies: (facts: Pick<Login, 'client'>) => boolean): RuleChange =>
  (lawful) => {
    const firstAt = new Map<string, number>()
    const isLate = ({ client, now }: Pick<Login, 'client' | 'now'>): boolean =>
      applies({ client }) && now.getTime() - (firstAt.get(client.clientId) ?? now.getTime()) > 85 * DAY_MS
    return {
      steps: (facts) => {
        if (!firstAt.has(facts.client.clientId)) firstAt.set(facts.client.clientId, facts.now.getTime())
        return isLate(facts) ? [] : lawful.steps(facts)
      },
      customerOf: (facts) =>
        facts.username === undefined && isLate(facts) ? facts.customers[0] : lawful.customerOf(facts),
    }
  }

const renewals: readonly Defect[] = breaking(AUT.renewalAsksTheUser, {
  'renewal-asks-nobody': {
    story: 'From 85 days after the first grant on, every authorization request gives a code without a page.',
    rules: renewingWithoutTheUser(() => true),
  },
  'renewal-of-a-tpp-asks-nobody': {
    story: 'From 85 days after the first grant on, a TPP is given a code without a page.',
    rules: renewingWithoutTheUser(isOfATpp),
  },
})

export const decisionDefects: readonly Defect[] = [
  ...logins,
  ...passwords,
  ...decisions,
  ...denials,
  ...renewals,
]
