import * as prompts from '@clack/prompts'
import ora from 'ora'
import {
  AUTHORIZATIONS,
  completed,
  defaultBasePaths,
  DEFAULTS,
  nameFor,
  neededVariables,
  offersPayments,
  portFor,
  unsaid,
  variablesOf,
  type Authorization,
  type Given,
  type Variant,
} from './answers.ts'
import { isUsual, showing, variantSeen, type Look } from './discovery.ts'
import { complaintsAbout } from './problems.ts'

interface Interview {
  readonly interviewer: Interviewer
  /** Looks what answers; left out, nothing is sent. */
  readonly look?: (given: Given) => Promise<Look>
}

/** What has been said, and what the bank showed meanwhile. */
export interface Progress {
  readonly given: Given
  readonly look?: Look
}

/** Asks for one thing, unless it was said already. */
export type Step = (progress: Progress, interview: Interview) => Promise<Given>

interface Question {
  readonly message: string
  readonly preset?: string
  readonly example?: string
  /** What an answer says. */
  readonly say: (answer: string) => Given
}

/** Asks until nothing is wrong with the answer. */
export const ask = async (
  given: Given,
  { interviewer }: Interview,
  { say, ...question }: Question,
): Promise<Given> => {
  const check = (answer: string): string | undefined => {
    if (answer.trim() === '') return 'expected an answer; Ctrl-C ends the questions'
    const [complaint] = complaintsAbout({ ...given, ...say(answer.trim()) })
    // Whoever answers a question has used no option.
    return complaint?.replace(/^--[\w-]+: /, '')
  }
  const answer = await interviewer.text({ ...question, check })
  return { ...given, ...say(answer) }
}

/** Where the bank is, and what it is called. A bank that does not answer is asked for again. */
const askAddress = async (given: Given, interview: Interview): Promise<Progress> => {
  const { interviewer, look: lookAt } = interview
  const asked = await askEnvironment(await askBaseUrl(given, interview), interview)
  if (lookAt === undefined) return { given: asked }
  const look = await interviewer.during(`Looking at ${completed(asked).baseUrl}`, () => lookAt(asked))
  if (look.reached) return { given: asked, look }
  interviewer.tell(`Nothing answers at ${completed(asked).baseUrl}: ${look.because}`)
  if (await interviewer.confirm('Keep this base URL?', false)) return { given: asked, look }
  return askAddress(unsaid(asked, 'baseUrl'), interview)
}

const askBaseUrl = async (given: Given, interview: Interview): Promise<Given> =>
  given.baseUrl === undefined
    ? ask(given, interview, {
        message: "Base URL: what the bank's documentation writes before every path",
        example: 'https://api.bank.example',
        say: (baseUrl) => ({ baseUrl }),
      })
    : given

const askEnvironment = async (given: Given, { interviewer }: Interview): Promise<Given> => {
  if (given.environment !== undefined) return given
  const environment = await interviewer.choose({
    message: 'Environment',
    options: [
      { value: 'sandbox', label: 'sandbox' },
      { value: 'production', label: 'production', hint: 'read and consent are allowed, and nothing else' },
    ],
    preset: DEFAULTS.environment,
  })
  return { ...given, environment }
}

/** Asked where the usual one does not answer. */
const askBasePath: Step = async ({ given, look }, interview) => {
  if (given.basePath !== undefined || look?.reached !== true) return given
  const { environment } = completed(given)
  const { basePath: found } = look
  if (found !== undefined && isUsual(found, environment)) return given
  interview.interviewer.tell(
    found === undefined
      ? 'None of the usual base paths answers as accounts do.'
      : `The account interface answers at the base path ${found}.`,
  )
  return ask(given, interview, {
    message: 'Base path: the part between the base URL and /v1/accounts; / for none',
    preset: found ?? defaultBasePaths()[environment],
    say: (basePath) => ({ basePath }),
  })
}

const askName: Step = async ({ given }, interview) => {
  if (given.name !== undefined) return given
  const { baseUrl, environment } = completed(given)
  return ask(given, interview, {
    message: 'Name of the bank, as reports show it',
    preset: nameFor(baseUrl, environment),
    say: (name) => ({ name }),
  })
}

/** The application that is registered at the bank, and the customer who authorizes it. */

