import { headerOf } from '../../evidence/exchange.ts'
import { Inconclusive } from '../../evidence/signals.ts'
import { endless, foreignForm, leavesBank, redirected, resolve } from '../customer.ts'
import { answerForPage, redirectForPage } from './answer-for-page.ts'
import { createCourier, withoutFragment } from './courier.ts'
import { watchDocuments } from './documents.ts'
import { createStir } from './stir.ts'
import type { Page, Request, Route } from 'playwright-core'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Walk } from '../customer.ts'
import type { Landing } from '../landing.ts'
import type { HttpRequest } from '../request.ts'
import type { Courier } from './courier.ts'
import type { Documents } from './documents.ts'
import type { Stir } from './stir.ts'
import type { Trace } from './trace.ts'

/**
 * Stands between the page and the network. The browser itself has no way out: each request that it makes is made here,
 * so that what may be sent, how fast, and what is recorded is what it is for any other request of the run.
 */
export interface Passage extends Pick<Courier, 'shown' | 'release'> {
  readonly stir: Stir
  readonly documents: Documents
  /** Sends the browser off with the first request. */
  open(): void
  /** An end that the page need not show: a redirect out of the bank, or no answer. Rejects where a request may not be. */
  readonly ended: Promise<Ending>
  /** One more page or redirect. @throws Inconclusive where there are too many. */
  step(): void
}

export type Ending = Pick<Landing, 'outcome' | 'exchange' | 'redirect' | 'code'>

export interface Crossing {
  readonly walk: Walk
  readonly start: HttpRequest
  readonly page: Page
  readonly trace: Trace
}

/** What is told of in the evidence. */
const RECORDED: ReadonlySet<string> = new Set(['document', 'xhr', 'fetch'])
/** What is sent besides: without them many a page does nothing. Pictures, fonts and the like are not asked for. */
const ASIDE: ReadonlySet<string> = new Set(['script', 'stylesheet'])
const HAS_NO_DOCUMENT: ReadonlySet<number> = new Set([204, 205])

const isMainNavigation = (request: Request, page: Page): boolean => {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame() === page.mainFrame()
  } catch {
    // A window that has just been opened has no frame yet.
    return false
  }
}

const locationOf = ({ response, request }: Exchange): string | undefined => {
  if (response === undefined || response.status < 300 || response.status >= 400) return undefined
  const location = headerOf(response.headers, 'location')
  return location === undefined ? undefined : resolve(location, request.url)
}

/** These ask for the same request again, and not for a GET (RFC 9110 §15.4.8, §15.4.9). */
const asksAgain = ({ response }: Exchange): boolean => response?.status === 307 || response?.status === 308

/** The request that a redirect leads to. */
const onward = (asked: HttpRequest, exchange: Exchange, url: string): HttpRequest => {
  if (asksAgain(exchange)) return { ...asked, url }
  const { operation, sender, environment } = asked
  const headers = asked.headers.filter(([name]) => name !== 'content-type')
  return { operation, sender, method: 'GET', url, headers, ...(environment && { environment }) }
}

const openEnding = () => {
  let settle: (ending: Ending) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const ended = new Promise<Ending>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // Whoever waits for something else need not hear of it.
  ended.catch(() => undefined)
  return { ended, settle, fail }
}

interface Underway extends Crossing, ReturnType<typeof openEnding> {
  readonly courier: Courier
  readonly stir: Stir
  readonly documents: Documents
  /** Requests that are asked for by more than the browser can know: the first, and one that is asked again. */
  readonly carried: Map<string, HttpRequest>
  readonly step: () => void
}

