import { renderFault } from '../../evidence/exchange.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { withRedirectUris } from '../../profile/redirect-uris.ts'
import type { Profile } from '../../profile/schema.ts'
import { USUAL_DECISION } from '../../profile/schema/authorization.ts'
import { hideSecrets } from '../../profile/secrets.ts'
import { openTargetHttp, openTargetSession } from '../../connection/target-http.ts'
import { REQUESTS } from './discovery.ts'
import { unknownRefusalOn, headlineOf, proposeCode, proposePage, refuseAtDecision } from './page-recipe.ts'
import { profileInput } from './profile-input.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { Http } from '../../session/http/http.ts'
import { forFirstLogin, type Answers, type Recipe } from './answers.ts'
import type { Application } from '../../session/application.ts'
import type { UnknownRefusal, PageProposal } from './page-recipe.ts'

/** Finds the recipe for the bank's pages by opening them one after the other. */

/** The result of a search; `reason` is present if no code was reached. */
interface Search extends Omit<Recipe, 'pages'> {
  readonly pages: readonly PageProposal[]
  readonly reason?: string
}

interface SearchOptions {
  readonly env: NodeJS.ProcessEnv
  /** Whether to log in and agree; otherwise only the first page is opened. */
  readonly logsIn: boolean
  readonly ends: AbortSignal
}

/** The limit of pages between the authorization link and the code. */
const MOST_PAGES = 6

const NO_MATCH = 'no-such-element'
const NO_PAGE: PageProposal = { when: NO_MATCH, fill: {}, press: NO_MATCH }

/**
 * Searches the bank's pages, and adds the recipe to the answers. It starts a new authorization for each page that it finds;
 * for a TPP each authorization creates a consent.
 * @throws ConfigurationError if a variable is not set.
 */
export const addRecipe = async (
  answers: Answers,
  options: SearchOptions,
): Promise<{ readonly answers: Answers; readonly lines: readonly string[] }> => {
  const { baseUrl } = answers
  const own = profileInput(forFirstLogin(answers))
  const resolved = resolveProfile(own, environmentOf(answers, options), 'the answers')
  const loaded = { ...resolved, profile: withRedirectUris(resolved.profile, baseUrl) }
  const { http, close } = openTargetHttp({
    ...REQUESTS,
    profile: loaded.profile,
    baseUrl,
    signal: options.ends,
  })
  const uriOf = (how: 'redirect' | 'result-screen'): string | undefined =>
    loaded.profile.applications[0]?.redirectUris.find(({ delivery }) => delivery === how)?.uri
  const [redirect, resultScreen] = [uriOf('redirect'), uriOf('result-screen')]
  const act = actorOf(loaded, answers, http)
  const authorize = (pages: readonly PageProposal[], redirectUri: string | undefined) =>
    act(pages, (app) => app.authorize(redirectUri === undefined ? {} : { redirectUri }))
  try {
    const found = await searchPages((pages) => authorize(pages, redirect ?? resultScreen), options, loaded)
    const pages = refuseAtDecision(found.pages)
    const code =
      found.complete && resultScreen !== undefined ? codeOn(await authorize(pages, resultScreen)) : undefined
    const listed = found.complete ? await act(pages, (app) => listAccounts(app, answers), code) : []
    const accounts = typeof listed === 'string' ? [] : listed
    const search = { ...found, pages, accounts, ...(code !== undefined && { code }) }
    return { answers: withRecipe(answers, search), lines: describe(search, options.logsIn) }
  } finally {
    await close()
  }
}

/** Without a login the user name and password are placeholders. */
const environmentOf = (
  { usernameEnv, passwordEnv }: Answers,
  { env, logsIn }: SearchOptions,
): NodeJS.ProcessEnv => (logsIn ? env : { ...env, [usernameEnv]: 'not used', [passwordEnv]: 'not used' })

const searchPages = async (
  authorize: (pages: readonly PageProposal[]) => Promise<RedirectResult | string>,
  { logsIn, ends }: SearchOptions,
  { secrets }: LoadedProfile,
): Promise<Search> => {
  const pages: PageProposal[] = []
  const unknownRefusals: UnknownRefusal[] = []
  const end = (complete: boolean, reason?: string): Search => ({
    pages,
    unknownRefusals,
    complete,
    accounts: [],
    ...(reason !== undefined && { reason }),
  })
  while (pages.length < MOST_PAGES) {
    const redirectResult = await authorize(pages)
    ends.throwIfAborted()
    if (typeof redirectResult === 'string') return end(false, redirectResult)
    const html = redirectResult.exchange.response?.body.text ?? ''
    const isPage = redirectResult.outcome === 'page'
    if (redirectResult.code !== undefined || (isPage && pages.length > 0 && proposeCode(html) !== undefined))
      return end(true)
    const isNamed = pages.some(({ fill }) => Object.values(fill).includes('{username}'))
    const page = isPage ? proposePage(html, isNamed) : undefined
    if (page === undefined || pages.some(({ when }) => when === page.when))
      return end(false, hideSecrets(whyEnded(redirectResult, page !== undefined), secrets))
    insert(pages, page)
    const unknownRefusal = unknownRefusalOn(html, page)
    if (unknownRefusal !== undefined) unknownRefusals.push(unknownRefusal)
    if (!logsIn) return end(false)
  }
  return end(false, `no code came after ${MOST_PAGES} pages`)
}

