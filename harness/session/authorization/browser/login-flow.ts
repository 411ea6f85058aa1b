import type { Exchange, HeaderFields } from '../../../evidence/exchange.ts'
import { Inconclusive } from '../../../evidence/signals.ts'
import { createRequestForwarder, withoutFragment, type RequestForwarder } from './request-forwarder.ts'
import { locationIn, repeatsRequest, resolve } from '../html-page.ts'
import {
  endless,
  foreignForm,
  isOfClient,
  leavesBank,
  redirected,
  type Navigation,
} from '../page-navigation.ts'
import type { Page, Request, Route } from 'playwright-core'
import type { RedirectResult } from '../../../evidence/record/answer.ts'
import type { Trace } from './trace.ts'
import type { HttpRequest } from '../../http/request.ts'

type Activity = ReturnType<typeof trackActivity>

/** Counts what is under way in a page: requests, and documents that are being opened. */
const trackActivity = () => {
  let underWay = 0
  const watching = new Set<() => void>()
  const changes = (by: number): void => {
    underWay += by
    for (const look of watching) look()
  }
  return {
    /** Something begins. @returns what reports its end; further calls do nothing. */
    begins() {
      changes(1)
      let isOver = false
      return (): void => {
        if (isOver) return
        isOver = true
        changes(-1)
      }
    },
    /** Resolves when nothing has been under way for that many ms. */
    rests: (ms: number) =>
      new Promise<void>((resolve) => {
        let timer: NodeJS.Timeout | undefined
        const look = (): void => {
          clearTimeout(timer)
          if (underWay === 0) timer = setTimeout(done, ms).unref()
        }
        const done = (): void => {
          watching.delete(look)
          resolve()
        }
        watching.add(look)
        look()
      }),
  }
}

type Documents = ReturnType<typeof trackDocuments>

/** The documents that a page opens one after the other. */
const trackDocuments = (page: Page, activity: Activity) => {
  let count = 0
  const waiting = new Set<() => void>()
  // The first document is opened by the first request.
  let given: { readonly over: () => void; readonly isRedirect: boolean } | undefined = {
    over: activity.begins(),
    isRedirect: true,
  }
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || given?.isRedirect === true) return
    count += 1
    given?.over()
    for (const tell of waiting) tell()
    waiting.clear()
  })
  return {
    /** How many there were. A page that only redirects is not counted. */
    count: () => count,
    /** Resolves when the page opens the next one. */
    next: () => new Promise<void>((tell) => void waiting.add(tell)),
    /** The page requests another document. */
    isAskedFor() {
      given?.over()
      given = undefined
    },
    /** The page received a document or a redirect. It is not at rest until it has opened it, or reached where it leads. */
    isGiven: (isRedirect: boolean) => void (given = { over: activity.begins(), isRedirect }),
  }
}

/** An answer of the bank in the form for the page in the browser. */
interface AnswerForPage {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Header fields that are only true on the network. */
const OF_THE_WIRE: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'location',
  'transfer-encoding',
])

/** Set-Cookie fields cannot be joined by commas: the browser gets one per line. */
const joined = (fields: HeaderFields): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const [field, value] of fields) {
    const name = field.toLowerCase()
    if (OF_THE_WIRE.has(name)) continue
    const before = headers[name]
    headers[name] = before === undefined ? value : `${before}${name === 'set-cookie' ? '\n' : ', '}${value}`
  }
  return headers
}

/** @param bytes the whole body; without it, the kept text is used. */
const answerForPage = ({ response }: Exchange, bytes: Buffer | undefined): AnswerForPage => ({
  status: response?.status ?? 502,
  headers: joined(response?.headers ?? []),
  body: bytes ?? Buffer.from(response?.body.text ?? ''),
})

/**
 * A redirect as a page that navigates there at once. The browser would follow a real redirect without asking the
 * interceptor.
 */
const redirectForPage = (exchange: Exchange, location: string): AnswerForPage => {
  const { 'set-cookie': cookies } = answerForPage(exchange, undefined).headers
  const target = JSON.stringify(location).replaceAll('<', '\\u003c')
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(cookies !== undefined && { 'set-cookie': cookies }),
    },
    body: Buffer.from(`<!doctype html><script>location.replace(${target})</script>`),
  }
}

/**
 * Intercepts all requests of the browser and sends them with the HTTP client of the run, so that limits, pacing and
 * recording apply to them. The browser itself has no access to the network.
 */
export interface LoginFlow extends Pick<RequestForwarder, 'shown' | 'release'> {
  readonly activity: Activity
  readonly documents: Documents
  /** Opens the first request in the browser. */
  open(): void
  /**
   * An end that the page does not show: a redirect out of the bank, or no answer. Rejects if a request is not
   * allowed.
   */
  readonly ended: Promise<Ending>
  /** Counts one more page or redirect. @throws Inconclusive if there are too many. */
  step(): void
}

type Ending = Pick<RedirectResult, 'outcome' | 'exchange' | 'redirect' | 'code'>

interface LoginFlowOptions {
  readonly walk: Navigation
  readonly start: HttpRequest
  readonly page: Page
  readonly trace: Trace
}

/** Requests that are recorded in the evidence. */
const RECORDED: ReadonlySet<string> = new Set(['document', 'xhr', 'fetch'])
/** Requests that are sent but not recorded: many pages need them. Pictures, fonts and the like are not requested. */
const ASIDE: ReadonlySet<string> = new Set(['script', 'stylesheet'])
const HAS_NO_DOCUMENT: ReadonlySet<number> = new Set([204, 205])

const isMainNavigation = (request: Request, page: Page): boolean => {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame() === page.mainFrame()
  } catch {
    // A window that was just opened has no frame yet.
    return false
  }
}

