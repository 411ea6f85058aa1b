import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { prefixOf, typed } from '../../evidence/command-names.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { readProfileFile } from '../../profile/read-file.ts'
import { colorsFor, widthOf } from '../../report/terminal/text.ts'
import { examine } from '../doctor/examine.ts'
import { exitCodeOf, renderCount, renderFinding } from '../doctor/render-findings.ts'
import { parseRunOptions } from '../run/options.ts'
import { resolveTarget } from '../run/prepare.ts'
import { draftFromDocument } from './openapi/draft-profile.ts'
import { readOpenApi } from './openapi/document.ts'
import {
  withDefaults,
  followsRecipe,
  neededVariables,
  offersPayments,
  type Answers,
  type PartialAnswers,
} from './answers.ts'
import { fillFromProbe, probeBank } from './discovery.ts'
import { askQuestions } from './questions.ts'
import { Cancelled, type Prompter } from './prompter.ts'
import { problemsIn, missingOptions } from './problems.ts'
import { profileText } from './profile-text.ts'
import { describeUnknownRefusals, addRecipe, askForRefusals, reasonNotToSearch } from './recipe-search.ts'
import { systemCodeOf } from '../../evidence/errors.ts'
import type { ExaminedTarget } from '../../connection/first-contact/examination.ts'
import type { InitOptions } from './options.ts'

/** Writes a profile from the options and answers, and examines the target with it. */

export interface InitContext {
  readonly env: NodeJS.ProcessEnv
  /** Absent if there is no terminal. */
  readonly prompter?: Prompter
  readonly say: (line: string) => void
  /** Ctrl-C. */
  readonly ends: AbortSignal
}

/** The exit codes of this command. */
const EXIT = { written: 0, unreachable: 4 } as const

/**
 * Asks for the missing answers, probes the target, and writes the file.
 * @throws ConfigurationError if an option is invalid, or is missing and there is no terminal.
 * @returns the exit code.
 * @throws Cancelled at Ctrl-C.
 */
export const initialize = async (options: InitOptions, context: InitContext): Promise<number> => {
  const file = outputFile(options)
  const given = await withDocument(options, context)
  return write({ ...options, given }, context, file)
}

/** Adds what the OpenAPI document says to the given answers. */
const withDocument = async (
  { given, openApi }: InitOptions,
  { say }: InitContext,
): Promise<PartialAnswers> => {
  if (openApi === undefined) return given
  const document = draftFromDocument(await readOpenApi(openApi), withDefaults(given).environment)
  const { profile, baseUrl, refusals, questions } = document
  say(
    `${openApi} (${document.title}): ${questions.length} ${questions.length === 1 ? 'question' : 'questions'} that it leaves open.`,
  )
  for (const question of questions) say(`- ${question}`)
  if (profile.payments !== undefined && !offersPayments(given) && given.payments === undefined)
    say('The document has payments: add --debtor and --creditor to check them.')
  const basePath = profile.basePaths?.[withDefaults(given).environment]
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(basePath !== undefined && { basePath }),
    ...(profile.secondVariant !== undefined && {
      variant: profile.operations === undefined ? 'second' : 'both',
    }),
    ...(profile.loans !== undefined && { loans: true }),
    ...(refusals !== undefined && { refusals }),
    ...given,
    document,
  }
}

const write = async (options: InitOptions, context: InitContext, file: string): Promise<number> => {
  const invalid = problemsIn(options.given)
  const missing = missingOptions(options.given)
  const isAsking = missing.length > 0 && context.prompter !== undefined
  const problems = [...invalid, ...(isAsking || missing.length === 0 ? [] : [describeMissing(missing)])]
  if (problems.length > 0) throw new ConfigurationError(problems)
  const collected = isAsking
    ? await answersFromTerminal(options, context)
    : await answersFromOptions(options, context)
  const answers = await completeRecipe(withDefaults(collected.given), { options, context, ...collected })
  context.ends.throwIfAborted()
  writeProfile(file, profileText(answers, file), options.force)
  context.say(`${file} is written.\n`)
  const exitCode = await examineIfPossible(answers, file, { options, context, ...collected })
  if (isAsking)
    context.say(
      `This command gives the same answers without questions:\n\n${equivalentCommand(collected.given, file, options.openApi)}\n`,
    )
  context.say(nextSteps(answers, file, context.env))
  return exitCode
}

/** Examines the target with the new profile, if its variables are set. */
const examineIfPossible = async (
  answers: Answers,
  file: string,
  { options, reached, context }: InitState,
): Promise<number> => {
  const isSet = unsetVariables(answers, context.env).length === 0
  if (!options.tries || !isSet) return reached === false ? EXIT.unreachable : EXIT.written
  const { env, say, ends } = context
  try {
    const webhookUrl = answers.webhook?.url
    return await examineProfile({ file, env, say, ends, ...(webhookUrl !== undefined && { webhookUrl }) })
  } catch (error) {
    if (ends.aborted) throw new Cancelled(`the examination of the bank was stopped; ${file} is written`)
    throw error
  }
}