/** Opens the way for the page. Nothing is asked for yet. */
export const openPassage = async (crossing: Crossing): Promise<Passage> => {
  const { walk, start, page, trace } = crossing
  const stir = createStir()
  const documents = watchDocuments(page, stir)
  const courier = createCourier(walk, start, trace)
  const ending = openEnding()
  let steps = 0
  const step = (): void => {
    steps += 1
    const last = courier.last()
    if (steps > walk.recipe.limit && last !== undefined) throw endless(steps - 1, last)
  }
  const carried = new Map([[withoutFragment(new URL(start.url).href), start]])
  const underway: Underway = { ...crossing, ...ending, courier, stir, documents, carried, step }
  await page.context().route(
    () => true,
    (route) => answer(underway, route),
  )
  return {
    ...{ stir, documents, step, ended: ending.ended },
    shown: () => courier.shown(),
    release: () => courier.release(),
    open() {
      page.goto(start.url, { waitUntil: 'commit', timeout: 0 }).catch((error: unknown) => {
        // How it ends is told by what was asked for. If nothing was, nobody else would tell.
        const [reason = ''] = (error as Error).message.split('\n')
        if (steps === 0) ending.fail(new Inconclusive(`the browser does not open the first page (${reason})`))
      })
    },
  }
}

const answer = async (underway: Underway, route: Route): Promise<void> => {
  const over = underway.stir.begins()
  try {
    const isMain = isMainNavigation(route.request(), underway.page)
    await (isMain ? navigate(underway, route) : fetchFor(underway, route))
  } catch (error) {
    underway.fail(error)
    // The page may be gone with the error.
    await route.abort('aborted').catch(() => undefined)
  } finally {
    over()
  }
}

/** Out of the bank nothing is sent: that the browser was sent there is the end. */
const leave = async ({ settle }: Underway, route: Route, url: string, exchange: Exchange): Promise<void> => {
  settle({ outcome: 'redirect', exchange, ...redirected(url) })
  await route.abort('aborted')
}

/** What a navigation is to bring that the browser cannot know goes before what it says. */
const askedFor = ({ carried, courier }: Underway, request: Request): HttpRequest => {
  const asked = courier.requestOf(request)
  const given = carried.get(asked.url)
  if (given === undefined) return asked
  carried.delete(asked.url)
  const own = new Set(given.headers.map(([name]) => name.toLowerCase()))
  const headers = [...asked.headers.filter(([name]) => !own.has(name)), ...given.headers]
  return { ...given, url: asked.url, headers }
}

const navigate = async (underway: Underway, route: Route): Promise<void> => {
  const { walk, courier, documents, carried, settle, step } = underway
  const request = route.request()
  documents.isAskedFor()
  step()
  const before = courier.last()
  if (before !== undefined && leavesBank(request.url(), walk)) {
    if (request.method() !== 'GET') throw foreignForm(before, new URL(request.url()).origin)
    return leave(underway, route, request.url(), before)
  }
  const asked = askedFor(underway, request)
  const { exchange, bytes } = await courier.send(asked, false)
  courier.shows(exchange)
  if (exchange.response === undefined) {
    settle({ outcome: 'fault', exchange })
    return route.abort('failed')
  }
  const location = locationOf(exchange)
  if (location !== undefined && leavesBank(location, walk)) return leave(underway, route, location, exchange)
  const url = location === undefined ? undefined : withoutFragment(location)
  if (url !== undefined && asksAgain(exchange)) carried.set(url, { ...asked, url })
  if (!HAS_NO_DOCUMENT.has(exchange.response.status)) documents.isGiven(location !== undefined)
  await route.fulfill(
    location === undefined ? answerForPage(exchange, bytes) : redirectForPage(exchange, location),
  )
}

/** Frames, scripts and what they ask for. A redirect is followed here: it opens no document of its own. */
const fetchFor = async ({ walk, courier, trace }: Underway, route: Route): Promise<void> => {
  const kind = route.request().resourceType()
  const isSent = RECORDED.has(kind) || ASIDE.has(kind)
  let asked = courier.requestOf(route.request())
  for (let hops = 0; hops <= walk.recipe.limit; hops += 1) {
    if (!isSent || !walk.http.origins.includes(new URL(asked.url).origin)) break
    const { exchange, bytes } = await courier.send(asked, ASIDE.has(kind))
    const location = locationOf(exchange)
    if (location === undefined) {
      if (exchange.response === undefined) return route.abort('failed')
      return route.fulfill(answerForPage(exchange, bytes))
    }
    asked = onward(asked, exchange, withoutFragment(location))
  }
  trace.note({ what: 'not sent', method: asked.method, url: asked.url })
  await route.abort('blockedbyclient')
}
