import {
  AUTHORIZATIONS,
  followsRecipe,
  forFirstLogin,
  isAuthorized,
  PROVOCATIONS,
  rowOf,
  withDefaults,
  type Answers,
  type Key,
  type PartialAnswers,
  type Question,
} from './answers.ts'
import { redirectUrisIn, wordsOf } from './typed-items.ts'
import { problemsIn, unsetVariables } from './profile-input.ts'
import type { Probe } from './discovery.ts'
import type { Prompter } from './prompter.ts'

/** The questions at a terminal; each other answer is an option. */

interface Interview {
  readonly prompter: Prompter
  readonly env: NodeJS.ProcessEnv
  /** Probes the bank; absent if nothing may be sent. */
  readonly probe?: (given: PartialAnswers) => Promise<Probe>
}

/** The answers so far, and the result of the probe. */
export interface Progress {
  readonly given: PartialAnswers
  readonly probe?: Probe
  readonly login?: string
}

/** What is typed to go back to the question before, and the choice that does so. */
const BACK = '<'

interface Step {
  readonly key: Key
  readonly isAsked?: (progress: Progress) => boolean
  /** The choices that are possible; the first one is marked. */
  readonly choices?: (progress: Progress, interview: Interview) => readonly string[]
  readonly toAnswers?: (value: string) => PartialAnswers
}

const toRedirectUris = (typed: string): PartialAnswers => {
  const uris = redirectUrisIn(wordsOf(typed))
  return { redirectUri: uris.map(({ uri }) => uri), delivery: uris.map(({ delivery }) => delivery) }
}

/** As the row of the answer has it: a text, texts between commas, or whether yes was chosen. */
const valueOf = (typed: string, usual: unknown): unknown => {
  if (typeof usual === 'boolean') return typed === 'yes'
  return Array.isArray(usual) ? typed.split(',').flatMap((text) => text.trim() || []) : typed
}

/** The pages can be searched only if the bank answers, and the variables with the credentials are set. */
const loginChoices = ({ given, probe }: Progress, { env }: Interview): readonly string[] => {
  const answers = withDefaults(given)
  const unset = unsetVariables(forFirstLogin(answers), env)
  const canOpen = ![answers.clientIdEnv, answers.clientSecretEnv].some((name) => unset.includes(name))
  const searches =
    probe?.reached !== true || !canOpen
      ? []
      : unset.length > 0
        ? ['first']
        : answers.environment === 'sandbox'
          ? ['all', 'first']
          : ['first', 'all']
  return [...searches, 'not', ...AUTHORIZATIONS]
}

const hasCustomers = ({ given }: Progress): boolean => isAuthorized(withDefaults(given))

/** Imported tokens allow reading only. An application that only takes out loans checks these alone. */
const isOffered =
  (what: 'payments' | 'loans' | 'testHooks') =>
  (progress: Progress): boolean =>
    progress.probe?.reached === true &&
    progress.probe[what] === 'present' &&
    progress.given.authorization !== 'tokens' &&
    (what === 'testHooks' || hasCustomers(progress))

const paysIn = ({ given }: Progress): boolean => withDefaults(given).payments

const STEPS: readonly Step[] = [
  { key: 'environment' },
  { key: 'baseUrl' },
  { key: 'kind' },
  { key: 'redirectUri', isAsked: hasCustomers, toAnswers: toRedirectUris },
  { key: 'furtherApplications' },
  {
    key: 'authorization',
    isAsked: hasCustomers,
    choices: loginChoices,
    toAnswers: (value) => ({ authorization: AUTHORIZATIONS.find((kind) => kind === value) ?? 'pages' }),
  },
  { key: 'furtherCustomers', isAsked: ({ given }) => followsRecipe(withDefaults(given)) },
  {
    key: 'debtor',
    isAsked: (progress) => progress.given.payments ?? isOffered('payments')(progress),
    toAnswers: (debtor) => (debtor === '' ? { payments: false } : { debtor }),
  },
  { key: 'creditor', isAsked: paysIn },
  {
    key: 'provocations',
    isAsked: paysIn,
    toAnswers: (it) => ({ provocations: it === 'yes' ? PROVOCATIONS : [] }),
  },
  { key: 'loans', isAsked: isOffered('loans') },
  { key: 'testHooks', isAsked: isOffered('testHooks') },
]