const describeMissing = (missing: readonly string[]): string =>
  [
    'these options are missing, and there is no terminal for questions; add them with your own values:',
    ...missing.map((example) => `  ${example}`),
  ].join('\n')

interface CollectedAnswers {
  readonly given: PartialAnswers
  readonly reached?: boolean
}

/** Gets the missing answers at the terminal. */
const answersFromTerminal = async (
  { given, tries }: InitOptions,
  { prompter, ends }: InitContext,
): Promise<CollectedAnswers> => {
  if (prompter === undefined) throw new Error('there is no terminal for questions')
  const progress = await askQuestions(given, {
    prompter,
    ...(tries && { probe: (given: PartialAnswers) => probeBank(given, ends) }),
  })
  return { given: progress.given, ...(progress.probe && { reached: progress.probe.reached }) }
}

/** Gets the missing answers from a probe of the bank. */
const answersFromOptions = async (
  { given, tries }: InitOptions,
  { say, ends }: InitContext,
): Promise<CollectedAnswers> => {
  if (!tries) return { given }
  const probe = await probeBank(given, ends)
  const filled = fillFromProbe(given, probe)
  filled.lines.forEach(say)
  return { given: filled.given, reached: probe.reached }
}

interface InitState extends CollectedAnswers {
  readonly options: InitOptions
  readonly context: InitContext
}

/** Searches the bank's pages for the recipe, if the options and the user allow it. */
const completeRecipe = async (answers: Answers, state: InitState): Promise<Answers> => {
  const { options, context, reached } = state
  if (!options.tries || reached === false || answers.authorization !== 'pages') return answers
  const reason = reasonNotToSearch(answers, context.env)
  if (reason !== undefined) {
    context.say(`The bank's pages were not searched: ${reason}.`)
    return answers
  }
  const searched = await searchDepth(answers, state)
  if (searched === 'not') return answers
  const work = () => addRecipe(answers, { env: context.env, ends: context.ends, logsIn: searched === 'all' })
  const found = await (context.prompter?.withSpinner("Searching the bank's pages", work) ?? work())
  found.lines.forEach(context.say)
  if (context.prompter !== undefined && missingOptions(options.given).length > 0)
    return askForRefusals(found.answers, context.prompter)
  for (const line of found.answers.recipe === undefined ? [] : describeUnknownRefusals(found.answers.recipe))
    context.say(`${line}.`)
  return found.answers
}

/** How many of the bank's pages the options and the user allow to open. */
const searchDepth = async (
  answers: Answers,
  { options, context: { prompter, env } }: InitState,
): Promise<'not' | 'first' | 'all'> => {
  const canLogIn = unsetVariables(answers, env).length === 0
  if (prompter === undefined || missingOptions(options.given).length === 0)
    return options.logsIn && canLogIn ? 'all' : 'first'
  const consent = answers.kind === 'TPP' ? ' That creates a consent that is not granted.' : ''
  if (!(await prompter.confirm(`Open the bank's login page?${consent}`, true))) return 'not'
  if (!canLogIn) return 'first'
  const agrees = `Log in as ${answers.customer} and agree, so that all pages are found? No other request is sent.`
  return options.logsIn || (await prompter.confirm(agrees, answers.environment === 'sandbox'))
    ? 'all'
    : 'first'
}

/** The input of an examination as `npm run doctor` runs it, with the profile that was written. */

export interface ExamineInput {
  readonly file: string
  readonly webhookUrl?: string
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  readonly ends: AbortSignal
}

/** Prints the errors and warnings. @returns the exit code: 0, 3 or 4. */
const examineProfile = async ({ file, webhookUrl, env, say, ends }: ExamineInput): Promise<number> => {
  const colors = colorsFor(process.stdout)
  const width = widthOf(process.stdout)
  const findings = await examine(await targetOf(file, webhookUrl, env), {
    depth: 'whole',
    signal: ends,
    onFinding: (finding) => {
      // In a new profile most keys are guessed, so these findings are left to `npm run doctor`.
      if (finding.level === 'error' || finding.level === 'warning') say(renderFinding(finding, colors, width))
    },
  })
  say(`${renderCount(findings)} (${typed('doctor')} lists all)\n`)
  return exitCodeOf(findings)
}

