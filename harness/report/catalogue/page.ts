import { html, raw } from 'hono/html'
import { FILTER, STYLE } from './style.ts'
import type { CatalogueDocument, ChapterDocument, Counts, Row, UndisclosedRow } from './schema.ts'

/** `1 check`, `3 checks`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The requirements of a chapter, each with an anchor. */

const origin = ({ place, source }: Pick<Row, 'place' | 'source'>): string =>
  source === 'interface' ? `Interface, ${place}` : `${source}, ${place}`

const quoted = (row: Pick<Row, 'quote' | 'place' | 'source'>) =>
  html`<blockquote>
    <p>${row.quote}</p>
    <footer>${origin(row)}</footer>
  </blockquote>`

const APPLICATIONS = {
  FAC: 'as a FAC',
  TPP: 'as a TPP',
  each: 'as a FAC and as a TPP',
  any: 'as any application',
} as const

/** `pay in the sandbox, consent in production`, or one effect for both environments. */
const effectOf = ({ effect, effectsIn }: Row['checks'][number]): string => {
  if (effectsIn === undefined) return effect
  const { sandbox, production } = effectsIn
  return [
    ...(sandbox === undefined ? [] : [`${sandbox} in the sandbox`]),
    ...(production === undefined ? [] : [`${production} in production`]),
  ].join(', ')
}

const checkItem = (check: Row['checks'][number]) =>
  html`<li>
    <p>
      ${check.scenario}${check.property ? html` <span class="kind">property</span>` : ''}<br /><code
        >${check.file}</code
      >
    </p>
    <p class="terms">Effect: ${effectOf(check)}; ${APPLICATIONS[check.as]}.</p>
    ${
      check.needs.length === 0
        ? ''
        : html`<p class="terms">
            It needs ${check.needs.map((need, at) => `${at === 0 ? '' : '; '}${need}`)}.
          </p>`
    }
  </li>`

const defectItem = ({ id, story }: Row['defects'][number]) => html`<li><code>${id}</code> ${story}</li>`

const proof = ({ checks, defects, because }: Row) =>
  checks.length === 0
    ? html`<p class="because"><strong>No check.</strong> ${because ?? 'There is no check yet.'}</p>`
    : html`<details>
        <summary>
          ${plural(checks.length, 'check')}${
            defects.length === 0 ? '' : `, detected in ${plural(defects.length, 'defect')}`
          }
        </summary>
        <h4>Checked in</h4>
        <ul class="checks">
          ${checks.map(checkItem)}
        </ul>
        ${
          defects.length === 0
            ? ''
            : html`<h4>Detected in</h4>
                <ul class="defects">
                  ${defects.map(defectItem)}
                </ul>`
        }
      </details>`

const requirement = (row: Row) =>
  html`<article id="${row.id}" data-level="${row.level}">
    <h3>
      <a class="id" href="#${row.id}">${row.id}</a>
      <span class="level ${row.level.toLowerCase()}">${row.level}</span>
      <span class="claim">${row.claim}</span>
    </h3>
    ${quoted(row)}
    ${row.reading === undefined ? '' : html`<p class="reading"><strong>Interpretation:</strong> ${row.reading}</p>`}
    ${row.fromProfile === undefined ? '' : html`<p class="reading"><strong>Compared with the profile:</strong> <code>${row.fromProfile}</code></p>`}
    ${
      row.tags.length === 0
        ? ''
        : html`<p class="tags">${row.tags.map((tag) => html`<span>${tag}</span> `)}</p>`
    }
    ${proof(row)}
  </article>`

const recorded = ({ recordedOf }: UndisclosedRow) =>
  recordedOf.length === 0
    ? html`<p class="because">No scenario records it.</p>`
    : html`<p class="recorded">
        <strong>Recorded in:</strong> ${recordedOf.map((title, at) => `${at === 0 ? '' : '; '}${title}`)}
      </p>`

const undisclosed = (row: UndisclosedRow) =>
  html`<article id="${row.id}" data-level="undisclosed">
    <h3>
      <a class="id" href="#${row.id}">${row.id}</a>
      <span class="level undisclosed">not shown</span>
      <span class="claim">${row.subject}</span>
    </h3>
    ${quoted({ ...row, source: 'interface' })} ${recorded(row)}
  </article>`

export const chapterSection = ({ chapter, title, about, counts, rows, undisclosed: open }: ChapterDocument) =>
  html`<section id="${chapter}" data-chapter="${chapter}">
    <h2>${title}</h2>
    <p>
      ${about} ${plural(rows.length, 'requirement')}, ${plural(counts.checks, 'check')},
      ${plural(counts.defects, 'defect')}.
    </p>
    ${rows.map(requirement)} ${open.map(undisclosed)}
  </section>`

/** The catalogue as an HTML page that loads nothing and can be read without its script. */

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
        Contents of the catalogue
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
              <th scope="row"><a href="#${chapter.chapter}">${chapter.title}</a></th>
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

/** Hidden until the script runs, since it needs the script. */
const filter = ({ chapters }: CatalogueDocument) =>
  html`<form id="filter" role="search" hidden>
    <label>Words <input type="search" name="words" placeholder="refresh token, PAY-09, RFC 6749 …" /></label>
    <label
      >Chapter
      <select name="chapter">
        <option value="">all</option>
        ${chapters.map(({ chapter, title }) => html`<option value="${chapter}">${title}</option>`)}
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
    <h2>Permitted variations</h2>
    <p>
      Behaviour that the interface permits. No check fails on ${plural(all.length, 'bank')} with these
      variations.
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
    <h2>Statements that are not requirements</h2>
    <p>
      Every sentence of the interface is quoted by a row above, or is listed here with the reason why it is
      not.
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
        ({ chapter, title, rows }) =>
          html`<li><a href="#${chapter}">${title}</a> <small>${rows.length}</small></li>`,
      )}
      <li><a href="#variations">Permitted variations</a></li>
      <li><a href="#descriptive">Statements that are not requirements</a></li>
    </ul>
  </nav>`

/** The page can load nothing, even by mistake. */
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
            <h1>Requirements on a bank</h1>
            <p>
              ${plural(rows, 'requirement')} of the interface and of the standards that it refers to, each
              with its source text, its checks, and the defects that these checks detect. Details that the
              interface does not show are not judged: ${plural(counts.undisclosed, 'row')} list them, and a
              report records what was observed.
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
