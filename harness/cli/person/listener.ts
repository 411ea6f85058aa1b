import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { handoverOf } from './pasted.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { errorOf } from '../../evidence/errors.ts'
import type { Handover } from '../../evidence/exchange.ts'

type PageKind = 'arrived' | 'refused' | 'used' | 'unexpected' | 'fragment'

const TEXTS: Readonly<Record<PageKind, readonly [heading: string, text: string]>> = {
  arrived: [
    'Thank you',
    'The authorization was received. You can close this window and go back to the terminal.',
  ],
  refused: [
    'Thank you',
    'The bank redirected without a code, and the result was recorded. You can close this window and go back to the terminal.',
  ],
  used: [
    'This result was already received',
    'It cannot be used again. Open the link that the terminal shows now.',
  ],
  unexpected: [
    'This page is not expected',
    'Its deadline has passed, or it belongs to another run. Go back to the terminal.',
  ],
  fragment: ['One moment', 'If this page remains, copy its address and paste it into the terminal.'],
}

/** The parameter in which the page sends the fragment of its URL, since browsers do not send fragments. */
export const FRAGMENT = 'conformance_fragment'

const SEND_FRAGMENT = `<script>location.replace(location.pathname+(location.search?location.search+'&':'?')+'${FRAGMENT}='+encodeURIComponent(location.hash))</script>`

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color:#222;background:#fff}'

const endPage = (kind: PageKind): string => {
  const [heading, text] = TEXTS[kind]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style>${kind === 'fragment' ? SEND_FRAGMENT : ''}</head>
<body><h1>${heading}</h1><p>${text}</p></body>
</html>
`
}

/** The page may load, send and store nothing. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
}

/** Receives the redirect of a person's browser on this machine. */
export interface Listener {
  receives(redirectUri: string): boolean
  /** Resolves to the next redirect. Only one call may wait at a time. */
  next(redirectUri: string, signal: AbortSignal): Promise<Handover>
  close(): Promise<void>
}

interface ListenAddress {
  readonly host: string
  readonly port: number
}

interface Waiting {
  readonly path: string
  readonly resolve: (handover: Handover) => void
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether the URI is on this machine and port, without TLS. */
export const isOnLoopback = (redirectUri: string, port: number): boolean => {
  const url = new URL(redirectUri)
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname) && Number(url.port || '80') === port
}

/** @throws ConfigurationError if the port cannot be opened. */
export const openListener = async ({ host, port }: ListenAddress): Promise<Listener> => {
  let waiting: Waiting | undefined
  const used = new Set<string>()

  /** Handles a request of the browser. Returns the kind of page to show. */
  const handle = (address: string | undefined): PageKind => {
    if (waiting === undefined || address === undefined) return 'unexpected'
    const url = new URL(address)
    const fragment = url.searchParams.get(FRAGMENT)
    const has = (name: string): boolean => url.searchParams.has(name)
    if (url.pathname !== waiting.path && !has('code') && !has('error')) return 'unexpected'
    if (!has('code') && !has('error') && fragment === null) return 'fragment'
    const landed = fragment === null ? url.href : withFragment(url, fragment)
    // A reloaded page of an earlier authorization must not count. Refusals have no code to distinguish them.
    if (has('code') && used.has(landed)) return 'used'
    used.add(landed)
    waiting.resolve(handoverOf('listener', landed))
    waiting = undefined
    return has('code') ? 'arrived' : 'refused'
  }

  const server = createServer((request, response) => {
    answer(response, handle(addressIn(request, port)))
  })
  await listen(server, { host, port })
  return {
    receives: (redirectUri) => isOnLoopback(redirectUri, port),
    next: (redirectUri, signal) =>
      new Promise((resolve, reject) => {
        const ownWait: Waiting = { path: new URL(redirectUri).pathname, resolve }
        waiting = ownWait
        const giveUp = (): void => {
          if (waiting === ownWait) waiting = undefined
          reject(errorOf(signal.reason))
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
  // Removes only the parameter of the page and leaves the rest unchanged.
  const whole = new URL(url.href.replace(new RegExp(`[?&]${FRAGMENT}=[^&#]*$`), ''))
  whole.hash = fragment
  return whole.href
}

/** The URL of a navigation. Requests of scripts, and requests to another host name, are ignored. */
const addressIn = ({ method, url = '/', headers }: IncomingMessage, port: number): string | undefined => {
  const mode = headers['sec-fetch-mode']
  const address = `http://${headers.host ?? ''}${url}`
  const isWindow = method === 'GET' && (mode === undefined || mode === 'navigate')
  return isWindow && URL.canParse(address) && isOnLoopback(address, port) ? address : undefined
}

const answer = (response: ServerResponse, kind: PageKind): void => {
  response.writeHead(kind === 'unexpected' ? 404 : 200, PAGE_HEADERS)
  response.end(endPage(kind))
}

const listen = (server: ReturnType<typeof createServer>, { host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new ConfigurationError(
          `authorization.listen: nothing can listen on ${host}:${port} (${error.message}); free the port, or use the port of another registered redirect URI`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