const targetOf = async (
  file: string,
  webhookUrl: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<ExaminedTarget> => {
  const options = parseRunOptions(['--profile', file])
  if (options.kind !== 'run') throw new Error('--profile always means a run')
  const { profile, baseUrl, secrets } = await resolveTarget(options, env)
  if (baseUrl === undefined) throw new Error('there is no base URL')
  const written = await readProfileFile(file)
  return { profile, baseUrl, secrets, written, ...(webhookUrl !== undefined && { webhookUrl }) }
}

/** The next commands of the user, in lines that can be copied. */
const nextSteps = (answers: Answers, file: string, env: NodeJS.ProcessEnv): string => {
  const unset = unsetVariables(answers, env)
  const profile = `--profile ${quoted(file)}`
  const webhook = answers.webhook === undefined ? '' : ` --webhook-url ${quoted(answers.webhook.url)}`
  return [
    ...(unset.length === 0
      ? []
      : [
          'First set these variables; a command reads them when it starts:',
          ...unset.map((name) => `  export ${name}='…'`),
          'To set them from a file that is never committed: set -a; . ./bank.env; set +a',
          '',
        ]),
    'Next:',
    `  ${typed('doctor', profile + webhook)}`,
    '      finds problems of the profile before a run',
    `  ${typed('plan', profile + webhook)}`,
    '      prints the plan; nothing is sent',
    `  ${typed('run', profile + webhook)}`,
    '      runs the checks',
  ].join('\n')
}

/** The needed variables that are not set. */
const unsetVariables = (answers: Answers, env: NodeJS.ProcessEnv): readonly string[] =>
  neededVariables(answers).filter((name) => (env[name] ?? '').trim() === '')

/** The word, quoted for a shell if necessary. */
export const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The default of --out. */
const DEFAULT_FILE = 'bank.yaml'

interface OutputOptions {
  readonly out: string | undefined
  readonly force: boolean
}

/** Validates --out before the first question. @throws ConfigurationError */
const outputFile = ({ out = DEFAULT_FILE, force }: OutputOptions): string => {
  const problem = problemOf(out, force)
  if (problem !== undefined) throw new ConfigurationError(`--out: ${problem}`)
  return out
}

const problemOf = (file: string, force: boolean): string | undefined => {
  if (/\p{Cc}/u.test(file)) return `expected one line of text, received ${JSON.stringify(file)}`
  if (!['.yaml', '.yml'].includes(extname(file).toLowerCase()))
    return `expected a file name that ends with .yaml or .yml, received ${file}`
  if (!existsSync(dirname(resolve(file))))
    return `the folder ${dirname(resolve(file))} does not exist; create it first`
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    return `${file} is a folder; name a file in it`
  if (existsSync(file) && !force)
    return `${file} exists and is not overwritten; name another file, or add --force`
  return undefined
}

/** A file that another process created in the meantime is not overwritten. @throws ConfigurationError */
export const writeProfile = (file: string, text: string, force: boolean): void => {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    throw new ConfigurationError(
      `--out: ${file} cannot be written (${systemCodeOf(error) ?? 'unknown'}); name another file`,
    )
  }
}

/** The command line that gives the same answers as options. */
export const equivalentCommand = (given: PartialAnswers, file: string, openApi?: string): string => {
  const { baseUrl, environment, name, kind, authorization, variant, customer } = withDefaults(given)
  const { variables, redirectUris, webhook } = withDefaults(given)
  const options: readonly (readonly [option: string, ...values: readonly string[]])[] = [
    ['--base-url', baseUrl],
    ...(openApi === undefined ? [] : [['--openapi', openApi] as const]),
    ['--environment', environment],
    ['--name', name],
    ...(given.basePath === undefined ? [] : [['--base-path', given.basePath] as const]),
    ...(given.timeZone === undefined ? [] : [['--time-zone', given.timeZone] as const]),
    ...(given.refusals === undefined ? [] : [['--refusals', given.refusals] as const]),
    ['--kind', kind],
    ['--client-id-env', variables.clientId],
    ['--client-secret-env', variables.clientSecret],
    ['--redirect-uri', ...redirectUris.map(({ uri }) => uri)],
    ['--delivery', ...redirectUris.map(({ delivery }) => delivery)],
    ['--authorization', authorization],
    ['--customer', customer],
    ...(followsRecipe(authorization)
      ? [['--username-env', variables.username] as const, ['--password-env', variables.password] as const]
      : []),
    ...(authorization === 'tokens' ? [['--access-token-env', variables.accessToken] as const] : []),
    ['--accounts-variant', variant],
    ...(offersPayments(given)
      ? [['--debtor', given.debtor ?? ''] as const, ['--creditor', given.creditor ?? ''] as const]
      : []),
    ...(given.loans === true ? [['--loans'] as const] : []),
    ...(webhook === undefined
      ? []
      : [['--webhook-url', webhook.url] as const, ['--webhook-port', String(webhook.port)] as const]),
    ['--out', file],
  ]
  const text = options.map(([option, ...values]) => [option, ...values.map(quoted)].join(' '))
  return `${prefixOf('init')} ${text.join(' \\\n  ')}`
}
