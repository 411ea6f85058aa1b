import { renderFault } from '../../evidence/exchange.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { withRedirectUris } from '../../profile/redirect-uris.ts'
import { profileSchema } from '../../profile/schema.ts'
import { recipeOf } from '../../profile/schema/authorization.ts'
import { hideSecrets } from '../../profile/secrets.ts'
import { createSession } from '../../session/session.ts'
import { openTargetHttp } from '../../connection/target-http.ts'
import { createTestHooks } from '../../connection/test-hooks.ts'
import { createWallClock } from '../../connection/wall-clock.ts'
import { neededVariables } from './answers.ts'
import { REQUESTS } from './discovery.ts'
import { unknownRefusalOn, headlineOf, proposeCode, proposePage, refuseAtDecision } from './page-recipe.ts'
import { profileInput } from './problems.ts'
import type { Landing } from '../../evidence/record/answer.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Application } from '../../session/application.ts'
import type { Http } from '../../session/http/http.ts'
import type { Answers, Recipe } from './answers.ts'
import type { Prompter } from './prompter.ts'
import type { UnknownRefusal, PageProposal } from './page-recipe.ts'

/** Finds the recipe for the bank's pages by opening them one after the other. */

/** The result of a search; `reason` is present if no code was reached. */
export interface Search {
  readonly pages: readonly PageProposal[]
  readonly code?: string
  readonly reason?: string
  /** Pages with two buttons where the text does not show which one refuses. */
  readonly unknownRefusals: readonly UnknownRefusal[]
  /** Whether the customer's consent was granted at the bank. */
  readonly granted: boolean
}

interface SearchOptions {
  readonly env: NodeJS.ProcessEnv
  /** Whether to log in and agree; otherwise only the first page is opened. */
  readonly logsIn: boolean
  readonly ends: AbortSignal
}

/** The limit of pages between the authorization link and the code. */
const MOST_PAGES = 6

/** A selector that matches no element. */
const NO_MATCH = 'no-such-element'
const NO_PAGE: PageProposal = { when: NO_MATCH, fill: {}, press: NO_MATCH }

/**
 * Starts a new authorization for each page that it finds. For a TPP each authorization creates a consent.
 * @throws ConfigurationError if a variable is not set.
 */
const searchRecipe = async (answers: Answers, options: SearchOptions): Promise<Search> => {
  const { baseUrl } = answers
  const resolved = resolveProfile(profileInput(answers), environmentOf(answers, options), 'the answers')
  const profile = withRedirectUris(resolved.profile, baseUrl)
  const loaded = { ...resolved, profile }
  const { http, close } = openTargetHttp({ ...REQUESTS, profile, baseUrl, signal: options.ends })
  const context: SearchContext = { loaded, answers, http }
  try {
    const found = await searchPages(context, options)
    const search = { ...found, pages: refuseAtDecision(found.pages) }
    return search.granted ? { ...search, ...(await searchCode(context, search)) } : search
  } finally {
    await close()
  }
}

/** Without a login the user name and password are placeholders. */
const environmentOf = ({ variables }: Answers, { env, logsIn }: SearchOptions): NodeJS.ProcessEnv =>
  logsIn ? env : { ...env, [variables.username]: 'not used', [variables.password]: 'not used' }

/** The variables that the search needs and that are not set. */
const unsetFor = (answers: Answers, env: NodeJS.ProcessEnv, logsIn: boolean): readonly string[] => {
  const { clientId, clientSecret } = answers.variables
  return (logsIn ? neededVariables(answers) : [clientId, clientSecret]).filter(
    (name) => (env[name] ?? '').trim() === '',
  )
}

interface PageRecipe {
  readonly pages: readonly PageProposal[]
  readonly code: string
}

interface SearchContext {
  readonly loaded: LoadedProfile
  readonly answers: Answers
  readonly http: Http
}

