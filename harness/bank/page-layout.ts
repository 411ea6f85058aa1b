/** The frame and the style sheet of every page. Without scripts, and without content of other servers. */
import { existsSync, readFileSync } from 'node:fs'
import { packageFile } from './package-file.ts'
import { html, type Html } from './markup.ts'

/** Served separately: a browser loads it once, and an HTTP client never. */
export const STYLE_PATH = '/pages.css'

const STYLE = `
  :root {
    color-scheme: light dark;
    --accent: #1d5c8f;
    --edge: #8886;
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    min-height: 100vh;
    display: grid;
    place-items: center;
    padding: 1rem;
    font:
      1rem/1.5 system-ui,
      sans-serif;
    background: light-dark(#eef2f5, #14181c);
  }
  main {
    width: 100%;
    max-width: 27rem;
    padding: 2rem;
    border: 1px solid var(--edge);
    border-radius: 0.75rem;
    background: light-dark(#fff, #1d2329);
  }
  header {
    margin-bottom: 1.25rem;
    font-weight: 600;
    color: light-dark(var(--accent), #8cc4f0);
  }
  h1 {
    margin: 0 0 0.75rem;
    font-size: 1.4rem;
    line-height: 1.25;
  }
  label {
    display: block;
    margin: 0.9rem 0 0.3rem;
    font-weight: 600;
  }
  fieldset {
    margin: 1rem 0 0;
    padding: 0;
    border: 0;
  }
  legend {
    font-size: 0.85rem;
    opacity: 0.75;
  }
  fieldset label {
    display: flex;
    gap: 0.6rem;
    align-items: baseline;
    margin: 0.5rem 0 0;
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  input:not([type='hidden'], [type='checkbox']) {
    width: 100%;
    padding: 0.6rem;
    font: inherit;
    border: 1px solid var(--edge);
    border-radius: 0.4rem;
  }
  button {
    padding: 0.65rem 1.2rem;
    font: inherit;
    font-weight: 600;
    border: 1px solid var(--accent);
    border-radius: 0.4rem;
    background: var(--accent);
    color: #fff;
    cursor: pointer;
  }
  button[value='deny'] {
    background: transparent;
    color: inherit;
    border-color: var(--edge);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    margin-top: 1.5rem;
  }
  dt {
    margin-top: 0.8rem;
    font-size: 0.85rem;
    opacity: 0.75;
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  ul {
    padding-left: 1.2rem;
  }
  output {
    display: block;
    overflow-wrap: anywhere;
    font-family: ui-monospace, monospace;
  }
  [role='alert'] {
    padding: 0.6rem 0.8rem;
    border-left: 4px solid #b3261e;
    background: #b3261e1a;
  }
  nav {
    display: flex;
    gap: 1.25rem;
    margin-bottom: 1.25rem;
    border-bottom: 1px solid var(--edge);
  }
  nav a {
    padding: 0.4rem 0;
    color: inherit;
    text-decoration: none;
  }
  nav a[aria-current] {
    font-weight: 600;
    border-bottom: 3px solid var(--accent);
  }
  select {
    width: 100%;
    padding: 0.6rem;
    font: inherit;
  }
  .hint {
    margin: 0.3rem 0 0;
    font-size: 0.85rem;
    opacity: 0.75;
  }
`

export const showStyle = (): Response =>
  new Response(STYLE, {
    headers: { 'content-type': 'text/css;charset=UTF-8', 'cache-control': 'public, max-age=3600' },
  })

/** Where the bank shows the pages of the folder docs, as text. */
export const DOCS_PATH = '/docs/'

/** @param name a file of the folder docs; undefined if there is no such file. */
export const showDoc = (name: string): Response | undefined => {
  const file = packageFile(`docs/${name}`)
  if (!/^[\w-]+\.md$/.test(name) || !existsSync(file)) return undefined
  return new Response(readFileSync(file, 'utf8'), {
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
  })
}

/** Where the bank publishes its OpenAPI document. */
export const OPENAPI_PATH = '/openapi.json'

export const frame = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Reference Bank</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <main>
          <header>Reference Bank</header>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`

/** What a person sees who opens the address of the bank in a browser. */
export const indexPage = (): Html =>
  frame(
    'A bank for tests',
    html`<p>
        This program answers the interface for account information, payments and instalment loans as the
        interface describes it. Its customers, accounts and money are invented.
      </p>
      <p>
        Where it was started, it has printed its base paths, applications, customers and accounts. Paths and
        fields are in
        <code>specs/interface.md</code>, all operations of this bank in its
        <a href="${OPENAPI_PATH}">OpenAPI document</a>, how a client or the suite is bound to it in the
        <a href="${DOCS_PATH}README.md">documentation</a>.
      </p>
      <p class="hint"><code>npm run bank -- --help</code> lists its dialects and variations.</p>`,
  )
