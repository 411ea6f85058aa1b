import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { handoverOf } from './pasted.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import type { Handover } from '../../evidence/exchange.ts'

/** The page on which a person's browser ends. It asks for nothing from anywhere. */

type Word = 'arrived' | 'refused' | 'used' | 'unasked' | 'fragment'

const TEXTS: Readonly<Record<Word, readonly [heading: string, text: string]>> = {
  arrived: [
    'Thank you',
    'The authorization has arrived. You can close this window and go back to the terminal.',
  ],
  refused: [
    'Thank you',
    'The bank has sent you back without a code, which has been noted. You can close this window and go back to the terminal.',
  ],
  used: [
    'This page was open before',
    'What it says has been used already. Open the link that the terminal shows now.',
  ],
  unasked: [
    'Nobody waits for this page',
    'Either its time is over, or it belongs to another run. Go back to the terminal.',
  ],
  fragment: ['One moment', 'If this page stays, copy its address and paste it into the terminal.'],
}

/** The parameter by which a page tells what no browser sends: the fragment of its own address. */
export const FRAGMENT = 'conformance_fragment'

const TELLS_FRAGMENT = `<script>location.replace(location.pathname+(location.search?location.search+'&':'?')+'${FRAGMENT}='+encodeURIComponent(location.hash))</script>`

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color:#222;background:#fff}'

const landingPage = (word: Word): string => {
  const [heading, text] = TEXTS[word]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style>${word === 'fragment' ? TELLS_FRAGMENT : ''}</head>
<body><h1>${heading}</h1><p>${text}</p></body>
</html>
`
}

/** Nothing is loaded, sent or kept. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
}

/** Where a person's browser is sent at the end, on this machine. */
export interface Listener {
  /** Whether a redirect to this address comes here. */
  hears(redirectUri: string): boolean
  /** The next redirect, for whoever waits for one; never more than one waits. */
  next(redirectUri: string, signal: AbortSignal): Promise<Handover>
  close(): Promise<void>
}

interface Listening {
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
