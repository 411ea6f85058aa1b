import { PAYMENT_ACCOUNTS } from '../../bank/seed-data.ts'
import {
  AUTHORIZATIONS,
  withDefaults,
  defaultBasePaths,
  DEFAULTS,
  nameFor,
  neededVariables,
  offersPayments,
  portFor,
  without,
  variablesOf,
  type Authorization,
  type PartialAnswers,
  type Refusals,
  type Variant,
} from './answers.ts'
import { isDefaultBasePath, isOffered, offeredVariant, type Probe } from './discovery.ts'
import { BACK, withGoingBack } from './go-back.ts'
import { problemsIn } from './problems.ts'
import type { Prompter } from './prompter.ts'

interface Interview {
  readonly prompter: Prompter
  /** Probes the bank; absent if nothing may be sent. */
  readonly probe?: (given: PartialAnswers) => Promise<Probe>
}

/** The answers so far, and the result of the probe. */
export interface Progress {
  readonly given: PartialAnswers
  readonly probe?: Probe
}

/** Asks for one answer, unless it was given already. */
export type Step = (progress: Progress, interview: Interview) => Promise<PartialAnswers>

interface Question {
  readonly message: string
  readonly preset?: string
  readonly example?: string
  /** Converts the typed text to answers. */
  readonly toAnswers: (answer: string) => PartialAnswers
}

/** Asks until the answer is valid. */
export const ask = async (
  given: PartialAnswers,
  { prompter }: Interview,
  { toAnswers, ...question }: Question,
): Promise<PartialAnswers> => {
  const check = (answer: string): string | undefined => {
    if (answer.trim() === '') return 'expected an answer; press Ctrl-C to stop'
    const [problem] = problemsIn({ ...given, ...toAnswers(answer.trim()) })
    // The question is shown at the terminal, so that the option's name is not needed.
    return problem?.replace(/^--[\w-]+: /, '')
  }
  const answer = await prompter.text({ ...question, check })
  return { ...given, ...toAnswers(answer) }
}

/** Asks for the base URL and the environment; asks for another base URL if nothing answers. */
const askAddress = async (given: PartialAnswers, interview: Interview): Promise<Progress> => {
  const { prompter, probe: probeTarget } = interview
  const asked = await askEnvironment(await askBaseUrl(given, interview), interview)
  if (probeTarget === undefined) return { given: asked }
  const probe = await prompter.withSpinner(`Probing ${withDefaults(asked).baseUrl}`, () => probeTarget(asked))
  if (probe.reached) return { given: asked, probe }
  prompter.tell(`Nothing answers at ${withDefaults(asked).baseUrl}: ${probe.reason}`)
  if (await prompter.confirm('Keep this base URL?', false)) return { given: asked, probe }
  return askAddress(without(asked, 'baseUrl'), interview)
}

const askBaseUrl = async (given: PartialAnswers, interview: Interview): Promise<PartialAnswers> =>
  given.baseUrl === undefined
    ? ask(given, interview, {
        message: 'Base URL: the part of every address before the base path',
        example: 'https://api.bank.example',
        toAnswers: (baseUrl) => ({ baseUrl }),
      })
    : given

const askEnvironment = async (given: PartialAnswers, { prompter }: Interview): Promise<PartialAnswers> => {
  if (given.environment !== undefined) return given
  const environment = await prompter.choose({
    message: 'Environment',
    options: [
      { value: 'sandbox', label: 'sandbox' },
      { value: 'production', label: 'production', hint: 'only read and consent are allowed' },
    ],
    preset: DEFAULTS.environment,
  })
  return { ...given, environment }
}

/** Asks for the base path, if the default one does not answer. */
const askBasePath: Step = async ({ given, probe }, interview) => {
  if (given.basePath !== undefined || probe?.reached !== true) return given
  const { environment } = withDefaults(given)
  const { basePath: found } = probe
  if (found !== undefined && isDefaultBasePath(found, environment)) return given
  interview.prompter.tell(
    found === undefined
      ? 'The account interface does not answer at any common base path.'
      : `The account interface answers at the base path ${found}.`,
  )
  return ask(given, interview, {
    message: 'Base path: the part between the base URL and /v1/accounts; / for none',
    preset: found ?? defaultBasePaths()[environment],
    toAnswers: (basePath) => ({ basePath }),
  })
}

