import { ConfigurationError } from '../../profile/configuration-error.ts'
import { joined, nested } from '../../profile/template.ts'
import { resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { isObject, type Members } from '../../evidence/json.ts'
import {
  APPLICATION,
  FOR_LOANS,
  isAuthorized,
  ROWS,
  withDefaults,
  type Answers,
  type PartialAnswers,
} from './answers.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The profile from the answers; other keys keep their defaults. */
export const profileInput = (answers: Answers): ProfileInput =>
  withLists(
    [documentedIn(answers), derived(answers), placed(answers)].reduce<Members>(joined, {}),
  ) as ProfileInput

/** What the OpenAPI document says of the interfaces that are to be checked. */
const documentedIn = ({ document, accountsVariant, payments, loans }: Answers): Members => {
  const { secondVariant, payments: ofPayments, loans: ofLoans, ...rest } = document?.profile ?? {}
  return {
    ...rest,
    ...(secondVariant !== undefined && accountsVariant !== 'first' && { secondVariant }),
    ...(ofPayments !== undefined && payments && { payments: ofPayments }),
    ...(ofLoans !== undefined && loans && { loans: ofLoans }),
  }
}

/** The environment variables that the profile reads. The password is needed only if a recipe logs in. */
export const neededVariables = (answers: Answers): readonly string[] =>
  [...JSON.stringify(placed(answers)).matchAll(/"env:([^"]*)"/g)].map(([, name = '']) => name)

export const unsetVariables = (answers: Answers, env: NodeJS.ProcessEnv): readonly string[] =>
  neededVariables(answers).filter((name) => (env[name] ?? '').trim() === '')

const placed = (answers: Answers): Members =>
  ROWS.map((row) => {
    const value = row.written ? row.written(answers[row.key], answers) : answers[row.key]
    const isLeftOut = !isAuthorized(answers) && /^(customers|authorization)\b/.test(row.place ?? '')
    return row.place === undefined || value === undefined || isLeftOut
      ? {}
      : nested(row.place.replace('{environment}', answers.environment), value)
  }).reduce(joined, {})

/** What follows from several answers, and from the bank's pages. */
const derived = (answers: Answers): Members => {
  const { environment, recipe, payments, loans, accountsVariant, authorization, redirectUri } = answers
  const hasListener = isAuthorized(answers) && authorization === 'person'
  const port = hasListener ? listeningPort(redirectUri) : undefined
  return {
    applications: { 0: { name: APPLICATION, ...(!isAuthorized(answers) && FOR_LOANS) } },
    ...(port !== undefined && { authorization: { listen: { port } } }),
    ...(authorization === 'pages' &&
      recipe && {
        authorization: { pages: recipe.pages, ...(recipe.code !== undefined && { code: recipe.code }) },
      }),
    ...(payments && {
      payments: { facts: { currencies: ['EUR'] } },
      guesses: [
        'payments.facts.currencies',
        ...answers.provocations.map((code) => `payments.provocations.${code}`),
      ],
    }),
    ...(loans && { loans: {} }),
    ...(accountsVariant !== 'first' && { secondVariant: {} }),
    allow: { [environment]: effectsOf(answers) },
    ...(accountsVariant === 'second' && {
      notApplicable: Object.fromEntries(
        FIRST_VARIANT_ROWS.map((id) => [id, 'the bank offers only the second accounts variant']),
      ),
    }),
  }
}

/** A place such as `applications.0.name` is of an item of a list. */
const withLists = (value: unknown): unknown => {
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  if (keys.length > 0 && keys.every((key, at) => key === String(at)))
    return Object.values(value).map(withLists)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withLists(inner)]))
}

/** The port of the redirect URI on this machine. */
const listeningPort = (redirectUris: readonly string[]): number | undefined =>
  redirectUris
    .filter((uri) => URL.canParse(uri))
    .map((uri) => new URL(uri))
    .filter(({ protocol, hostname }) => protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
    .map(({ port }) => Number(port))
    .find((port) => port !== 0)

/** The effects that the chosen interfaces need; in production only read and consent. */
const effectsOf = ({ environment, payments, loans, authorization }: Answers): readonly string[] => {
  if (authorization === 'tokens') return ['read']
  if (environment === 'production') return ['read', 'consent']
  return ['read', 'consent', 'notify', ...(loans ? ['apply'] : []), ...(payments ? ['pay'] : [])]
}

/** Ids such as ACC-01, from the first to the last number. */
const requirementIds = (chapter: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${chapter}-${String(from + at).padStart(2, '0')}`)

/** Requirements that are checked on the first accounts variant. They do not apply to a bank without it. */
export const FIRST_VARIANT_ROWS: readonly string[] = [
  ...requirementIds('ACC', 1, 13),
  ...requirementIds('ACC', 23, 27),
  // It compares both variants.
  'ACC-36',
  'ACC-37',
  ...requirementIds('TRX', 1, 13),
  ...requirementIds('TRX', 27, 32),
  'TRX-41',
  'TRX-43',
  'TRX-45',
]

/** Every problem of the given answers, with the option of each. A missing IBAN is reported once, not by the schema as well. */
export const problemsIn = (given: PartialAnswers): readonly string[] => {
  const answers = withDefaults(given)
  const own = ROWS.flatMap((row) => {
    const problem = row.check?.(answers[row.key], answers)
    return problem === undefined ? [] : [`${row.name}: ${problem}`]
  })
  const isAccount = (problem: string): boolean => /^--(debtor|creditor):/.test(problem)
  return own.some(isAccount) ? own : [...own, ...profileProblems(answers).map(withOptionName)]
}

const withOptionName = (problem: string): string => {
  const [, key = '', rest = ''] = /^`([^`]+)`:? ?(.*)$/s.exec(problem) ?? []
  const row = ROWS.find(
    ({ place }) => place !== undefined && `${key}.`.startsWith(place.replace(/\.?\{.*|$/, '.')),
  )
  return row === undefined ? problem : `${row.name}: ${rest}`
}

/** The profile from the answers, with placeholders for the values of its variables. @throws ConfigurationError */
export const draftProfile = (answers: Answers): LoadedProfile => {
  const env = Object.fromEntries(neededVariables(answers).map((name) => [name, `the-value-of-${name}`]))
  return resolveProfile(profileInput(answers), env, 'the answers')
}

const profileProblems = (answers: Answers): readonly string[] => {
  try {
    draftProfile(answers)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}