/** The first page that matches is used, so pages with input fields come before pages with buttons only. */
const insert = (pages: PageProposal[], page: PageProposal): void => {
  const isTyped = ({ fill }: PageProposal): boolean => Object.keys(fill).length > 0
  const at = isTyped(page) ? pages.findIndex((other) => !isTyped(other)) : -1
  pages.splice(at < 0 ? pages.length : at, 0, page)
}

const codeOn = (redirectResult: RedirectResult | string): string | undefined =>
  typeof redirectResult === 'string' || redirectResult.outcome !== 'page'
    ? undefined
    : proposeCode(redirectResult.exchange.response?.body.text ?? '')

/** Acts as the application, whose customer follows these pages. Resolves to the reason if that was not possible. */
const actorOf =
  ({ profile, secrets }: LoadedProfile, { baseUrl }: Answers, http: Http) =>
  async <Result>(
    pages: readonly PageProposal[],
    act: (app: Application) => Promise<Result>,
    code = NO_MATCH,
  ): Promise<Result | string> => {
    const recipe = { pages: [NO_PAGE, ...pages], code, limit: 20, reloadMs: 60_000 }
    const following: Profile = { ...profile, authorization: { kind: 'pages', ...recipe } }
    const kind = profile.applications[0]?.kind ?? 'any'
    const { app } = openTargetSession({ profile: following, baseUrl, http, kind })
    try {
      return await act(app)
    } catch (error) {
      if (error instanceof NotReached || error instanceof Inconclusive)
        return hideSecrets(error.message, secrets)
      throw error
    }
  }

const listAccounts = async (app: Application, { accountsVariant }: Answers): Promise<readonly string[]> => {
  const accounts = app.accounts(accountsVariant === 'second' ? 'second' : 'first')
  const { accessToken } = await app.tokens()
  return accounts.accountsIn(await accounts.list(accessToken)).flatMap(({ iban }) => iban ?? [])
}

const whyEnded = ({ outcome, exchange, redirect = '' }: RedirectResult, again: boolean): string => {
  const { response, fault } = exchange
  if (fault !== undefined) return renderFault(fault)
  if (outcome === 'redirect') {
    const error = URL.canParse(redirect) ? new URL(redirect).searchParams.get('error') : null
    const what = error === null ? 'without a code' : `with the error ${JSON.stringify(error.slice(0, 60))}`
    return `the bank redirected to the application ${what}`
  }
  const what = again ? 'the same page came again' : 'a page came that has no button to continue'
  const headline = JSON.stringify(headlineOf(response?.body.text ?? ''))
  return `${what} (${response?.status ?? 'no answer'}: ${headline})`
}

/** Adds the pages that were found. If the decision page was not reached, it is guessed. */
const withRecipe = (answers: Answers, search: Search): Answers => {
  const { pages, complete } = search
  const decides = pages.some(({ refuse }) => refuse !== undefined)
  const [first, ...rest] = pages
  if (first === undefined) return answers
  const all = [...rest, ...(complete || decides ? [] : [USUAL_DECISION])]
  return { ...answers, recipe: { ...search, pages: [first, ...all] } }
}

const describe = (search: Search, logsIn: boolean): readonly string[] => {
  const { pages, code, reason, complete, accounts } = search
  return [
    ...pages.map(describePage),
    ...(code === undefined ? [] : [`The result screen shows the code at ${code}.`]),
    ...(complete ? ['The consent was granted at the bank, and a code was received.'] : []),
    ...(accounts.length === 0 ? [] : [`The customer has the accounts ${accounts.join(' ')} (--accounts).`]),
    ...(reason === undefined ? [] : [`The search did not reach a code: ${reason}.`]),
    ...(logsIn || pages.length === 0 ? [] : ['The pages after the login are guessed; --log-in finds them.']),
    ...describeUnknownRefusals(search).map((line) => `${line}.`),
  ]
}

const describePage = ({ when, fill, press, refuse }: PageProposal): string => {
  const typed = Object.entries(fill).map(([selector, text]) => `${text} into ${selector}`)
  return [
    `The page with ${when}:`,
    ...(typed.length === 0 ? [] : [`type ${typed.join(', ')};`]),
    `press ${press}`,
    ...(refuse === undefined ? [] : [`(to refuse: ${refuse})`]),
  ].join(' ')
}

const MOST_CHARACTERS = 40

const describeButton = ({ text, selector }: UnknownRefusal['other']): string =>
  text === '' ? selector : `${JSON.stringify(text.slice(0, MOST_CHARACTERS))} (${selector})`

/** One TODO sentence for each page whose refuse button is unknown. */
export const describeUnknownRefusals = ({
  pages,
  unknownRefusals,
}: Pick<Search, 'pages' | 'unknownRefusals'>): readonly string[] =>
  unknownRefusals.map(
    ({ when, pressed, other }) =>
      `TODO authorization.pages.${pages.findIndex((page) => page.when === when)}.refuse: it is unknown which button refuses. ` +
      `${describeButton(pressed)} is pressed to agree; if ${describeButton(other)} refuses, ` +
      `add refuse: ${JSON.stringify(other.selector)} to the page`,
  )
