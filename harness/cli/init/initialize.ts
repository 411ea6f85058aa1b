import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { readProfileFile } from '../../profile/read-file.ts'
import { colorsFor } from '../../report/terminal/text.ts'
import { examine, exitCodeOf, renderCount, renderFinding } from '../doctor/examine.ts'
import { parseRunOptions } from '../run/options.ts'
import { resolveTarget } from '../run/prepare.ts'
import { completed, followsRecipe, neededVariables, offersPayments } from './answers.ts'
import { fillFrom, lookAround } from './discovery.ts'
import { Cancelled, conductInterview, type Interviewer } from './questions.ts'
import { complaintsAbout, missingIn } from './problems.ts'
import { profileText } from './profile-text.ts'
import { openRefusals, searchFor, settleRefusals, whyUnsearched } from './recipe-search.ts'
import type { ExaminedTarget } from '../../target/first-contact/examination.ts'
import type { Answers, Given } from './answers.ts'
import type { InitOptions } from './options.ts'

/** From what was said to a profile that is written. */

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  /** Who can be asked; nobody, where there is no terminal. */
  readonly interviewer?: Interviewer
  readonly say: (line: string) => void
  /** Ctrl-C. */
  readonly ends: AbortSignal
}

/** What came of it: the exit code. */
const EXIT = { written: 0, unreachable: 4 } as const

/**
 * Asks for what is missing, tries what can be tried, and writes the file.
 * @throws ConfigurationError where something is wrong with the options, or missing and nobody can be asked.
 * @returns the exit code.
 * @throws Cancelled at Ctrl-C: before the file is written, nothing is.
 */
export const initialize = async (options: InitOptions, around: Surroundings): Promise<number> => {
  const file = settleFile(options)
  const complaints = complaintsAbout(options.given)
  const missing = missingIn(options.given)
  const isAsking = missing.length > 0 && around.interviewer !== undefined
  const problems = [...complaints, ...(isAsking || missing.length === 0 ? [] : [describeMissing(missing)])]
  if (problems.length > 0) throw new ConfigurationError(problems)
  const said = isAsking ? await asked(options, around) : await read(options, around)
  const answers = await completeRecipe(completed(said.given), { options, around, ...said })
  around.ends.throwIfAborted()
  writeProfile(file, profileText(answers, file), options.force)
  around.say(`${file} is written.\n`)
  const exitCode = await tried(answers, file, { options, around, ...said })
  if (isAsking) around.say(`Without questions, the same is said by:\n\n${sameCommand(said.given, file)}\n`)
  around.say(nextSteps(answers, file, around.env))
  return exitCode
}

/** Looks at the bank with the profile as it stands, as far as its variables are set. */
const tried = async (
  answers: Answers,
  file: string,
  { options, reached, around }: Circumstances,
): Promise<number> => {
  const isSet = unsetVariables(answers, around.env).length === 0
  if (!options.tries || !isSet) return reached === false ? EXIT.unreachable : EXIT.written
  const { env, say, ends } = around
  try {
    const webhookUrl = answers.webhook?.url
    return await examineProfile({ file, env, say, ends, ...(webhookUrl !== undefined && { webhookUrl }) })
  } catch (error) {
    if (ends.aborted) throw new Cancelled(`the look at the bank was ended; ${file} is written`)
    throw error
  }
}

const describeMissing = (missing: readonly string[]): string =>
  [
    'these options are missing, and there is no terminal to ask at; add them with your own values:',
    ...missing.map((example) => `  ${example}`),
  ].join('\n')

interface Said {
  readonly given: Given
  readonly reached?: boolean
}

/** At a terminal. */
const asked = async ({ given, tries }: InitOptions, { interviewer, ends }: Surroundings): Promise<Said> => {
  if (interviewer === undefined) throw new Error('there is no terminal to ask at')
  const progress = await conductInterview(given, {
    interviewer,
    ...(tries && { look: (shown: Given) => lookAround(shown, ends) }),
  })
  return { given: progress.given, ...(progress.look && { reached: progress.look.reached }) }
}

/** From options alone. */
const read = async ({ given, tries }: InitOptions, { say, ends }: Surroundings): Promise<Said> => {
  if (!tries) return { given }
  const look = await lookAround(given, ends)
  const told = fillFrom(given, look)
  told.lines.forEach(say)
  return { given: told.given, reached: look.reached }
}

interface Circumstances extends Said {
  readonly options: InitOptions
  readonly around: Surroundings
}

/** Looks at the pages of the bank, as far as that is wanted. */
const completeRecipe = async (answers: Answers, circumstances: Circumstances): Promise<Answers> => {
  const { options, around, reached } = circumstances
  if (!options.tries || reached === false || answers.authorization !== 'pages') return answers
  const because = whyUnsearched(answers, around.env)
  if (because !== undefined) {
    around.say(`The pages of the bank were not looked at: ${because}.`)
    return answers
  }
  const depth = await howFar(answers, circumstances)
  if (depth === 'not') return answers
  const work = () => searchFor(answers, { env: around.env, ends: around.ends, logsIn: depth === 'all' })
  const found = await (around.interviewer?.during('Looking at the pages of the bank', work) ?? work())
  found.lines.forEach(around.say)
  if (around.interviewer !== undefined && missingIn(options.given).length > 0)
    return settleRefusals(found.answers, around.interviewer)
  for (const line of found.answers.recipe === undefined ? [] : openRefusals(found.answers.recipe))
    around.say(`${line}.`)
  return found.answers
}