const searchPages = async (context: SearchContext, { logsIn, ends }: SearchOptions): Promise<Search> => {
  const pages: PageProposal[] = []
  const unknownRefusals: UnknownRefusal[] = []
  const redirectUri = uriOf(context, 'redirect') ?? uriOf(context, 'result-screen')
  const stop = (reason: string): Search => ({ pages, unknownRefusals, granted: false, reason })
  while (pages.length < MOST_PAGES) {
    const landing = await authorize(context, { pages, code: NO_MATCH }, redirectUri)
    ends.throwIfAborted()
    if (typeof landing === 'string') return stop(landing)
    if (landing.code !== undefined) return { pages, unknownRefusals, granted: true }
    const html = landing.exchange.response?.body.text ?? ''
    if (landing.outcome === 'page' && proposeCode(html) !== undefined && pages.length > 0)
      return { pages, unknownRefusals, granted: true }
    const isNamed = pages.some(({ fill }) => Object.values(fill).includes('{username}'))
    const page = landing.outcome === 'page' ? proposePage(html, isNamed) : undefined
    if (page === undefined || pages.some(({ when }) => when === page.when))
      return stop(whyEnded(landing, context, page !== undefined))
    insert(pages, page)
    unknownRefusals.push(...[unknownRefusalOn(html, page)].flatMap((unknownRefusal) => unknownRefusal ?? []))
    if (!logsIn) return { pages, unknownRefusals, granted: false }
  }
  return stop(`no code came after ${MOST_PAGES} pages`)
}

/** The first page that matches is used, so pages with input fields come before pages with buttons only. */
const insert = (pages: PageProposal[], page: PageProposal): void => {
  const isTyped = ({ fill }: PageProposal): boolean => Object.keys(fill).length > 0
  const at = isTyped(page) ? pages.findIndex((other) => !isTyped(other)) : -1
  pages.splice(at < 0 ? pages.length : at, 0, page)
}

/** Finds the element with the code. Only a result-screen redirect URI has one. */
const searchCode = async (context: SearchContext, { pages }: Search): Promise<{ readonly code?: string }> => {
  const redirectUri = uriOf(context, 'result-screen')
  if (redirectUri === undefined) return {}
  const landing = await authorize(context, { pages, code: NO_MATCH }, redirectUri)
  if (typeof landing === 'string' || landing.outcome !== 'page') return {}
  const code = proposeCode(landing.exchange.response?.body.text ?? '')
  return code === undefined ? {} : { code }
}

const uriOf = (
  { loaded: { profile } }: SearchContext,
  how: 'redirect' | 'result-screen',
): string | undefined => profile.applications[0]?.redirectUris.find(({ delivery }) => delivery === how)?.uri

/** Authorizes with these pages. Resolves to the reason if that was not possible. */
const authorize = async (
  context: SearchContext,
  recipe: PageRecipe,
  redirectUri: string | undefined,
): Promise<Landing | string> => {
  try {
    const options = redirectUri === undefined ? {} : { redirectUri }
    return await applicationOf(context, recipe).authorize(options)
  } catch (error) {
    if (error instanceof NotReached || error instanceof Inconclusive)
      return hideSecrets(error.message, context.loaded.secrets)
    throw error
  }
}

const applicationOf = (
  { loaded, answers, http }: SearchContext,
  { pages, code }: PageRecipe,
): Application => {
  const profile: Profile = {
    ...loaded.profile,
    authorization: { kind: 'pages', pages: [NO_PAGE, ...pages], code, limit: 20 },
  }
  const { baseUrl, kind } = answers
  return createSession({
    profile,
    baseUrl,
    http,
    kind,
    clock: createWallClock({ ends: undefined, deadline: undefined }),
    testHooks: createTestHooks(http, baseUrl, profile),
    access: async () => {
      throw new Error('pages are requested without a token')
    },
  }).app
}

const whyEnded = (
  { outcome, exchange, redirect }: Landing,
  { loaded }: SearchContext,
  again: boolean,
): string => {
  const { response, fault } = exchange
  if (fault !== undefined) return renderFault(fault)
  if (outcome === 'redirect') return `the bank redirected to the application ${errorIn(redirect ?? '')}`
  const headline = hideSecrets(headlineOf(response?.body.text ?? ''), loaded.secrets)
  const what = again ? 'the same page came again' : 'a page came that has no button to continue'
  return `${what} (${response?.status ?? 'no answer'}: ${JSON.stringify(headline)})`
}

const errorIn = (redirect: string): string => {
  const error = URL.canParse(redirect) ? new URL(redirect).searchParams.get('error') : null
  return error === null ? 'without a code' : `with the error ${JSON.stringify(error.slice(0, 60))}`
}

/** Why the pages cannot be searched; undefined if they can. */
export const reasonNotToSearch = (answers: Answers, env: NodeJS.ProcessEnv): string | undefined => {
  const unset = unsetFor(answers, env, false)
  return unset.length === 0
    ? undefined
    : `the variables ${unset.join(', ')} are not set; the profile contains guessed selectors`
}

/** Searches the bank's pages, and adds the recipe to the answers. */
export const addRecipe = async (
  answers: Answers,
  options: SearchOptions,
): Promise<{ readonly answers: Answers; readonly lines: readonly string[] }> => {
  const search = await searchRecipe(answers, options)
  return { answers: withRecipe(answers, search), lines: describe(search, options.logsIn) }
}

