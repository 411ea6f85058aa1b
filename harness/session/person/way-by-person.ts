import { NotReached } from '../../evidence/signals.ts'
import { walkPages } from '../customer.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Bring } from '../http.ts'
import type { Landing } from '../landing.ts'
import type { HttpRequest } from '../request.ts'
import type { Errand, Way } from '../way.ts'
import type { Ask } from './question.ts'

/** A person opens the link in a browser of their own, and what they bring back is the landing. */

/** Errors by which a bank speaks of the request, and not of what the customer did (RFC 6749 §4.1.2.1). */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
])
const DENIED = 'access_denied'

export interface PersonWay {
  readonly ask: Ask
  /** The redirect URIs at which the bank shows the code on a page of its own. */
  readonly shownAt: readonly string[]
  readonly close: () => void
}

export const openPersonWay = ({ ask, shownAt, close }: PersonWay): Way => ({
  async authorize(errand, start) {
    const isShown = shownAt.includes(errand.redirectUri)
    const exchange = await errand.http.send(start, secretsIn, {
      bring: bringBy(ask, errand, start, isShown),
    })
    return landingOf(exchange, errand, isShown)
  },
  // What is no authorization has pages that a program can walk, or the profile would not describe them.
  walk: walkPages,
  close: async () => close(),
})

const bringBy =
  (ask: Ask, { customer, decision, redirectUri }: Errand, start: HttpRequest, isShown: boolean): Bring =>
  async (id, ends) => {
    if (customer === undefined) throw new NotReached('the profile names no customer who could authorize')
    const question = { id, link: start.url, customer: customer.name, decision, redirectUri, isShown }
    const reply = await ask(question, ends)
    if ('handover' in reply) return reply.handover
    throw new NotReached(reply.because)
  }

/** Nobody else needs the rest of a link that was meant for one person. */
const secretsIn = ({ request, handover }: Exchange): readonly KnownSecret[] => {
  const { searchParams } = new URL(request.url)
  const ofLink = ['state', 'code_challenge'].flatMap((name) =>
    searchParams.getAll(name).map((value) => ({ name, value })),
  )
  return handover?.code === undefined ? ofLink : [...ofLink, { name: 'code', value: handover.code }]
}

/**
 * What the customer did on the pages is known by its fruit alone.
 * @throws NotReached where the person may have done something else than was asked: the target is not to blame for it.
 */
const landingOf = (exchange: Exchange, { decision }: Errand, isShown: boolean): Landing => {
  const { address, code } = exchange.handover ?? {}
  const land = (landing: Partial<Landing> & Pick<Landing, 'outcome'>): Landing => ({
    ...{ kind: 'landing', exchange, acted: [], decision: 'unasked' },
    ...landing,
  })
  if (code !== undefined && decision === 'deny')
    throw unlikeAsked(exchange, 'REFUSE, and the bank gave a code')
  if (code !== undefined && (isShown || address === undefined))
    return land({ outcome: 'result-screen', code, ...(!isShown && { isCodeAlone: true }) })
  if (address === undefined) return land({ outcome: 'page' })
  if (code !== undefined) return land({ outcome: 'redirect', redirect: address, code })
  const error = new URL(address).searchParams.get('error')
  const isDenied = decision === 'deny' && error === DENIED
  if (error !== null && !isDenied && !OF_THE_REQUEST.has(error))
    throw unlikeAsked(exchange, `${decision === 'deny' ? 'REFUSE' : 'AGREE'}, and the bank answered ${error}`)
  return isShown
    ? land({ outcome: 'page' })
    : land({ outcome: 'redirect', redirect: address, ...(isDenied && { decision: 'denied' }) })
}

const unlikeAsked = ({ id }: Exchange, what: string): NotReached =>
  new NotReached(
    `whoever authorized ${id} was to ${what}: nobody saw whether they did so, and the bank may be right`,
  )
