import { NotReached } from '../../evidence/signals.ts'
import { navigatePages } from './page-navigation.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Bring } from '../http/http.ts'
import type { Landing } from '../../evidence/record/landing.ts'
import type { HttpRequest } from '../http/request.ts'
import type { AuthorizationRequest, AuthorizationDriver } from './driver.ts'
import type { Ask } from './prompt-channel.ts'

/** A person opens the link in their own browser, and brings back the address or code at the end. */

/** Errors about the request, not about what the customer did (RFC 6749 §4.1.2.1). */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
])
const DENIED = 'access_denied'

export interface PersonDriverOptions {
  readonly ask: Ask
  /** The redirect URIs at which the bank shows the code on a page of its own. */
  readonly shownAt: readonly string[]
  readonly close: () => void
}

export const openPersonDriver = ({ ask, shownAt, close }: PersonDriverOptions): AuthorizationDriver => ({
  async authorize(request, start) {
    const isShown = shownAt.includes(request.redirectUri)
    const exchange = await request.http.send(start, secretsIn, {
      bring: bringBy(ask, request, start, isShown),
    })
    return landingOf(exchange, request, isShown)
  },
  // Other pages have a recipe, and a program goes through them.
  walk: navigatePages,
  close: async () => close(),
})

const bringBy =
  (
    ask: Ask,
    { customer, decision, redirectUri }: AuthorizationRequest,
    start: HttpRequest,
    isShown: boolean,
  ): Bring =>
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
 * @throws NotReached if the person may not have done what was asked: the target is not to blame.
 */
const landingOf = (exchange: Exchange, { decision }: AuthorizationRequest, isShown: boolean): Landing => {
  const { address, code } = exchange.handover ?? {}
  const land = (landing: Partial<Landing> & Pick<Landing, 'outcome'>): Landing => ({
    ...{ kind: 'landing', exchange, acted: [], decision: 'unasked' },
    ...landing,
  })
  if (code !== undefined && decision === 'deny')
    throw notAsAsked(exchange, 'REFUSE, and the bank gave a code')
  if (code !== undefined && (isShown || address === undefined))
    return land({ outcome: 'result-screen', code, ...(!isShown && { isCodeAlone: true }) })
  if (address === undefined) return land({ outcome: 'page' })
  if (code !== undefined) return land({ outcome: 'redirect', redirect: address, code })
  const error = new URL(address).searchParams.get('error')
  const isDenied = decision === 'deny' && error === DENIED
  if (error !== null && !isDenied && !OF_THE_REQUEST.has(error))
    throw notAsAsked(exchange, `${decision === 'deny' ? 'REFUSE' : 'AGREE'}, and the bank answered ${error}`)
  return isShown
    ? land({ outcome: 'page' })
    : land({ outcome: 'redirect', redirect: address, ...(isDenied && { decision: 'denied' }) })
}

const notAsAsked = ({ id }: Exchange, what: string): NotReached =>
  new NotReached(
    `whoever authorized ${id} was to ${what}: nobody saw whether they did so, and the bank may be right`,
  )
