import { ConfigurationError } from '../profile/configuration-error.ts'
import { complaintsAbout, missingIn } from './complaints.ts'
import { examineProfile } from './examination.ts'
import { completed } from './given.ts'
import { conductInterview } from './interview.ts'
import { Cancelled } from './interviewer.ts'
import { lookAround } from './look.ts'
import { nextSteps, unsetVariables } from './next-steps.ts'
import { settleFile, writeProfile } from './profile-file.ts'
import { profileText } from './profile-text.ts'
import { openRefusals, settleRefusals } from './refusals.ts'
import { sameCommand } from './same-command.ts'
import { fillFrom, searchFor, whyUnsearched } from './trial.ts'
import type { Answers } from './answers.ts'
import type { Given } from './given.ts'
import type { Interviewer } from './interviewer.ts'
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
    'what follows was not said, and there is no terminal to ask at; add, with values of your own:',
    ...missing.map((example) => `  ${example}`),
  ].join('\n')

interface Said {
  readonly given: Given
  readonly reached?: boolean
}

/** At a terminal. */
const asked = async ({ given, tries }: InitOptions, { interviewer, ends }: Surroundings): Promise<Said> => {
  if (interviewer === undefined) throw new Error('there is nobody to ask')
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
  const consent = answers.kind === 'TPP' ? ' That creates a consent, which nobody grants.' : ''
  if (!(await interviewer.confirm(`Look at the bank's login page?${consent}`, true))) return 'not'
  if (!canLogIn) return 'first'
  const agrees = `Log in as ${answers.customer} and agree, so that all pages are found? Nothing else is done.`
  return options.logsIn || (await interviewer.confirm(agrees, answers.environment === 'sandbox'))
    ? 'all'
    : 'first'
}