const askName: Step = async ({ given }, interview) => {
  if (given.name !== undefined) return given
  const { baseUrl, environment } = withDefaults(given)
  return ask(given, interview, {
    message: 'Name of the bank in reports',
    preset: nameFor(baseUrl, environment),
    toAnswers: (name) => ({ name }),
  })
}

const askTimeZone: Step = async ({ given }, interview) =>
  given.timeZone !== undefined
    ? given
    : ask(given, interview, {
        message: "The bank's local time zone, which its days and hours follow, such as Europe/Bratislava",
        preset: DEFAULTS.timeZone,
        toAnswers: (timeZone) => ({ timeZone }),
      })

const askRefusals: Step = async ({ given }, { prompter }) => {
  if (given.refusals !== undefined) return given
  const refusals = await prompter.choose<Refusals>({
    message: 'How does the bank refuse a call of its interface?',
    options: [
      { value: 'json', label: 'in JSON, or without a body', hint: 'an HTML page is not its own' },
      { value: 'page', label: 'also with HTML pages' },
      { value: 'unknown', label: 'not known', hint: 'a page counts only where a refusal is expected' },
    ],
    preset: DEFAULTS.refusals,
  })
  return { ...given, refusals }
}

/** Questions about the application that is registered at the bank, and the customer who authorizes it. */

const askKind: Step = async ({ given }, { prompter }) => {
  if (given.kind !== undefined) return given
  const kind = await prompter.choose({
    message: 'Kind of your application at the bank',
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
    message: 'Registered redirect URIs, separated by spaces',
    example: 'https://client.example/callback',
    toAnswers: (answer) => ({ redirectUris: answer.split(/[\s,]+/) }),
  })
  const { redirectUris = [] } = asked
  const onPages = await interview.prompter.chooseSome({
    message: 'For which of them does the bank show the code on a page instead of redirecting?',
    options: redirectUris.map((uri) => ({ value: uri, label: uri })),
    preset: [],
  })
  return {
    ...asked,
    deliveries: redirectUris.map((uri) => (onPages.includes(uri) ? 'result-screen' : 'redirect')),
  }
}

const AUTHORIZATION_LABELS: Readonly<
  Record<Authorization, { readonly label: string; readonly hint: string }>
> = {
  pages: { label: "a recipe for the bank's pages", hint: 'forms that need no script' },
  browser: { label: 'a recipe, in a real browser', hint: 'pages that need scripts; needs a Chromium' },
  person: { label: 'a person, who is sent a link', hint: 'for logins that cannot be automated' },
  tokens: { label: 'no login: tokens are imported', hint: 'only read operations are checked' },
}

const askAuthorization: Step = async ({ given }, { prompter }) => {
  if (given.authorization !== undefined) return given
  const authorization = await prompter.choose({
    message: 'Who logs in and agrees as the customer?',
    options: AUTHORIZATIONS.map((value) => ({ value, ...AUTHORIZATION_LABELS[value] })),
    preset: DEFAULTS.authorization,
  })
  return { ...given, authorization }
}

/** Asks for one prefix of all variable names; names from options are kept. */
const askVariables: Step = async ({ given }, interview) => {
  const { variables = {} } = given
  const named = new Set(Object.values(variables))
  if (neededVariables(withDefaults(given)).every((name) => named.has(name))) return given
  const asked = await ask(given, interview, {
    message: 'Secrets are read from environment variables. Prefix of their names',
    preset: DEFAULTS.prefix,
    toAnswers: (prefix) => ({ variables: { ...variablesOf(prefix), ...variables } }),
  })
  interview.prompter.tell(`The variables are ${neededVariables(withDefaults(asked)).join(', ')}.`)
  return asked
}