/** How many of the pages are looked at: what somebody agrees to. */
const howFar = async (
  answers: Answers,
  { options, around: { interviewer, env } }: Circumstances,
): Promise<'not' | 'first' | 'all'> => {
  const canLogIn = unsetVariables(answers, env).length === 0
  if (interviewer === undefined || missingIn(options.given).length === 0)
    return options.logsIn && canLogIn ? 'all' : 'first'
  const consent = answers.kind === 'TPP' ? ' That creates a consent that is not granted.' : ''
  if (!(await interviewer.confirm(`Look at the bank's login page?${consent}`, true))) return 'not'
  if (!canLogIn) return 'first'
  const agrees = `Log in as ${answers.customer} and agree, so that all pages are found? Nothing else is done.`
  return options.logsIn || (await interviewer.confirm(agrees, answers.environment === 'sandbox'))
    ? 'all'
    : 'first'
}

/** A look at the target by the profile that was written, as `npm run doctor` takes it. */

export interface Look {
  readonly file: string
  readonly webhookUrl?: string
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  readonly ends: AbortSignal
}

/** Tells what does not fit. @returns the exit code: 0, 3 or 4. */
const examineProfile = async ({ file, webhookUrl, env, say, ends }: Look): Promise<number> => {
  const colors = colorsFor(process.stdout)
  const findings = await examine(await targetOf(file, webhookUrl, env), {
    depth: 'whole',
    signal: ends,
    onFinding: (finding) => {
      // What is well, or guessed like everything else in a new profile, is for `npm run doctor` to tell.
      if (finding.level === 'error' || finding.level === 'warning') say(renderFinding(finding, colors))
    },
  })
  say(`${renderCount(findings)} (npm run doctor lists all)\n`)
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
  if (baseUrl === undefined) throw new Error('a profile names a target')
  const written = await readProfileFile(file)
  return { profile, baseUrl, secrets, written, ...(webhookUrl !== undefined && { webhookUrl }) }
}

/** What the owner of a profile does next, in lines that can be copied. */
const nextSteps = (answers: Answers, file: string, env: NodeJS.ProcessEnv): string => {
  const unset = unsetVariables(answers, env)
  const profile = `--profile ${quoted(file)}`
  const webhook = answers.webhook === undefined ? '' : ` --webhook-url ${quoted(answers.webhook.url)}`
  return [
    ...(unset.length === 0
      ? []
      : [
          'First give these variables their values; they are read when a command starts:',
          ...unset.map((name) => `  export ${name}='…'`),
          'Kept in a file that is never committed, they are set by: set -a; . ./bank.env; set +a',
          '',
        ]),
    'Next:',
    `  npm run doctor -- ${profile}${webhook}`,
    '      what would go wrong, and why',
    `  npm test -- ${profile}${webhook} --dry-run`,
    '      the plan: what would be done to the bank; nothing is sent',
    `  npm test -- ${profile}${webhook}`,
    '      the run',
  ].join('\n')
}

/** The variables of the answers that have no value here. */
const unsetVariables = (answers: Answers, env: NodeJS.ProcessEnv): readonly string[] =>
  neededVariables(answers).filter((name) => (env[name] ?? '').trim() === '')

/** As a shell takes it for one word. */
export const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The file that the profile becomes. */
const DEFAULT_FILE = 'bank.yaml'

interface Wanted {
  readonly out: string | undefined
  readonly force: boolean
}

/** Asked before any question, so that nobody answers them for nothing. @throws ConfigurationError */
const settleFile = ({ out = DEFAULT_FILE, force }: Wanted): string => {
  const problem = problemOf(out, force)
  if (problem !== undefined) throw new ConfigurationError(`--out: ${problem}`)
  return out
}

const problemOf = (file: string, force: boolean): string | undefined => {
  if (/\p{Cc}/u.test(file)) return `expected one line of text, received ${JSON.stringify(file)}`
  if (!['.yaml', '.yml'].includes(extname(file).toLowerCase()))
    return `${file} is of no kind that is written here; its name ends with .yaml or .yml`
  if (!existsSync(dirname(resolve(file))))
    return `the folder of ${file} does not exist (looked for ${dirname(resolve(file))}); make it first`
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    return `${file} is a folder; name a file in it`
  if (existsSync(file) && !force)
    return `${file} is there already, and is not written over without --force; name another file, or add --force`
  return undefined
}

/** Whoever has made the file meanwhile keeps it. @throws ConfigurationError */
export const writeProfile = (file: string, text: string, force: boolean): void => {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ConfigurationError(`--out: ${file} cannot be written (${code}); name another file`)
  }
}

/** The command that says what was answered, for whoever wants no questions the next time. */
export const sameCommand = (given: Given, file: string): string => {
  const { baseUrl, environment, name, kind, authorization, variant, customer } = completed(given)
  const { variables, redirectUris, webhook } = completed(given)
  const options: readonly (readonly [option: string, ...values: readonly string[]])[] = [
    ['--base-url', baseUrl],
    ['--environment', environment],
    ['--name', name],
    ...(given.basePath === undefined ? [] : [['--base-path', given.basePath] as const]),
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
  const words = options.map(([option, ...values]) => [option, ...values.map(quoted)].join(' '))
  return `npm run init -- ${words.join(' \\\n  ')}`
}
