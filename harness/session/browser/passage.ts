import { headerOf } from '../../evidence/exchange.ts'
import { Inconclusive } from '../../evidence/signals.ts'
import { endless, foreignForm, leavesBank, redirected, resolve, shownCode } from '../customer.ts'
import { answerForPage, redirectForPage } from './answer-for-page.ts'
import { createStir } from './stir.ts'
import type { Page, Request, Route } from 'playwright-core'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Walk } from '../customer.ts'
import type { Landing } from '../landing.ts'
import type { HttpRequest } from '../request.ts'
import type { Stir } from './stir.ts'
import type { Trace } from './trace.ts'

/**
 * Stands between the page and the network. The browser itself has no way out: each request that it makes is made here,
 * over the HTTP layer of the run, so that what may be sent, how fast, and what is recorded is what it is for any other.
 */
export interface Passage {
  readonly stir: Stir
  /** Sends the browser off with the first request. */
  open(): void
  /** An end that the page need not show: a redirect out of the bank, or no answer. Rejects where a request may not be. */
  readonly ended: Promise<Ending>
  /** How many documents the page has opened. */
  documents(): number
  /** Resolves when it opens the next one. */
  opensDocument(): Promise<void>
  /** One more page or redirect. @throws Inconclusive where there are too many. */
  step(): void
  /** The exchange that a page rests on: that of its document, or of what its scripts did since, or were refused. */
  shown(): Exchange | undefined
  /** Writes what was held back until it was known what in it is secret. */
  release(): void
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
/** These the HTTP layer says itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['accept-encoding', 'connection', 'content-length', 'host'])

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

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

interface Sent {
  readonly exchange: Exchange
  readonly bytes: Buffer | undefined
}

export const openPassage = async ({ walk, start, page, trace }: Crossing): Promise<Passage> => {
  const { http, recipe } = walk
  const stir = createStir()
  const { ended, settle, fail } = openEnding()
  const withheld: (() => void)[] = []
  /** What a navigation is to bring that the browser cannot know: the first request, and one that is asked again. */
  const carried = new Map([[withoutFragment(new URL(start.url).href), start]])
  let documents = 0
  let steps = 0
  let shown: Exchange | undefined
  let last: Exchange | undefined
  /** What the page was given last: until it has opened that, or gone where that leads, it is not at rest. */
  let opening: { readonly over: () => void; readonly isRedirect: boolean } | undefined = {
    over: stir.begins(),
    isRedirect: true,
  }
  const onDocument = new Set<() => void>()

  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || opening?.isRedirect === true) return
    documents += 1
    opening?.over()
    for (const tell of onDocument) tell()
    onDocument.clear()
  })

  const requestOf = (request: Request, isMain: boolean): HttpRequest => {
    const url = withoutFragment(request.url())
    const given = isMain ? carried.get(url) : undefined
    if (isMain) carried.delete(url)
    const own = new Set(given?.headers.map(([name]) => name.toLowerCase()))
    const headers = Object.entries(request.headers()).filter(
      ([name]) => !OWN_FIELDS.has(name) && !own.has(name),
    )
    if (given !== undefined) return { ...given, url, headers: [...headers, ...given.headers] }
    const { operation, environment } = start
    const text = request.postData()
    return {
      ...{ operation, sender: 'customer', method: request.method(), url, headers },
      ...(environment && { environment }),
      ...(text !== null && { text }),
    }
  }

  const send = async (request: HttpRequest, isAside: boolean): Promise<Sent> => {
    let bytes: Buffer | undefined
    const exchange = await http.send(request, (seen) => shownCode(seen, recipe), {
      isAside,
      onBody: (whole) => (bytes = whole),
      withhold: (write) => withheld.push(write),
    })
    if (!isAside) last = exchange
    const isDeed = request.method !== 'GET' || (exchange.response?.status ?? 0) >= 400
    if (!isAside && isDeed) shown = exchange
    trace.note({
      what: 'request',
      method: request.method,
      url: request.url,
      status: exchange.response?.status,
    })
    return { exchange, bytes }
  }

  const step = (): void => {
    steps += 1
    if (steps > recipe.limit && last !== undefined) throw endless(steps - 1, last)
  }

  /** Out of the bank nothing is sent: that the browser was sent there is the end. */
  const leave = async (route: Route, url: string, exchange: Exchange): Promise<void> => {
    settle({ outcome: 'redirect', exchange, ...redirected(url) })
    await route.abort('aborted')
  }

  const navigate = async (route: Route): Promise<void> => {
    const request = route.request()
    const url = request.url()
    opening?.over()
    opening = undefined
    step()
    if (last !== undefined && leavesBank(url, walk)) {
      if (request.method() !== 'GET') throw foreignForm(last, new URL(url).origin)
      return leave(route, url, last)
    }
    const asked = requestOf(request, true)
    const { exchange, bytes } = await send(asked, false)
    shown = exchange
    if (exchange.response === undefined) {
      settle({ outcome: 'fault', exchange })
      return route.abort('failed')
    }
    const location = locationOf(exchange)
    if (location !== undefined && leavesBank(location, walk)) return leave(route, location, exchange)
    if (location !== undefined && asksAgain(exchange))
      carried.set(withoutFragment(location), { ...asked, url: withoutFragment(location) })
    if (!HAS_NO_DOCUMENT.has(exchange.response.status))
      opening = { over: stir.begins(), isRedirect: location !== undefined }
    await route.fulfill(
      location === undefined ? answerForPage(exchange, bytes) : redirectForPage(exchange, location),
    )
  }

  /** Frames, scripts and what they ask for. A redirect is followed here: it opens no document of its own. */
  const fetchFor = async (route: Route): Promise<void> => {
    const kind = route.request().resourceType()
    let asked = requestOf(route.request(), false)
    for (let hops = 0; hops <= recipe.limit; hops += 1) {
      if (!http.origins.includes(new URL(asked.url).origin) || !(RECORDED.has(kind) || ASIDE.has(kind))) break
      const { exchange, bytes } = await send(asked, ASIDE.has(kind))
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

  await page.context().route(
    () => true,
    async (route) => {
      const over = stir.begins()
      try {
        await (isMainNavigation(route.request(), page) ? navigate(route) : fetchFor(route))
      } catch (error) {
        fail(error)
        // The page may be gone with the error.
        await route.abort('aborted').catch(() => undefined)
      } finally {
        over()
      }
    },
  )

  return {
    ...{ stir, ended, step },
    open() {
      page.goto(start.url, { waitUntil: 'commit', timeout: 0 }).catch((error: unknown) => {
        // How it ends is told by what was asked for. If nothing was, nobody else would tell.
        const [reason = ''] = (error as Error).message.split('\n')
        if (steps === 0) fail(new Inconclusive(`the browser does not open the first page (${reason})`))
      })
    },
    documents: () => documents,
    opensDocument: () => new Promise((tell) => void onDocument.add(tell)),
    shown: () => shown ?? last,
    release: () => {
      for (const write of withheld.splice(0)) write()
    },
  }
}

const HAS_NO_DOCUMENT: ReadonlySet<number> = new Set([204, 205])