const askVariant: Step = async ({ given, probe }, { prompter }) => {
  if (given.variant !== undefined) return given
  const variant = await prompter.choose<Variant>({
    message: 'Which accounts variant does the bank offer?',
    options: [
      { value: 'first', label: 'the first', hint: 'GET /v1/accounts/{account-id}' },
      { value: 'second', label: 'the second', hint: 'POST /api/v1/accounts/information' },
      { value: 'both', label: 'both' },
    ],
    preset: offeredVariant(probe),
  })
  return { ...given, variant }
}

/** Asks for the further interfaces for which no option was given. */
const askOffers: Step = async ({ given, probe }, { prompter }) => {
  const options = [
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
            hint: 'needs a URL that reaches this machine',
          },
        ]
      : []),
  ]
  if (options.length === 0 || given.authorization === 'tokens') return given
  const chosen = await prompter.chooseSome({
    message: 'Which further interfaces are to be checked?',
    options,
    preset: options
      .map(({ value }) => value)
      .filter((value) => value !== 'webhooks' && isOffered(probe, value)),
  })
  return {
    ...given,
    payments: given.payments ?? (offersPayments(given) || chosen.includes('payments')),
    loans: given.loans ?? chosen.includes('loans'),
    ...(chosen.includes('webhooks') && { webhookUrl: '' }),
  }
}

/** An example of a debtor or creditor: an account of the bank itself, if its accounts are known. */
const exampleOf = (side: 'debtor' | 'creditor', probe: Probe | undefined, otherwise: string): string => {
  const { name, iban } = PAYMENT_ACCOUNTS[side]
  return probe?.reached === true && probe.isReferenceBank ? `${name} ${iban}` : otherwise
}

const askDebtor: Step = async ({ given, probe }, interview) =>
  !offersPayments(given) || given.debtor !== undefined
    ? given
    : ask(given, interview, {
        message: "Debtor of payments: name and IBAN of one of the customer's accounts",
        example: exampleOf('debtor', probe, 'Anna Nováková SK2998010000002600001129'),
        toAnswers: (debtor) => ({ debtor }),
      })

const askCreditor: Step = async ({ given, probe }, interview) =>
  !offersPayments(given) || given.creditor !== undefined
    ? given
    : ask(given, interview, {
        message: 'Creditor of payments: name and IBAN',
        example: exampleOf('creditor', probe, 'Ján Novák SK1198010000004000007788'),
        toAnswers: (creditor) => ({ creditor }),
      })

const askWebhook: Step = async ({ given }, interview) => {
  if (given.webhookUrl !== '') return given
  const asked = await ask(without(given, 'webhookUrl'), interview, {
    message: 'Webhook URL that is configured for the application at the bank',
    example: 'https://me.example/webhook',
    toAnswers: (webhookUrl) => ({ webhookUrl }),
  })
  if (asked.webhookPort !== undefined) return asked
  return ask(asked, interview, {
    message: 'Port on this machine that receives requests to this URL',
    preset: String(portFor(withDefaults(asked).webhook?.url ?? '')),
    toAnswers: (port) => ({ webhookPort: /^\d+$/.test(port) ? Number(port) : Number.NaN }),
  })
}

/** The questions, in their order. */
const STEPS: readonly Step[] = [
  askBasePath,
  askName,
  askTimeZone,
  askRefusals,
  askKind,
  askRedirectUris,
  askAuthorization,
  askVariables,
  askVariant,
  askOffers,
  // Right after askOffers, which sets an empty URL that does not validate.
  askWebhook,
  askDebtor,
  askCreditor,
]

/**
 * Asks for the missing answers. Each answer is validated at once, and can be changed at the next question.
 * @throws Cancelled at Ctrl-C.
 */
export const askQuestions = (given: PartialAnswers, interview: Interview): Promise<Progress> => {
  interview.prompter.tell(`Ctrl-C stops, and ${BACK} goes back to the question before.`)
  return withGoingBack(interview.prompter, async (prompter) => {
    const asking = { ...interview, prompter }
    let progress = await askAddress(given, asking)
    for (const step of STEPS) progress = { ...progress, given: await step(progress, asking) }
    return progress
  })
}
