/** The frame of the pages for people, the catalogue and the compliance report, and the parts that both use. */
import { html, raw } from 'hono/html'
import { printable } from '../run-observer.ts'
import { STYLE } from './style.ts'

type Fragment = ReturnType<typeof html>

/** Text of a target: characters that could mislead a reader are written as codes. */
export const safe = (text: string): string => printable(text)

export const classOf = (outcome: string): string => outcome.replaceAll(/\W+/g, '-')

export const badge = (outcome: string) => html`<span class="badge ${classOf(outcome)}">${outcome}</span>`

export const requirementLink = (id: string) => html`<a class="id" href="#${id}">${id}</a>`

export const requirementLinks = (ids: readonly string[]) =>
  html`<span class="ids">${ids.map((id, at) => html`${at === 0 ? '' : ', '}${requirementLink(id)}`)}</span>`

/** A wide table scrolls in its own frame on a narrow screen, also with the keyboard. */
export const scrolling = (label: string, content: unknown) =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`

/** A long list: folded on the screen, whole on paper. */
export const folded = (summary: string, content: unknown) =>
  html`<details>
    <summary class="only-screen">${summary}</summary>
    ${content}
  </details>`

/** @param alt what a reader hears who does not see it. */
export const picture = (svg: string, alt: string) =>
  html`<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}" alt="${alt}" />`

interface SectionOptions {
  readonly id: string
  readonly title: string
  /** Begins on a new page when it is printed. */
  readonly isNewPage?: boolean
}

export const section = ({ id, title, isNewPage = false }: SectionOptions, content: unknown) =>
  html`<section id="${id}" class="${isNewPage ? 'chapter' : 'part-of-page'}">
    <h2>${title}</h2>
    ${content}
  </section>`

/** The title of a column; numbers are aligned to the right. */
type Column = string | { readonly number: string }

interface TableOptions {
  readonly caption: string
  readonly head: readonly Column[]
  /** `wide`: its rows are blocks on a narrow screen. */
  readonly kind?: 'wide' | 'sign' | 'fitting'
}

const heading = (column: Column) => {
  if (typeof column !== 'string') return html`<th scope="col" class="number">${column.number}</th>`
  return column === '' ? html`<td></td>` : html`<th scope="col">${column}</th>`
}

/** @param bodies elements `tbody`. */
export const tableOf = ({ caption, head, kind = 'fitting' }: TableOptions, bodies: unknown) =>
  scrolling(
    caption,
    html`<table class="${kind}">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map(heading)}
        </tr>
      </thead>
      ${bodies}
    </table>`,
  )

/** Text of a target, a number, or what is HTML already. */
type Cell = string | number | Fragment

interface Row {
  readonly id?: string
  /** May be parted at the end of a printed page. */
  readonly isLong?: boolean
  readonly cells: readonly Cell[]
}

const cellOf = (cell: Cell, column: Column | undefined, isName: boolean) => {
  const content = typeof cell === 'string' ? safe(cell) : cell
  if (isName) return html`<th scope="row">${content}</th>`
  return typeof column === 'object' ? html`<td class="number">${content}</td>` : html`<td>${content}</td>`
}

/** Nothing, if there are no rows. @param options `isNamed`: the first cell of a row names it. */
export const table = (
  { isNamed = false, ...options }: TableOptions & { readonly isNamed?: boolean },
  rows: readonly (Row | readonly Cell[])[],
) => {
  const rowOf = ({ cells, id, isLong = false }: Row) =>
    html`<tr class="${isLong ? 'long' : 'short'}" ${id === undefined ? '' : html`id="${id}"`}>
      ${cells.map((cell, at) => html`${cellOf(cell, options.head[at], isNamed && at === 0)} `)}
    </tr>`
  if (rows.length === 0) return ''
  return tableOf(
    options,
    html`<tbody>
      ${rows.map((row) => rowOf('cells' in row ? row : { cells: row }))}
    </tbody>`,
  )
}

export const code = (text: string) => html`<code>${safe(text)}</code>`

export const digest = (sha256: string) => html`<code class="digest">${sha256}</code>`

interface PageParts {
  readonly title: string
  /** The sections, in their order. */
  readonly links: readonly (readonly [id: string, title: string])[]
  readonly content: unknown
  /** A script of the suite, without which the page can be read as well. */
  readonly script?: string
}

/** The page can load nothing, even by mistake. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"

export const linkItems = (links: PageParts['links']) =>
  links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)

export const renderPage = async ({ title, links, content, script }: PageParts): Promise<string> => {
  const policy =
    script === undefined ? `${POLICY}; form-action 'none'` : `${POLICY}; script-src 'unsafe-inline'`
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <nav class="only-screen" aria-label="Sections">
          <ul>
            ${linkItems(links)}
          </ul>
        </nav>
        <main>${content}</main>
        ${
          script === undefined
            ? ''
            : html`<script>
                ${raw(script)}
              </script>`
        }
      </body>
    </html>`
  return `${String(page)}\n`
}
