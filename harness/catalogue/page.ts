import { html, raw } from 'hono/html'
import { FILTER } from './filter.ts'
import { chapterSection } from './rows.ts'
import { STYLE } from './style.ts'
import { TITLES } from './titles.ts'
import { plural } from './words.ts'
import type { CatalogueDocument, Counts } from './schema.ts'

/** The catalogue as a page of its own: it loads nothing, and reads without its script as well. */

const COLUMNS: readonly (readonly [key: keyof Counts, name: string])[] = [
  ['MUST', 'MUST'],
  ['SHOULD', 'SHOULD'],
  ['MAY', 'MAY'],
  ['checked', 'checked'],
  ['unchecked', 'unchecked'],
  ['undisclosed', 'undisclosed'],
  ['checks', 'checks'],
  ['defects', 'defects'],
]

const cells = (counts: Counts) => COLUMNS.map(([key]) => html`<td>${counts[key]}</td>`)

const contents = ({ chapters, counts }: CatalogueDocument) =>
  html`<div class="scroll">
    <table>
      <caption>
        What the catalogue holds
      </caption>
      <thead>
        <tr>
          <th scope="col">chapter</th>
          ${COLUMNS.map(([, name]) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${chapters.map(
          (chapter) =>
            html`<tr>
              <th scope="row"><a href="#${chapter.chapter}">${TITLES[chapter.chapter].name}</a></th>
              ${cells(chapter.counts)}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">all</th>
          ${cells(counts)}
        </tr>
      </tfoot>
    </table>
  </div>`

/** Shown by the script that it needs. */
const filter = ({ chapters }: CatalogueDocument) =>
  html`<form id="filter" role="search" hidden>
    <label>Words <input type="search" name="words" placeholder="refresh token, PAY-09, RFC 6749 …" /></label>
    <label
      >Chapter
      <select name="chapter">
        <option value="">all</option>
        ${chapters.map(({ chapter }) => html`<option value="${chapter}">${TITLES[chapter].name}</option>`)}
      </select></label
    >
    <label
      >Level
      <select name="level">
        <option value="">all</option>
        ${['MUST', 'SHOULD', 'MAY', 'undisclosed'].map(
          (level) => html`<option value="${level}">${level}</option>`,
        )}
      </select></label
    >
    <output name="found" aria-live="polite"></output>
  </form>`

const variations = ({ variations: all }: CatalogueDocument) =>
  html`<section id="variations">
    <h2>Different, and right</h2>
    <p>
      What the interface leaves open, a bank may do in its own way. On each of these
      ${plural(all.length, 'bank')} every check stays silent.
    </p>
    <dl>
      ${all.map(
        ({ id, story }) =>
          html`<dt><code>${id}</code></dt>
            <dd>${story}</dd>`,
      )}
    </dl>
  </section>`

const descriptive = ({ descriptive: all }: CatalogueDocument) =>
  html`<section id="descriptive">
    <h2>What is no claim</h2>
    <p>
      Every sentence of the interface is quoted by a row above, or stands here with the reason why none does.
    </p>
    <dl>
      ${all.map(
        ({ quote, because }) =>
          html`<dt><q>${quote}</q></dt>
            <dd>${because}</dd>`,
      )}
    </dl>
  </section>`

const navigation = ({ chapters }: CatalogueDocument) =>
  html`<nav aria-label="Chapters">
    <ul>
      ${chapters.map(
        ({ chapter, rows }) =>
          html`<li><a href="#${chapter}">${TITLES[chapter].name}</a> <small>${rows.length}</small></li>`,
      )}
      <li><a href="#variations">Different, and right</a></li>
      <li><a href="#descriptive">What is no claim</a></li>
    </ul>
  </nav>`

/** Even a mistake of ours loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"

export const renderPage = async (document: CatalogueDocument): Promise<string> => {
  const { suite, counts } = document
  const rows = counts.checked + counts.unchecked
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Catalogue · ${suite.name} ${suite.version}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        ${navigation(document)}
        <main>
          <header>
            <h1>What a conforming bank does</h1>
            <p>
              ${plural(rows, 'requirement')} of the interface and of the standards that it invokes, each with
              the words that it comes from, the checks that judge it, and the banks on which these are proved
              able to fail. What the interface does not show is never judged:
              ${plural(counts.undisclosed, 'row')} name it, and a report records what was seen of it.
            </p>
            <p class="origin">
              ${suite.name} ${suite.version}, catalogue <code>${suite.catalogueDigest.slice(0, 12)}</code>
            </p>
          </header>
          ${contents(document)} ${filter(document)} ${document.chapters.map(chapterSection)}
          ${variations(document)} ${descriptive(document)}
        </main>
        <script>
          ${raw(FILTER)}
        </script>
      </body>
    </html>`
  return `${String(page)}\n`
}
