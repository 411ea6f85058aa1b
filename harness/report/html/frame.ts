/** The frame of the pages for people, the catalogue and the compliance report, and the parts that both use. */
import { html, raw } from 'hono/html'
import { printable } from '../run-observer.ts'
import { STYLE } from './style.ts'

export type Fragment = ReturnType<typeof html>

/** Text of a target: characters that could mislead a reader are written as codes. */
export const safe = (text: string): string => printable(text)

/** `1 check`, `3 checks`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

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

interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

const columns = (all: readonly Column[]) =>
  html`<thead>
    <tr>
      ${all.map(({ title, isNumber }) => html`<th scope="col" class="${isNumber === true ? 'number' : 'text'}">${title}</th>`)}
    </tr>
  </thead>`

/** @param rows elements `tr`. */
export const table = (
  {
    caption,
    head,
    isWide = false,
  }: { readonly caption: string; readonly head: readonly Column[]; readonly isWide?: boolean },
  rows: unknown,
) =>
  scrolling(
    caption,
    html`<table class="${isWide ? 'wide' : 'fitting'}">
      <caption>
        ${caption}
      </caption>
      ${columns(head)}
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  )

interface PageParts {
  /** Plain text. */
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

/** A whole page, which loads nothing. */
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
