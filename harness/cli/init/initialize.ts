import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { prefixOf, quoteArgument, typed } from '../../evidence/command-names.ts'
import { systemCodeOf } from '../../evidence/errors.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { EXIT } from '../exit.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { forFirstLogin, isAuthorized, missingOptions, optionsOf, withDefaults } from './answers.ts'
import { fillFromProbe, probeBank } from './discovery.ts'
import { draftFromDocument } from './openapi/draft-profile.ts'
import { readOpenApi } from './openapi/document.ts'
import { problemsIn, unsetVariables } from './profile-input.ts'
import { profileText } from './profile-text.ts'
import { Cancelled, type Prompter } from './prompter.ts'
import { askAccounts, askQuestions, type Progress } from './questions.ts'
import { addRecipe } from './recipe-search.ts'
import type { Answers, PartialAnswers } from './answers.ts'
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

/**
 * Asks for the missing answers, probes the target, and writes the file.
 * @throws ConfigurationError if an option is invalid, or is missing and there is no terminal.
 * @returns the exit code.
 * @throws Cancelled at Ctrl-C.
 */
export const initialize = async (options: InitOptions, context: InitContext): Promise<number> => {
  const { say, ends, env, prompter } = context
  const { out: file = 'bank.yaml', tries, force } = options
  validateFile(file, force)
  const given = withDocument(options, context)
  const missing = missingOptions(given)
  const isAsking = missing.length > 0 && prompter !== undefined
  const problems = [
    ...problemsIn(given),
    ...(isAsking || missing.length === 0 ? [] : [describeMissing(missing)]),
  ]
  if (problems.length > 0) throw new ConfigurationError(problems)
  const probe = tries ? (answers: PartialAnswers) => probeBank(answers, ends) : undefined
  const asked: Progress = isAsking
    ? await askQuestions(given, { prompter, env, ...(probe && { probe }) })
    : { given, ...(probe && { probe: await probe(given) }), login: options.logsIn ? 'all' : 'first' }
  const filled = asked.probe && fillFromProbe(asked.given, asked.probe)
  filled?.lines.forEach(say)
  const final = filled?.given ?? asked.given
  const searched = await completeRecipe({ ...asked, given: final }, context)
  const accounts = isAsking ? await askAccounts(searched, prompter) : searched.accounts
  const answers = { ...searched, accounts }
  ends.throwIfAborted()
  writeProfile(file, profileText(answers, file, asked.probe), force)
  say(`${file} is written.\n`)
  const canExamine = tries && unsetVariables(answers, env).length === 0
  const unexamined = asked.probe?.reached === false ? EXIT.unreachable : EXIT.ok
  const exitCode = canExamine ? await examineProfile(answers, file, context) : unexamined
  if (isAsking)
    say(
      `This command gives the same answers without questions:\n\n${equivalentCommand({ ...final, accounts }, file, options.openApi)}\n`,
    )
  say(nextSteps(answers, file, env))
  return exitCode
}

const withDocument = ({ given, openApi }: InitOptions, { say }: InitContext): PartialAnswers => {
  if (openApi === undefined) return given
  const { environment, payments } = withDefaults(given)
  const document = draftFromDocument(readOpenApi(openApi), environment)
  const { profile, baseUrl, refusals, questions } = document
  say(
    `${openApi} (${document.title}): ${questions.length} ${questions.length === 1 ? 'question' : 'questions'} that it leaves open.`,
  )
  for (const question of questions) say(`- ${question}`)
  if (profile.payments !== undefined && !payments && given.payments === undefined)
    say('The document has payments: add --debtor and --creditor to check them.')
  const basePath = profile.basePaths?.[environment]
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(basePath !== undefined && { basePath }),
    ...(profile.secondVariant !== undefined && {
      accountsVariant: profile.operations === undefined ? 'second' : 'both',
    }),
    ...(profile.loans !== undefined && { loans: true }),
    ...(refusals !== undefined && { refusals }),
    ...given,
    document,
  }
}

const describeMissing = (missing: readonly (readonly string[])[]): string =>
  [
    'these options are missing, and there is no terminal for questions; add them with your own values:',
    ...missing.map((words) => `  ${words.map(quoteArgument).join(' ')}`),
  ].join('\n')

/** Searches the bank's pages for the recipe, as deep as the options or the user allow. */
const completeRecipe = async (
  { given, probe, login }: Progress,
  { env, ends, say, prompter }: InitContext,
): Promise<Answers> => {
  const answers = withDefaults(given)
  const searches = isAuthorized(answers) && answers.authorization === 'pages'
  if (probe?.reached !== true || !searches) return answers
  const unset = unsetVariables(forFirstLogin(answers), env)
  const needed = [answers.clientIdEnv, answers.clientSecretEnv].filter((name) => unset.includes(name))
  if (needed.length > 0) {
    say(
      `The bank's pages were not searched: the variables ${needed.join(', ')} are not set; the profile contains guessed selectors.`,
    )
    return answers
  }
  if (login !== 'all' && login !== 'first') return answers
  const work = () => addRecipe(answers, { env, ends, logsIn: login === 'all' && unset.length === 0 })
  const found = await (prompter?.withSpinner("Searching the bank's pages", work) ?? work())
  found.lines.forEach(say)
  return found.answers
}

/** Examines the target as `npm run doctor` does, and prints the errors and warnings. @returns the exit code: 0, 3 or 4. */
const examineProfile = async (
  { webhookUrl }: Answers,
  file: string,
  { env, say, ends }: InitContext,
): Promise<number> => {
  const target = { profile: file, baseUrl: undefined, environment: undefined, webhookUrl }
  try {
    // In a new profile most keys are guessed, so that notices are left to `npm run doctor`.
    const options = { env, signal: ends, print: say, levels: ['warning'] } as const
    const { count, exitCode } = await diagnose(target, options)
    say(`${count} (${typed('doctor')} lists all)\n`)
    return exitCode
  } catch (error) {
    if (ends.aborted) throw new Cancelled(`the examination of the bank was stopped; ${file} is written`)
    throw error
  }
}

const nextSteps = (answers: Answers, file: string, env: NodeJS.ProcessEnv): string => {
  const unset = unsetVariables(answers, env)
  const { webhookUrl } = answers
  const webhook = webhookUrl === undefined ? '' : ` --webhook-url ${quoteArgument(webhookUrl)}`
  const options = `--profile ${quoteArgument(file)}${webhook}`
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
    `  ${typed('doctor', options)}`,
    '      finds problems of the profile before a run',
    `  ${typed('plan', options)}`,
    '      prints the plan; nothing is sent',
    `  ${typed('run', options)}`,
    '      runs the checks',
  ].join('\n')
}

/** Validates --out before the first question. @throws ConfigurationError */
const validateFile = (file: string, force: boolean): void => {
  const problem = problemOf(file, force)
  if (problem !== undefined) throw new ConfigurationError(`--out: ${problem}`)
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
const writeProfile = (file: string, text: string, force: boolean): void => {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    throw new ConfigurationError(
      `--out: ${file} cannot be written (${systemCodeOf(error) ?? 'unknown'}); name another file`,
    )
  }
}

export const equivalentCommand = (given: PartialAnswers, file: string, openApi?: string): string => {
  const options = [
    ...optionsOf(given),
    ...(openApi === undefined ? [] : [['--openapi', openApi]]),
    ['--out', file],
  ]
  const text = options.map((words) => words.map(quoteArgument).join(' '))
  return `${prefixOf('init')} ${text.join(' \\\n  ')}`
}