/**
 * Asks for the missing answers. Each answer is validated at once, and can be changed at the next question.
 * @throws Cancelled at Ctrl-C.
 */
export const askQuestions = async (given: PartialAnswers, interview: Interview): Promise<Progress> => {
  const variables = unsetVariables(withDefaults(given), {}).join(', ')
  interview.prompter.show(`Ctrl-C stops, and ${BACK} goes back to the question before.`)
  interview.prompter.show(
    `Secrets are read from the variables ${variables}; options such as --client-id-env change the names.`,
  )
  /** The questions that were asked, each with what was known before it. */
  const asked: { readonly at: number; readonly progress: Progress }[] = []
  let progress: Progress = { given }
  for (let at = 0; ;) {
    const step = STEPS[at]
    if (step === undefined) return progress
    if (given[step.key] !== undefined || step.isAsked?.(progress) === false) {
      if (step.key === 'baseUrl') progress = await probed(progress, interview)
      at += 1
      continue
    }
    const next = await ask(step, progress, interview)
    if (next === undefined) ({ at, progress } = asked.pop() ?? { at, progress })
    else {
      asked.push({ at, progress })
      progress = next
      at += 1
    }
  }
}

export const askAccounts = async (answers: Answers, prompter: Prompter): Promise<readonly string[]> => {
  const { accounts, recipe: { accounts: found } = { accounts: [] } } = answers
  if (found.length === 0 || accounts.length > 0) return accounts
  const asked = await ask({ key: 'accounts' }, { given: {} }, { prompter, env: {} }, found.join(' '))
  return asked?.given.accounts ?? []
}

/** Asks one question; the base URL again if nothing answers there. @returns undefined to go back. */
const ask = async (
  step: Step,
  progress: Progress,
  interview: Interview,
  preset = rowOf(step.key).isNeeded?.(withDefaults(progress.given)) === true ? undefined : '',
): Promise<Progress | undefined> => {
  const { question, usual } = rowOf(step.key)
  const { key, choices, toAnswers = (value: string) => ({ [key]: valueOf(value, usual) }) } = step
  const { message = '' } = question ?? {}
  const withAnswer = (value: string): PartialAnswers => ({ ...progress.given, ...toAnswers(value) })
  const value =
    question?.choices === undefined
      ? await interview.prompter.text({
          message,
          example: String(usual),
          ...(preset !== undefined && { preset }),
          check: (typed) => problemOf(typed.trim(), withAnswer, preset),
        })
      : await choose(message, question.choices, choices?.(progress, interview), interview)
  if (value === BACK) return undefined
  const next = { ...progress, given: withAnswer(value), ...(key === 'authorization' && { login: value }) }
  if (key !== 'baseUrl') return next
  const tried = await probed(next, interview)
  if (tried.probe?.reached !== false || value === preset) return tried
  interview.prompter.show('Enter keeps this base URL.')
  return ask(step, progress, interview, value)
}

const choose = (
  message: string,
  all: NonNullable<Question['choices']>,
  possible: readonly string[] = Object.keys(all),
  { prompter }: Interview,
): Promise<string> => {
  const options = [...possible, BACK].flatMap((value) => {
    const [label, hint] = all[value] ?? (value === BACK ? ['back to the question before', ''] : [])
    return label === undefined || hint === undefined ? [] : [{ value, label, hint }]
  })
  return prompter.choose({ message, options, preset: possible[0] ?? BACK })
}

const problemOf = (
  typed: string,
  withAnswer: (value: string) => PartialAnswers,
  preset: string | undefined,
): string | undefined => {
  if (typed === BACK || typed === preset) return undefined
  if (typed === '') return 'expected an answer; press Ctrl-C to stop'
  const [problem] = problemsIn(withAnswer(typed))
  // The question is shown at the terminal, so that the option's name is not needed.
  return problem?.replace(/^--[\w-]+: /, '')
}

/** Probes the bank, once the environment and the base URL are known. */
const probed = async (progress: Progress, { prompter, probe: probeTarget }: Interview): Promise<Progress> => {
  if (probeTarget === undefined) return progress
  const { baseUrl } = withDefaults(progress.given)
  const probe = await prompter.withSpinner(`Probing ${baseUrl}`, () => probeTarget(progress.given))
  if (!probe.reached) prompter.show(`Nothing answers at ${baseUrl}: ${probe.reason}`)
  return { ...progress, probe }
}
