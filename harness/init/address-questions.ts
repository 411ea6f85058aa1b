import { defaultBasePaths } from './base-path.ts'
import { completed, DEFAULTS, nameFor, unsaid } from './given.ts'
import { isUsual } from './look.ts'
import { ask } from './question.ts'
import type { Given } from './given.ts'
import type { Interview, Progress, Step } from './question.ts'

/** Where the bank is, and what it is called. A bank that does not answer is asked for again. */
export const askAddress = async (given: Given, interview: Interview): Promise<Progress> => {
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
export const askBasePath: Step = async ({ given, look }, interview) => {
  if (given.basePath !== undefined || look?.reached !== true) return given
  const { environment } = completed(given)
  const { basePath: found } = look
  if (found !== undefined && isUsual(found, environment)) return given
  interview.interviewer.tell(
    found === undefined
      ? 'At none of the usual base paths something answers as accounts do.'
      : `The account interface answers at the base path ${found}.`,
  )
  return ask(given, interview, {
    message: 'Base path: what stands between the base URL and /v1/accounts; / for nothing',
    preset: found ?? defaultBasePaths()[environment],
    say: (basePath) => ({ basePath }),
  })
}

export const askName: Step = async ({ given }, interview) => {
  if (given.name !== undefined) return given
  const { baseUrl, environment } = completed(given)
  return ask(given, interview, {
    message: 'Name of the bank, as reports show it',
    preset: nameFor(baseUrl, environment),
    say: (name) => ({ name }),
  })
}
