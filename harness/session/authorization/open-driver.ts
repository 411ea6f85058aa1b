import { NotReached } from '../../evidence/signals.ts'
import { registeredUris } from '../../profile/redirect-uris.ts'
import { recipeOf, type BrowserProfile } from '../../profile/schema/authorization.ts'
import { createLoginGuard } from './login-guard.ts'
import { repeatDoubtful } from './repeat-doubtful.ts'
import { navigatePages, type Navigation } from './page-navigation.ts'
import { connectToPrompts, type Ask } from './thread-channel.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Profile } from '../../profile/schema.ts'
import type { RunningBrowser } from './browser/browser.ts'
import type { AuthorizationDriver, AuthorizationRequest, DriverOptions } from './driver.ts'
import type { BringAnswer } from '../http/http.ts'
import type { HttpRequest } from '../http/request.ts'

/** A person opens the link in their own browser, and brings back the address or code at the end. */

/** Errors about the request, not about what the customer did (RFC 6749 §4.1.2.1). */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
])
const DENIED = 'access_denied'

interface PersonDriverOptions {
  readonly ask: Ask
  /** The redirect URIs at which the bank shows the code on a page of its own. */
  readonly shownAt: readonly string[]
  readonly close: () => void
}

export const openPersonDriver = ({ ask, shownAt, close }: PersonDriverOptions): AuthorizationDriver => ({
  async authorize(request, start) {
    const isShown = shownAt.includes(request.redirectUri)
    const exchange = await request.http.send(start, secretsIn, {
      bring: receiveAnswer(ask, request, start, isShown),
    })
    return redirectResultOf(exchange, request, isShown)
  },
  // Other pages have a recipe, which a program follows.
  walk: navigatePages,
  close: async () => close(),
})

const receiveAnswer =
  (
    ask: Ask,
    { customer, decision, redirectUri }: AuthorizationRequest,
    start: HttpRequest,
    isShown: boolean,
  ): BringAnswer =>
  async (id, ends) => {
    if (customer === undefined) throw new NotReached('the profile names no customer who could authorize')
    const question = { id, link: start.url, customer: customer.name, decision, redirectUri, isShown }
    const reply = await ask(question, ends)
    if ('handover' in reply) return reply.handover
    throw new NotReached(reply.because)
  }

/** The link was meant for one person: its parameters are secret. */
const secretsIn = ({ request, handover }: Exchange): readonly KnownSecret[] => {
  const { searchParams } = new URL(request.url)
  const ofLink = ['state', 'code_challenge'].flatMap((name) =>
    searchParams.getAll(name).map((value) => ({ name, value })),
  )
  return handover?.code === undefined ? ofLink : [...ofLink, { name: 'code', value: handover.code }]
}

/**
 * What the customer did is only known from the result.
 * @throws NotReached if the person may not have done what was asked: this is not a finding about the target.
 */
const redirectResultOf = (
  exchange: Exchange,
  { decision }: AuthorizationRequest,
  isShown: boolean,
): RedirectResult => {
  const { address, code } = exchange.handover ?? {}
  const endAuthorization = (
    redirectResult: Partial<RedirectResult> & Pick<RedirectResult, 'outcome'>,
  ): RedirectResult => ({
    kind: 'redirect-result',
    exchange,
    acted: [],
    decision: 'unasked',
    ...redirectResult,
  })
  if (code !== undefined && decision === 'deny')
    throw notAsAsked(exchange, 'REFUSE, and the bank gave a code')
  if (code !== undefined && (isShown || address === undefined))
    return endAuthorization({ outcome: 'result-screen', code, ...(!isShown && { isCodeAlone: true }) })
  if (address === undefined) return endAuthorization({ outcome: 'page' })
  if (code !== undefined) return endAuthorization({ outcome: 'redirect', redirect: address, code })
  const error = new URL(address).searchParams.get('error')
  const isDenied = decision === 'deny' && error === DENIED
  if (error !== null && !isDenied && !OF_THE_REQUEST.has(error))
    throw notAsAsked(exchange, `${decision === 'deny' ? 'REFUSE' : 'AGREE'}, and the bank answered ${error}`)
  return isShown
    ? endAuthorization({ outcome: 'page' })
    : endAuthorization({ outcome: 'redirect', redirect: address, ...(isDenied && { decision: 'denied' }) })
}

const notAsAsked = ({ id }: Exchange, what: string): NotReached =>
  new NotReached(
    `the person who authorized ${id} was asked to ${what}: the suite cannot see whether they did so, and the bank may be right`,
  )

type Follow = (walk: Navigation, start: HttpRequest) => Promise<RedirectResult>

const recipeDriver = (
  { authorization, customers, applications }: Pick<Profile, 'authorization' | 'customers' | 'applications'>,
  walk: Follow,
  close: AuthorizationDriver['close'],
  { mostRefusals }: DriverOptions,
): AuthorizationDriver => {
  const guardLogin = createLoginGuard(customers, mostRefusals)
  const registered = registeredUris({ applications })
  return {
    async authorize(
      { customer, isToBeGranted, isPlain, recipe = recipeOf(authorization), ...request },
      start,
    ) {
      if (recipe === undefined || customer === undefined)
        throw new NotReached('the profile does not say how a customer authorizes')
      // A wrong password may resemble the right one, and the field of the bank may have any name.
      request.http.redactor.learn('password', customer.password)
      const once = () => walk({ ...request, customer, recipe, registered }, start)
      // A wrong password that a check types on purpose is not repeated: the bank may lock the account.
      const isOfProfile = customers.some(
        ({ username, password }) => username === customer.username && password === customer.password,
      )
      const guarded = () => guardLogin(customer, recipe, once, isToBeGranted ?? isPlain)
      return isOfProfile
        ? repeatDoubtful(guarded, isToBeGranted ? 'any' : isPlain ? 401 : undefined)
        : guarded()
    },
    walk,
    close,
  }
}

const nothingOpen = async (): Promise<void> => undefined

/** The browser is loaded and started when it is first needed. */
const openBrowserDriver = (
  authorization: BrowserProfile,
  profile: Profile,
  options: DriverOptions,
): AuthorizationDriver => {
  let opened: Promise<RunningBrowser> | undefined
  const open = async (): Promise<RunningBrowser> => {
    const { openBrowser } = await import('./browser/browser.ts')
    return openBrowser(authorization, profile, options)
  }
  return recipeDriver(
    profile,
    async (walk, start) => (await (opened ??= open())).walk(walk, start),
    async () => (await opened)?.close(),
    options,
  )
}

/** @param channel its other end is at the terminal; undefined if the run asks no person. */
const openPersonDriverAt = ({ applications }: Profile, channel: string | undefined): AuthorizationDriver => {
  if (channel === undefined) return { authorize: refuseToAsk, walk: navigatePages, close: nothingOpen }
  const ask = connectToPrompts(channel)
  const shownAt = registeredUris({ applications })
    .filter(({ delivery }) => delivery === 'result-screen')
    .map(({ uri }) => uri)
  return openPersonDriver({ ask, shownAt, close: () => ask.close() })
}

const refuseToAsk = async (): Promise<never> => {
  throw new NotReached('there is no way to authorize')
}

export const openAuthorizationDriver = (
  profile: Profile,
  options: DriverOptions = {},
): AuthorizationDriver => {
  const { authorization } = profile
  switch (authorization.kind) {
    case 'pages':
    case 'tokens':
      return recipeDriver(profile, navigatePages, nothingOpen, options)
    case 'browser':
      return openBrowserDriver(authorization, profile, options)
    case 'person':
      return openPersonDriverAt(profile, options.promptChannel)
  }
}
