import { renderFault } from '../../evidence/exchange.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { profileSchema } from '../../profile/schema.ts'
import { recipeOf } from '../../profile/schema/authorization.ts'
import { hideSecrets } from '../../profile/secrets.ts'
import { createSession } from '../../session/session.ts'
import { openTargetHttp } from '../../target/target-http.ts'
import { createTestHooks } from '../../target/test-hooks.ts'
import { createWallClock } from '../../target/wall-clock.ts'
import { neededVariables } from './answers.ts'
import { REQUESTS } from './discovery.ts'
import { doubtOn, headlineOf, proposeCode, proposePage, refusedLast } from './page-recipe.ts'
import { profileInput } from './problems.ts'
import type { Landing } from '../../evidence/record/answer.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Application } from '../../session/application.ts'
import type { Http } from '../../session/http/http.ts'
import type { Answers, Recipe } from './answers.ts'
import type { Interviewer } from './questions.ts'
import type { Doubt, PageProposal } from './page-recipe.ts'

/** Finds out what a customer does on the pages of the bank, by opening them one after the other. */

/** What came of it: `because` says why the pages were not walked to their end. */
export interface Search {
  readonly pages: readonly PageProposal[]
  readonly code?: string
  readonly because?: string
  /** Pages of which only a person can tell which button refuses. */
  readonly doubts: readonly Doubt[]
  /** Whether the customer has agreed at the bank. */
  readonly granted: boolean
}

interface SearchOptions {
  readonly env: NodeJS.ProcessEnv
  /** Whether to log in and agree; else the first page is all that is looked at. */
  readonly logsIn: boolean
  readonly ends: AbortSignal
}

/** More pages than any bank has between a link and a code. */
const MOST_PAGES = 6

/** No page has such an element. */
const NOWHERE = 'no-such-element'
const NO_PAGE: PageProposal = { when: NOWHERE, fill: {}, press: NOWHERE }

/**
 * Opens an authorization, and again for each page that it has found. For a TPP each takes a consent.
 * @throws ConfigurationError where a variable is not set.
 */
const searchRecipe = async (answers: Answers, options: SearchOptions): Promise<Search> => {
  const loaded = resolveProfile(profileInput(answers), environmentOf(answers, options), 'the answers')
  const { profile } = loaded
  const { baseUrl } = answers
  const { http, close } = openTargetHttp({ ...REQUESTS, profile, baseUrl, signal: options.ends })
  const walker: Walker = { loaded, answers, http }
  try {
    const found = await searchPages(walker, options)
    const search = { ...found, pages: refusedLast(found.pages) }
    return search.granted ? { ...search, ...(await searchCode(walker, search)) } : search
  } finally {
    await close()
  }
}

/** Who does not log in needs no user name and no password. */
const environmentOf = ({ variables }: Answers, { env, logsIn }: SearchOptions): NodeJS.ProcessEnv =>
  logsIn ? env : { ...env, [variables.username]: 'nobody', [variables.password]: 'nobody-logs-in' }

/** The variables that a search needs and that are not set. */
const unsetFor = (answers: Answers, env: NodeJS.ProcessEnv, logsIn: boolean): readonly string[] => {
  const { clientId, clientSecret } = answers.variables
  return (logsIn ? neededVariables(answers) : [clientId, clientSecret]).filter(
    (name) => (env[name] ?? '').trim() === '',
  )
}

interface Steps {
  readonly pages: readonly PageProposal[]
  readonly code: string
}

interface Walker {
  readonly loaded: LoadedProfile
  readonly answers: Answers
  readonly http: Http
}

const searchPages = async (walker: Walker, { logsIn, ends }: SearchOptions): Promise<Search> => {
  const pages: PageProposal[] = []
  const doubts: Doubt[] = []
  const redirectUri = uriOf(walker, 'redirect') ?? uriOf(walker, 'result-screen')
  const stop = (because: string): Search => ({ pages, doubts, granted: false, because })
  while (pages.length < MOST_PAGES) {
    const landing = await authorize(walker, { pages, code: NOWHERE }, redirectUri)
    ends.throwIfAborted()
    if (typeof landing === 'string') return stop(landing)
    if (landing.code !== undefined) return { pages, doubts, granted: true }
    const html = landing.exchange.response?.body.text ?? ''
    if (landing.outcome === 'page' && proposeCode(html) !== undefined && pages.length > 0)
      return { pages, doubts, granted: true }
    const isNamed = pages.some(({ fill }) => Object.values(fill).includes('{username}'))
    const page = landing.outcome === 'page' ? proposePage(html, isNamed) : undefined
    if (page === undefined || pages.some(({ when }) => when === page.when))
      return stop(whyEnded(landing, walker, page !== undefined))
    insert(pages, page)
    doubts.push(...[doubtOn(html, page)].flatMap((doubt) => doubt ?? []))
    if (!logsIn) return { pages, doubts, granted: false }
  }
  return stop(`after ${MOST_PAGES} pages there was no code yet`)
}

/** A page is looked up in this order: one that is known by what is typed comes before one that is known by a button. */
const insert = (pages: PageProposal[], page: PageProposal): void => {
  const isTyped = ({ fill }: PageProposal): boolean => Object.keys(fill).length > 0
  const at = isTyped(page) ? pages.findIndex((other) => !isTyped(other)) : -1
  pages.splice(at < 0 ? pages.length : at, 0, page)
}

