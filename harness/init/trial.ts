import { recipeOf } from '../profile/authorization.ts'
import { profileSchema } from '../profile/schema.ts'
import { searchRecipe, unsetFor } from './recipe-search.ts'
import { variantSeen } from './offer-questions.ts'
import { completed } from './given.ts'
import { isUsual } from './look.ts'
import type { Answers } from './answers.ts'
import type { Given } from './given.ts'
import type { Look } from './look.ts'
import type { PageProposal } from './page-recipe.ts'
import type { Search, SearchOptions } from './recipe-search.ts'

/** What the bank itself tells of its profile, while it is written. */

export interface Told {
  readonly given: Given
  readonly lines: readonly string[]
}

/** Takes from a look what was not said. */
export const fillFrom = (given: Given, look: Look): Told => {
  if (!look.reached) return { given, lines: [`Nothing answers at ${given.baseUrl ?? ''}: ${look.because}`] }
  const { environment } = completed(given)
  const { basePath } = look
  const strange = basePath !== undefined && !isUsual(basePath, environment)
  const filled = {
    ...given,
    ...(given.basePath === undefined && strange && { basePath }),
    variant: given.variant ?? variantSeen(look),
  }
  return { given: filled, lines: [...aboutBasePath(given, look), ...aboutOffers(filled, look)] }
}

type Reached = Extract<Look, { reached: true }>

const aboutBasePath = (given: Given, { basePath, usualBasePath }: Reached): readonly string[] => {
  if (usualBasePath === 'there')
    return [`GET …/v1/accounts wants a token at the base path ${basePath ?? '/'}.`]
  if (basePath === undefined)
    return [
      'At none of the usual base paths GET …/v1/accounts is answered as accounts are: see basePaths and operations.',
    ]
  return given.basePath === undefined
    ? [`GET …/v1/accounts wants a token at the base path ${basePath}: it is taken.`]
    : [
        `GET …/v1/accounts wants a token at the base path ${basePath}, and not at ${given.basePath}: see basePaths.`,
      ]
}

const aboutOffers = (given: Given, { secondVariant, payments, loans }: Reached): readonly string[] => [
  ...(secondVariant === 'there' && given.variant === 'first'
    ? ['The second accounts variant answers too: --accounts-variant both has it judged.']
    : []),
  ...(payments === 'there' && given.payments === undefined && given.debtor === undefined
    ? ['Payments answer as well: --payments has them judged.']
    : []),
  ...(loans === 'there' && given.loans === undefined
    ? ['Instalment loans answer as well: --loans has them judged.']
    : []),
]

/** Why the pages are not looked at; undefined where they can be. */
export const whyUnsearched = (answers: Answers, env: NodeJS.ProcessEnv): string | undefined => {
  const unset = unsetFor(answers, env, false)
  return unset.length === 0
    ? undefined
    : `the variables ${unset.join(', ')} are not set: the selectors of its pages are guessed`
}

/** Takes from the pages of the bank what is done on them. What was not found stays guessed. */
export const searchFor = async (
  answers: Answers,
  options: SearchOptions,
): Promise<{ readonly answers: Answers; readonly lines: readonly string[] }> => {
  const search = await searchRecipe(answers, options)
  return { answers: withRecipe(answers, search), lines: describe(search, options.logsIn) }
}

/** What was not found stays guessed: the decision behind a login, the place of the code. */
const withRecipe = (answers: Answers, { pages, doubts, code, granted }: Search): Answers => {
  const usual = recipeOf(profileSchema.shape.authorization.parse(undefined))?.pages ?? []
  const guessed = usual.filter(({ refuse }) => refuse !== undefined)
  const decides = pages.some(({ refuse }) => refuse !== undefined)
  const [first, ...others] = granted || decides ? pages : [...pages, ...guessed]
  return first === undefined || pages.length === 0
    ? answers
    : {
        ...answers,
        recipe: {
          pages: [first, ...others],
          ...(code !== undefined && { code }),
          ...(doubts.length > 0 && { doubts }),
          complete: granted,
        },
      }
}

const describe = ({ pages, code, because, granted }: Search, logsIn: boolean): readonly string[] => [
  ...pages.map(describePage),
  ...(code === undefined ? [] : [`The result screen shows the code at ${code}.`]),
  ...(granted ? ['The customer has agreed at the bank, and a code came.'] : []),
  ...(because === undefined ? [] : [`The pages were not walked to their end: ${because}.`]),
  ...(logsIn || pages.length === 0
    ? []
    : ['What comes behind the login is guessed; --log-in has it found out.']),
]

const describePage = ({ when, fill, press, refuse }: PageProposal): string => {
  const typed = Object.entries(fill).map(([selector, text]) => `${text} into ${selector}`)
  return [
    `A page is known by ${when}:`,
    ...(typed.length === 0 ? [] : [`type ${typed.join(', ')};`]),
    `press ${press}`,
    ...(refuse === undefined ? [] : [`(to refuse: ${refuse})`]),
  ].join(' ')
}