const askKind: Step = async ({ given }, { interviewer }) => {
  if (given.kind !== undefined) return given
  const kind = await interviewer.choose({
    message: 'What kind of application is registered for you there?',
    options: [
      { value: 'TPP', label: 'TPP', hint: 'acts for its customers' },
      { value: 'FAC', label: 'FAC', hint: 'uses its own data' },
    ],
    preset: DEFAULTS.kind,
  })
  return { ...given, kind }
}

const askRedirectUris: Step = async ({ given }, interview) => {
  if (given.redirectUris !== undefined) return given
  const asked = await ask(given, interview, {
    message: 'Redirect URIs, as they are registered (a blank between several)',
    example: 'https://client.example/callback',
    say: (answer) => ({ redirectUris: answer.split(/[\s,]+/) }),
  })
  const { redirectUris = [] } = asked
  const shown = await interview.interviewer.chooseSome({
    message: 'At which of them does the bank show the code on a page of its own, instead of redirecting?',
    options: redirectUris.map((uri) => ({ value: uri, label: uri })),
    preset: [],
  })
  return {
    ...asked,
    deliveries: redirectUris.map((uri) => (shown.includes(uri) ? 'result-screen' : 'redirect')),
  }
}

const WAYS: Readonly<Record<Authorization, { readonly label: string; readonly hint: string }>> = {
  pages: { label: "a recipe for the bank's pages", hint: 'forms that need no script' },
  browser: { label: 'a recipe, in a real browser', hint: 'pages that need scripts; needs a Chromium' },
  person: { label: 'a person, who is shown a link', hint: 'for what no recipe can do' },
  tokens: { label: 'not needed: there are tokens already', hint: 'only read operations are judged' },
}

const askAuthorization: Step = async ({ given }, { interviewer }) => {
  if (given.authorization !== undefined) return given
  const authorization = await interviewer.choose({
    message: 'Who logs in and agrees as the customer?',
    options: AUTHORIZATIONS.map((value) => ({ value, ...WAYS[value] })),
    preset: DEFAULTS.authorization,
  })
  return { ...given, authorization }
}

/** One question for all of them; a name that was given by an option stays. */
const askVariables: Step = async ({ given }, interview) => {
  const { variables = {} } = given
  const named = new Set(Object.values(variables))
  if (neededVariables(completed(given)).every((name) => named.has(name))) return given
  const asked = await ask(given, interview, {
    message: 'Secrets are read from environment variables. What do the names of these begin with?',
    preset: DEFAULTS.prefix,
    say: (prefix) => ({ variables: { ...variablesOf(prefix), ...variables } }),
  })
  interview.interviewer.tell(`They are ${neededVariables(completed(asked)).join(', ')}.`)
  return asked
}

const askVariant: Step = async ({ given, look }, { interviewer }) => {
  if (given.variant !== undefined) return given
  const variant = await interviewer.choose<Variant>({
    message: 'Which accounts variant does it offer?',
    options: [
      { value: 'first', label: 'the first', hint: 'GET /v1/accounts/{account-id}' },
      { value: 'second', label: 'the second', hint: 'POST /api/v1/accounts/information' },
      { value: 'both', label: 'both' },
    ],
    preset: variantSeen(look),
  })
  return { ...given, variant }
}

/** Asked only for what no option has spoken of. */
const askOffers: Step = async ({ given, look }, { interviewer }) => {
  const open = [
    ...(given.payments === undefined && !offersPayments(given)
      ? [{ value: 'payments' as const, label: 'payments', hint: 'needs a debtor and a creditor' }]
      : []),
    ...(given.loans === undefined
      ? [{ value: 'loans' as const, label: 'instalment loans', hint: 'their sandbox' }]
      : []),
    ...(given.webhookUrl === undefined
      ? [
          {
            value: 'webhooks' as const,
            label: 'notifications',
            hint: 'needs an address that reaches this machine',
          },
        ]
      : []),
  ]
  if (open.length === 0 || given.authorization === 'tokens') return given
  const chosen = await interviewer.chooseSome({
    message: 'What else is to be judged?',
    options: open,
    preset: open.map(({ value }) => value).filter((value) => value !== 'webhooks' && showing(look, value)),
  })
  return {
    ...given,
    payments: given.payments ?? (offersPayments(given) || chosen.includes('payments')),
    loans: given.loans ?? chosen.includes('loans'),
    ...(chosen.includes('webhooks') && { webhookUrl: '' }),
  }
}

const askDebtor: Step = async ({ given }, interview) =>
  !offersPayments(given) || given.debtor !== undefined
    ? given
    : ask(given, interview, {
        message: "Name and IBAN of one of the customer's accounts, from which payments go",
        example: 'Anna Nováková SK2998010000002600001129',
        say: (debtor) => ({ debtor }),
      })