/** Adds the pages that were found. If the decision page was not reached, it is guessed. */
const withRecipe = (answers: Answers, { pages, unknownRefusals, code, granted }: Search): Answers => {
  const usual = recipeOf(profileSchema.shape.authorization.parse(undefined))?.pages ?? []
  const guessed = usual.filter(({ refuse }) => refuse !== undefined)
  const decides = pages.some(({ refuse }) => refuse !== undefined)
  const [first, ...rest] = granted || decides ? pages : [...pages, ...guessed]
  return first === undefined || pages.length === 0
    ? answers
    : {
        ...answers,
        recipe: {
          pages: [first, ...rest],
          ...(code !== undefined && { code }),
          ...(unknownRefusals.length > 0 && { unknownRefusals }),
          complete: granted,
        },
      }
}

const describe = ({ pages, code, reason, granted }: Search, logsIn: boolean): readonly string[] => [
  ...pages.map(describePage),
  ...(code === undefined ? [] : [`The result screen shows the code at ${code}.`]),
  ...(granted ? ['The consent was granted at the bank, and a code was received.'] : []),
  ...(reason === undefined ? [] : [`The search did not reach a code: ${reason}.`]),
  ...(logsIn || pages.length === 0 ? [] : ['The pages after the login are guessed; --log-in finds them.']),
]

const describePage = ({ when, fill, press, refuse }: PageProposal): string => {
  const typed = Object.entries(fill).map(([selector, text]) => `${text} into ${selector}`)
  return [
    `The page with ${when}:`,
    ...(typed.length === 0 ? [] : [`type ${typed.join(', ')};`]),
    `press ${press}`,
    ...(refuse === undefined ? [] : [`(to refuse: ${refuse})`]),
  ].join(' ')
}

/** For two buttons with unclear text: asks which one refuses, or says which key to add. */

const MOST_CHARACTERS = 40

const describeButton = ({ text, selector }: UnknownRefusal['other']): string =>
  text === '' ? selector : `${JSON.stringify(text.slice(0, MOST_CHARACTERS))} (${selector})`

/** The key of the page's refuse button, such as `authorization.pages.1.refuse`. */
const keyOf = ({ pages }: Recipe, { when }: UnknownRefusal): string =>
  `authorization.pages.${pages.findIndex((page) => page.when === when)}.refuse`

/** One TODO sentence for each page whose refuse button is unknown. */
export const describeUnknownRefusals = (recipe: Recipe): readonly string[] =>
  (recipe.unknownRefusals ?? []).map(
    (unknownRefusal) =>
      `TODO ${keyOf(recipe, unknownRefusal)}: it is unknown which button refuses. ${describeButton(unknownRefusal.pressed)} is pressed to agree; ` +
      `if ${describeButton(unknownRefusal.other)} refuses, add refuse: ${JSON.stringify(unknownRefusal.other.selector)} to the page`,
  )

const settled = (
  recipe: Recipe,
  unknownRefusal: UnknownRefusal,
  choice: 'other' | 'pressed' | 'none',
): Recipe => {
  const [first, ...rest] = recipe.pages.map((page) => {
    if (page.when !== unknownRefusal.when || choice === 'none') return page
    const [press, refuse] =
      choice === 'other'
        ? [unknownRefusal.pressed.selector, unknownRefusal.other.selector]
        : [unknownRefusal.other.selector, unknownRefusal.pressed.selector]
    return { ...page, press, refuse }
  })
  const unknownRefusals = (recipe.unknownRefusals ?? []).filter((each) => each !== unknownRefusal)
  return first === undefined ? recipe : { ...recipe, pages: [first, ...rest], unknownRefusals }
}

/** Asks for the refuse button of each page where it is unknown. */
export const askForRefusals = async (answers: Answers, prompter: Prompter): Promise<Answers> => {
  let { recipe } = answers
  for (const unknownRefusal of recipe?.unknownRefusals ?? []) {
    const choice = await prompter.choose({
      message: 'A page has two buttons. Which one refuses?',
      options: [
        { value: 'other', label: describeButton(unknownRefusal.other) },
        { value: 'pressed', label: describeButton(unknownRefusal.pressed) },
        { value: 'none', label: 'neither' },
      ],
      preset: 'other',
    })
    if (recipe !== undefined) recipe = settled(recipe, unknownRefusal, choice)
  }
  return recipe === undefined ? answers : { ...answers, recipe }
}