const redirectOf = (exchange: Exchange): string | undefined => {
  const location = locationIn(exchange)
  return location === undefined ? undefined : resolve(location, exchange.request.url)
}

const onward = (asked: HttpRequest, exchange: Exchange, url: string): HttpRequest => {
  if (repeatsRequest(exchange)) return { ...asked, url }
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
  // Prevents an unhandled rejection if it is never awaited.
  ended.catch(() => undefined)
  return { ended, settle, fail }
}

interface RunningFlow extends LoginFlowOptions, ReturnType<typeof openEnding> {
  readonly forwarder: RequestForwarder
  readonly activity: Activity
  readonly documents: Documents
  /** Requests with more than the browser knows: the first one, and one that is repeated after a redirect. */
  readonly carried: Map<string, HttpRequest>
  readonly step: () => void
}

/** Starts the interception. Nothing is requested yet. */
export const openLoginFlow = async (crossing: LoginFlowOptions): Promise<LoginFlow> => {
  const { walk, start, page, trace } = crossing
  const activity = trackActivity()
  const documents = trackDocuments(page, activity)
  const forwarder = createRequestForwarder(walk, start, trace)
  const ending = openEnding()
  let steps = 0
  const step = (): void => {
    steps += 1
    const last = forwarder.last()
    if (steps > walk.recipe.limit && last !== undefined) throw endless(steps - 1, last)
  }
  const carried = new Map([[withoutFragment(new URL(start.url).href), start]])
  const underway: RunningFlow = { ...crossing, ...ending, forwarder, activity, documents, carried, step }
  await page.context().route(
    () => true,
    (route) => answer(underway, route),
  )
  return {
    activity,
    documents,
    step,
    ended: ending.ended,
    shown: () => forwarder.shown(),
    release: () => forwarder.release(),
    open() {
      page.goto(start.url, { waitUntil: 'commit', timeout: 0 }).catch((error: unknown) => {
        // The intercepted requests report how it ends. If there were none, this error is the only report.
        const [reason = ''] = (error as Error).message.split('\n')
        if (steps === 0) ending.fail(new Inconclusive(`the browser does not open the first page (${reason})`))
      })
    },
  }
}

const answer = async (underway: RunningFlow, route: Route): Promise<void> => {
  const finished = underway.activity.begins()
  try {
    const isMain = isMainNavigation(route.request(), underway.page)
    await (isMain ? navigate(underway, route) : fetchFor(underway, route))
  } catch (error) {
    underway.fail(error)
    // The page may be closed already.
    await route.abort('aborted').catch(() => undefined)
  } finally {
    finished()
  }
}

/** Nothing is sent outside of the bank: being redirected there is the end. */
const leave = async (
  { settle, walk }: RunningFlow,
  route: Route,
  url: string,
  exchange: Exchange,
): Promise<void> => {
  settle({ outcome: 'redirect', exchange, ...redirected(url, walk) })
  await route.abort('aborted')
}

/** The header fields of the stored request replace those of the browser. */
const requestFor = ({ carried, forwarder }: RunningFlow, request: Request): HttpRequest => {
  const asked = forwarder.requestOf(request)
  const given = carried.get(asked.url)
  if (given === undefined) return asked
  carried.delete(asked.url)
  const own = new Set(given.headers.map(([name]) => name.toLowerCase()))
  const headers = [...asked.headers.filter(([name]) => !own.has(name)), ...given.headers]
  return { ...given, url: asked.url, headers }
}

const navigate = async (underway: RunningFlow, route: Route): Promise<void> => {
  const { walk, forwarder, documents, carried, settle, step } = underway
  const request = route.request()
  documents.isAskedFor()
  step()
  const before = forwarder.last()
  if (before !== undefined && leavesBank(request.url(), walk)) {
    if (request.method() !== 'GET' && !isOfClient(request.url(), walk))
      throw foreignForm(before, new URL(request.url()).origin)
    return leave(underway, route, request.url(), before)
  }
  const asked = requestFor(underway, request)
  const { exchange, bytes } = await forwarder.send(asked, false)
  forwarder.shows(exchange)
  if (exchange.response === undefined) {
    settle({ outcome: 'fault', exchange })
    return route.abort('failed')
  }
  const location = redirectOf(exchange)
  if (location !== undefined && leavesBank(location, walk)) return leave(underway, route, location, exchange)
  const url = location === undefined ? undefined : withoutFragment(location)
  if (url !== undefined && repeatsRequest(exchange)) carried.set(url, { ...asked, url })
  if (!HAS_NO_DOCUMENT.has(exchange.response.status)) documents.isGiven(location !== undefined)
  await route.fulfill(
    location === undefined ? answerForPage(exchange, bytes) : redirectForPage(exchange, location),
  )
}

/** Requests of frames and scripts. A redirect is followed here, because it opens no document. */
const fetchFor = async ({ walk, forwarder, trace }: RunningFlow, route: Route): Promise<void> => {
  const kind = route.request().resourceType()
  const isSent = RECORDED.has(kind) || ASIDE.has(kind)
  let asked = forwarder.requestOf(route.request())
  for (let hops = 0; hops <= walk.recipe.limit; hops += 1) {
    if (!isSent || !walk.http.origins.includes(new URL(asked.url).origin)) break
    const { exchange, bytes } = await forwarder.send(asked, ASIDE.has(kind))
    const location = redirectOf(exchange)
    if (location === undefined) {
      if (exchange.response === undefined) return route.abort('failed')
      return route.fulfill(answerForPage(exchange, bytes))
    }
    asked = onward(asked, exchange, withoutFragment(location))
  }
  trace.note({ what: 'not sent', method: asked.method, url: asked.url })
  await route.abort('blockedbyclient')
}
