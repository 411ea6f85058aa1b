/** The page on which a person's browser ends. It asks for nothing from anywhere. */

export type Word = 'arrived' | 'refused' | 'used' | 'unasked' | 'fragment'

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

export const landingPage = (word: Word): string => {
  const [heading, text] = TEXTS[word]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title><style>${STYLE}</style>${word === 'fragment' ? TELLS_FRAGMENT : ''}</head>
<body><h1>${heading}</h1><p>${text}</p></body>
</html>
`
}

/** Nothing is loaded, sent or kept. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
}