/** The code stands on a page only where its redirect URI is that of a result screen. */
const searchCode = async (walker: Walker, { pages }: Search): Promise<{ readonly code?: string }> => {
  const redirectUri = uriOf(walker, 'result-screen')
  if (redirectUri === undefined) return {}
  const landing = await authorize(walker, { pages, code: NOWHERE }, redirectUri)
  if (typeof landing === 'string' || landing.outcome !== 'page') return {}
  const code = proposeCode(landing.exchange.response?.body.text ?? '')
  return code === undefined ? {} : { code }
}

const uriOf = ({ answers }: Walker, how: 'redirect' | 'result-screen'): string | undefined =>
  answers.redirectUris.find(({ delivery }) => delivery === how)?.uri

/** One authorization by these pages, or why it did not come to an end. */
const authorize = async (
  walker: Walker,
  recipe: Steps,
  redirectUri: string | undefined,
): Promise<Landing | string> => {
  try {
    const options = redirectUri === undefined ? {} : { redirectUri }
    return await applicationOf(walker, recipe).authorize(options)
  } catch (error) {
    if (error instanceof NotReached || error instanceof Inconclusive)
      return hideSecrets(error.message, walker.loaded.secrets)
    throw error
  }
}

const applicationOf = ({ loaded, answers, http }: Walker, { pages, code }: Steps): Application => {
  const profile: Profile = {
    ...loaded.profile,
    authorization: { kind: 'pages', pages: [NO_PAGE, ...pages], code, limit: 20 },
  }
  const { baseUrl, kind } = answers
  return createSession({
    ...{ profile, baseUrl, http, kind },
    clock: createWallClock({ ends: undefined, deadline: undefined }),
    testHooks: createTestHooks(http, baseUrl, profile),
    access: async () => {
      throw new Error('pages are read without a token')
    },
  }).app
}

const whyEnded = ({ outcome, exchange, redirect }: Landing, { loaded }: Walker, again: boolean): string => {
  const { response, fault } = exchange
  if (fault !== undefined) return renderFault(fault)
  if (outcome === 'redirect') return `the bank sent the customer back ${errorIn(redirect ?? '')}`
  const said = hideSecrets(headlineOf(response?.body.text ?? ''), loaded.secrets)
  const what = again ? 'the same page came again' : 'a page came that could not be continued'
  return `${what} (${response?.status ?? 'no answer'}: ${JSON.stringify(said)})`
}

const errorIn = (redirect: string): string => {
  const error = URL.canParse(redirect) ? new URL(redirect).searchParams.get('error') : null
  return error === null ? 'without a code' : `with the error ${JSON.stringify(error.slice(0, 60))}`
}

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
  ...(logsIn || pages.length === 0 ? [] : ['The pages after the login are guessed; --log-in finds them.']),
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

/** Which of two buttons refuses, where their words do not tell: a person is asked, or told where to say it. */

const READ = 40

const named = ({ words, selector }: Doubt['other']): string =>
  words === '' ? selector : `${JSON.stringify(words.slice(0, READ))} (${selector})`

/** `authorization.pages.1.refuse`, of a recipe that has the page. */
const keyOf = ({ pages }: Recipe, { when }: Doubt): string =>
  `authorization.pages.${pages.findIndex((page) => page.when === when)}.refuse`

/** Sentences for whoever was not asked: one for each page. */
export const openRefusals = (recipe: Recipe): readonly string[] =>
  (recipe.doubts ?? []).map(
    (doubt) =>
      `TODO ${keyOf(recipe, doubt)}: nothing says which button refuses. ${named(doubt.pressed)} is pressed to agree; ` +
      `if ${named(doubt.other)} refuses, add refuse: ${JSON.stringify(doubt.other.selector)} to the page`,
  )

const settled = (recipe: Recipe, doubt: Doubt, word: 'other' | 'pressed' | 'none'): Recipe => {
  const [first, ...others] = recipe.pages.map((page) => {
    if (page.when !== doubt.when || word === 'none') return page
    const [press, refuse] =
      word === 'other'
        ? [doubt.pressed.selector, doubt.other.selector]
        : [doubt.other.selector, doubt.pressed.selector]
    return { ...page, press, refuse }
  })
  const doubts = (recipe.doubts ?? []).filter((each) => each !== doubt)
  return first === undefined ? recipe : { ...recipe, pages: [first, ...others], doubts }
}

/** Asks of each page that leaves a doubt. */
export const settleRefusals = async (answers: Answers, interviewer: Interviewer): Promise<Answers> => {
  let { recipe } = answers
  for (const doubt of recipe?.doubts ?? []) {
    const word = await interviewer.choose({
      message: 'A page has two buttons, and nothing says which of them refuses. Which one does?',
      options: [
        { value: 'other', label: named(doubt.other) },
        { value: 'pressed', label: named(doubt.pressed) },
        { value: 'none', label: 'neither of them' },
      ],
      preset: 'other',
    })
    if (recipe !== undefined) recipe = settled(recipe, doubt, word)
  }
  return recipe === undefined ? answers : { ...answers, recipe }
}
