import {
  accept,
  alter,
  answer,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  forAFac,
  forATpp,
  IN_PRODUCTION,
  inProduction,
  refusal,
  when,
  type Answer,
  type Defect,
  type FactsOf,
  type Incoming,
  type Past,
} from '../../shared/changes.ts'
import { AUT } from '../requirements.ts'

/** Customers who are not authenticated, not asked for their decision, or whose decision is ignored. */

type Login = FactsOf<'customerIsAuthenticated'>

const emptyLogin = alter({
  customerOf: (usual, { username, customers }) => (username === '' ? customers[0] : usual),
  customerIsAuthenticated: (usual, { password, customer }) =>
    usual || (password === '' && customer !== undefined),
})

const isWrong = ({ customer, password }: Login): boolean =>
  customer !== undefined && customer.password !== password

/** Adds something to the form of the page after a login. */
const addToForm = (addition: (password: string) => string) => {
  const added = ({ text }: Answer, { form }: Incoming) => ({
    text: text.replace('</form>', `${addition(form.get('password') ?? '')}</form>`),
  })
  return when(
    ({ form }: Incoming) => form.has('password'),
    both(answer('login', added), refusal('login', added)),
  )
}

/** Whether a customer has decided so before, for the same kind of application. */
const hasDecided =
  (decision: 'grant' | 'deny') =>
  ({ client }: Pick<Login, 'client'>, { of }: Past<'decisionGrants'>): boolean =>
    of('decisionGrants').some(({ facts }) => facts.decision === decision && facts.client.kind === client.kind)

/** Whether a customer has granted this consent before, or has denied it. */
const wasAnswered =
  (granted: boolean) =>
  ({ consentId }: FactsOf<'decisionGrants'>, { of }: Past<'decisionGrants'>): boolean =>
    of('decisionGrants').some(({ facts, answer: past }) => past === granted && facts.consentId === consentId)

type Parameters = FactsOf<'returnParameters'>['parameters']

const isDenied = ({ ending }: Pick<FactsOf<'returnLocation'>, 'ending'>): boolean => ending === 'denied'

/** Other parameters of a denial. */
const denial = (change: (usual: Parameters) => Parameters) =>
  when(isDenied, alter({ returnParameters: change }))

const DAY_MS = 24 * 60 * 60 * 1000

/** Whether the first grant to the client is more than 85 days ago. */
const isLate = ({ client, now }: Pick<Login, 'client' | 'now'>, { of }: Past<'steps'>): boolean => {
  const first = of('steps').find(({ facts }) => facts.client.clientId === client.clientId)
  return first !== undefined && now.getTime() - first.facts.now.getTime() > 85 * DAY_MS
}

/** Grants without a page, as the first customer. */
const renewWithoutThePage = alter({
  steps: (usual, facts, past) => (isLate(facts, past) ? [] : usual),
  customerOf: (usual, facts, past) =>
    facts.username === undefined && isLate(facts, past) ? facts.customers[0] : usual,
})

export const decisionDefects: readonly Defect[] = [
  ...defectsOf([AUT.userIsAuthenticated, AUT.wrongPasswordGivesNoCode], {
    'An empty login is accepted as that of the first customer': emptyLogin,
    'For a TPP an empty login is accepted as that of the first customer': forATpp(emptyLogin),
  }),
  ...defectsOf([AUT.userIsAuthenticated, AUT.wrongPasswordGivesNoCode, 'PAY-27', 'PAY-29'], {
    'The customer decides without a login': alter({
      steps: ['decision'],
      customerOf: (usual, { username, customers }) => (username === undefined ? customers[0] : usual),
    }),
  }),
  ...defectsOf([AUT.wrongPasswordGivesNoCode], {
    'Any password is accepted': accept('customerIsAuthenticated', isWrong),
    'An empty password is accepted': accept(
      'customerIsAuthenticated',
      ({ password, customer }) => customer !== undefined && password === '',
    ),
    'In production any password of the right length is accepted': inProduction(
      accept(
        'customerIsAuthenticated',
        ({ password, customer }) => password.length === customer?.password.length,
      ),
    ),
    'The password of any customer is accepted': alter(
      {
        customerIsAuthenticated: (usual, login, { of }) =>
          usual ||
          (isWrong(login) &&
            of('customerOf').some(({ facts }) =>
              facts.customers.some(({ password }) => password === login.password),
            )),
      },
      'customerOf',
    ),
    'Of a password the first 8 characters are compared': accept(
      'customerIsAuthenticated',
      ({ password, customer }) => customer?.password.slice(0, 8) === password.slice(0, 8),
    ),
    'More characters after the right password are ignored': accept(
      'customerIsAuthenticated',
      ({ password, customer }) => customer !== undefined && password.startsWith(customer.password),
    ),
    'A password may lack its last character': accept(
      'customerIsAuthenticated',
      ({ password, customer }) => password === customer?.password.slice(0, -1),
    ),
    'A password is compared without regard to case': accept(
      'customerIsAuthenticated',
      ({ password, customer }) => customer?.password.toLowerCase() === password.toLowerCase(),
    ),
    'After two wrong passwords, a third one is accepted': accept(
      'customerIsAuthenticated',
      (login, { of }) =>
        isWrong(login) && of('customerIsAuthenticated').filter(({ facts }) => isWrong(facts)).length === 2,
    ),
  }),
  ...defectsOf([AUT.failedLoginRepeatsNoPassword], {
    'The page after a login contains the password': addToForm((password) => `<p>${password}</p>`),
    'The page after a login contains the password in a hidden field, in base64': addToForm(
      (password) => `<input type="hidden" name="last" value="${Buffer.from(password).toString('base64')}">`,
    ),
  }),
  ...defectsOf([AUT.noCodeBeforeTheUserGrants], {
    'A login grants access without a decision': each(
      [EVERYWHERE, IN_PRODUCTION],
      alter({ steps: ['login'] }),
    ),
  }),
  ...defectsOf([AUT.denialGivesNoCode], {
    'Both buttons grant': accept('decisionGrants'),
    'Both buttons grant, for a FAC': forAFac(accept('decisionGrants')),
    'After a grant to a TPP, a denial grants too': forATpp(accept('decisionGrants', hasDecided('grant'))),
    // A customer who has denied may be asked again, which is permitted.
    'A second denial of the same consent grants': forATpp(
      alter({
        consentAfterDecision: (_, { consent, granted }) => (granted ? 'valid' : consent.status),
        decisionGrants: (usual, facts, past) => usual || wasAnswered(false)(facts, past),
      }),
    ),
    'The denial of a renewal grants': forATpp(accept('decisionGrants', wasAnswered(true))),
    'A second denial to a FAC grants': forAFac(accept('decisionGrants', hasDecided('deny'))),
  }),
  ...defectsOf([AUT.denialIsReportedAsAccessDenied], {
    'A denial is reported as server_error': denial((usual) => ({ ...usual, error: 'server_error' })),
    'A denial is sent back with the state only': denial(({ state }) =>
      state === undefined ? {} : { state },
    ),
    'A denial is sent to the home page of the application': when(
      isDenied,
      alter({ returnLocation: (usual) => new URL(`/${new URL(usual).search}`, usual).href }),
    ),
  }),
  ...defectsOf([AUT.renewalAsksTheUser], {
    '85 days after the first grant, a code is given without a page': renewWithoutThePage,
    '85 days after the first grant, a TPP is given a code without a page': forATpp(renewWithoutThePage),
  }),
]