const askCreditor: Step = async ({ given }, interview) =>
  !offersPayments(given) || given.creditor !== undefined
    ? given
    : ask(given, interview, {
        message: 'Name and IBAN of the account to which they go',
        example: 'Ján Novák SK1198010000004000007788',
        say: (creditor) => ({ creditor }),
      })

const askWebhook: Step = async ({ given }, interview) => {
  if (given.webhookUrl !== '') return given
  const asked = await ask(unsaid(given, 'webhookUrl'), interview, {
    message: 'Webhook URL, as it is set for the application at the bank',
    example: 'https://me.example/webhook',
    say: (webhookUrl) => ({ webhookUrl }),
  })
  if (asked.webhookPort !== undefined) return asked
  return ask(asked, interview, {
    message: 'Port on this machine to which that address leads',
    preset: String(portFor(completed(asked).webhook?.url ?? '')),
    say: (port) => ({ webhookPort: /^\d+$/.test(port) ? Number(port) : Number.NaN }),
  })
}

/** In the order in which the owner of a target knows the answers. */
const STEPS: readonly Step[] = [
  askBasePath,
  askName,
  askKind,
  askRedirectUris,
  askAuthorization,
  askVariables,
  askVariant,
  askOffers,
  // It puts an address in the place of what stands for one until then.
  askWebhook,
  askDebtor,
  askCreditor,
]

/**
 * Asks for what was not said yet. Each answer is checked at once.
 * @throws Cancelled at Ctrl-C.
 */
export const conductInterview = async (given: Given, interview: Interview): Promise<Progress> => {
  let progress = await askAddress(given, interview)
  for (const step of STEPS) progress = { ...progress, given: await step(progress, interview) }
  return progress
}

/** Who asks the questions: a terminal, or a test that knows the answers. */
export interface Interviewer {
  /** Asks until `check` has nothing against the answer; Enter alone gives `preset`. */
  text(question: TextQuestion): Promise<string>
  choose<Value extends string>(question: Choice<Value>): Promise<Value>
  /** Any number of them, and none too. */
  chooseSome<Value extends string>(question: Some<Value>): Promise<readonly Value[]>
  confirm(message: string, preset: boolean): Promise<boolean>
  tell(line: string): void
  /** Shows that something takes its time. */
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>
}

interface TextQuestion {
  readonly message: string
  readonly preset?: string
  /** What an answer looks like, where none is preset. */
  readonly example?: string
  readonly check: (answer: string) => string | undefined
}

interface Option<Value> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

export interface Choice<Value> {
  readonly message: string
  readonly options: readonly Option<Value>[]
  readonly preset: Value
}

export interface Some<Value> {
  readonly message: string
  readonly options: readonly Option<Value>[]
  readonly preset: readonly Value[]
}

/** Ctrl-C. Its message says what has been written until then. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Questions at a terminal. */
export const terminalInterviewer: Interviewer = {
  async text({ message, preset, example, check }: TextQuestion) {
    const hint = preset ?? example
    const answer = await prompts.text({
      message,
      ...(hint !== undefined && { placeholder: hint }),
      ...(preset !== undefined && { defaultValue: preset }),
      validate: (typed) => check(typed?.trim() || (preset ?? '')),
    })
    return settled(answer).trim()
  },

  async choose<Value extends string>({ message, options, preset }: Choice<Value>) {
    const answer = await prompts.select<string>({ message, options: [...options], initialValue: preset })
    return settled(answer) as Value
  },

  async chooseSome<Value extends string>({ message, options, preset }: Some<Value>) {
    const answer = await prompts.multiselect<string>({
      message,
      options,
      initialValues: preset,
      required: false,
    })
    return settled(answer) as readonly string[] as readonly Value[]
  },

  async confirm(message, preset) {
    return settled(await prompts.confirm({ message, initialValue: preset }))
  },

  tell: (line) => prompts.log.message(line),

  async during(title, work) {
    // The spinner of the prompts would take Ctrl-C for a good end of the process.
    const spinner = ora({ text: title, discardStdin: false }).start()
    try {
      return await work()
    } finally {
      spinner.stop()
    }
  },
}

const settled = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
  if (prompts.isCancel(answer)) throw new Cancelled('nothing was written')
  return answer as Exclude<Answer, symbol>
}
