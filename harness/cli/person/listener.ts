import { createServer } from 'node:http'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { FRAGMENT, landingPage, PAGE_HEADERS } from './landing-page.ts'
import { handoverOf } from './pasted.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handover } from '../../evidence/exchange.ts'
import type { Word } from './landing-page.ts'

/** Where a person's browser is sent at the end, on this machine. */
export interface Listener {
  /** Whether a redirect to this address comes here. */
  hears(redirectUri: string): boolean
  /** The next redirect, for whoever waits for one; never more than one waits. */
  next(redirectUri: string, signal: AbortSignal): Promise<Handover>
  close(): Promise<void>
}

export interface Listening {
  readonly host: string
  readonly port: number
}

interface Waiting {
  readonly path: string
  readonly resolve: (handover: Handover) => void
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether a redirect there stays on this machine, without TLS. */
export const isOnLoopback = (redirectUri: string, port: number): boolean => {
  const url = new URL(redirectUri)
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname) && Number(url.port || '80') === port
}

/** @throws ConfigurationError where nothing can listen there. */
export const openListener = async ({ host, port }: Listening): Promise<Listener> => {
  let waiting: Waiting | undefined
  const used = new Set<string>()

  /** What is said to a browser, and what is taken from it. */
  const look = (address: string | undefined): Word => {
    if (waiting === undefined || address === undefined) return 'unasked'
    const url = new URL(address)
    const told = url.searchParams.get(FRAGMENT)
    const says = (name: string): boolean => url.searchParams.has(name)
    if (url.pathname !== waiting.path && !says('code') && !says('error')) return 'unasked'
    if (!says('code') && !says('error') && told === null) return 'fragment'
    const landed = told === null ? url.href : withFragment(url, told)
    // A window of an authorization before this one may be loaded again. Two refusals may well look alike.
    if (says('code') && used.has(landed)) return 'used'
    used.add(landed)
    waiting.resolve(handoverOf('listener', landed))
    waiting = undefined
    return says('code') ? 'arrived' : 'refused'
  }

  const server = createServer((request, response) => {
    answer(response, look(addressIn(request, port)))
  })
  await listen(server, { host, port })
  return {
    hears: (redirectUri) => isOnLoopback(redirectUri, port),
    next: (redirectUri, signal) =>
      new Promise((resolve, reject) => {
        const mine: Waiting = { path: new URL(redirectUri).pathname, resolve }
        waiting = mine
        const giveUp = (): void => {
          if (waiting === mine) waiting = undefined
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', giveUp, { once: true })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const withFragment = (url: URL, fragment: string): string => {
  // Only the page's own parameter goes, so that the rest stays as it came.
  const whole = new URL(url.href.replace(new RegExp(`[?&]${FRAGMENT}=[^&#]*$`), ''))
  whole.hash = fragment
  return whole.href
}

/** The address that a window was sent to. Another site's script, or another name for this machine, is not listened to. */
const addressIn = ({ method, url = '/', headers }: IncomingMessage, port: number): string | undefined => {
  const mode = headers['sec-fetch-mode']
  const address = `http://${headers.host ?? ''}${url}`
  const isWindow = method === 'GET' && (mode === undefined || mode === 'navigate')
  return isWindow && URL.canParse(address) && isOnLoopback(address, port) ? address : undefined
}

const answer = (response: ServerResponse, word: Word): void => {
  response.writeHead(word === 'unasked' ? 404 : 200, PAGE_HEADERS)
  response.end(landingPage(word))
}

const listen = (server: ReturnType<typeof createServer>, { host, port }: Listening): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new ConfigurationError(
          `authorization.listen: nothing can listen on ${host}:${port} (${error.message}); free the port, or name another one that a registered redirect URI has`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
