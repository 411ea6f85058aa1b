/** The catalogue as an HTML page that loads nothing and can be read without its script. */
import { html } from 'hono/html'
import { renderPage, requirementLinks, section, table } from '../html/frame.ts'
import { requirementsTable, statementsTable, type ShownRequirement } from '../html/requirements.ts'
import { plural } from '../../plan/lists.ts'
import { COLUMNS } from './counts.ts'
import { FILTER } from './filter.ts'
import { countStatements, type TracedStatement } from './statements.ts'
import type { CatalogueDocument, ChapterDocument, Counts, Row, NotShownRow } from './schema.ts'

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

const proof = ({ checks, defects }: Row) =>
  checks.length === 0
    ? 'No check.'
    : html`<details>
        <summary>
          ${plural(checks.length, 'check')}${
            defects.length === 0 ? '' : `, detected in ${plural(defects.length, 'defect')}`
          }
        </summary>
        <h3>Checked in</h3>
        <ul class="checks">
          ${checks.map(checkItem)}
        </ul>
        ${
          defects.length === 0
            ? ''
            : html`<h3>Detected in</h3>
                <ul class="defects">
                  ${defects.map(({ id, title }) => html`<li><code>${id}</code> ${title}</li>`)}
                </ul>`
        }
      </details>`

const shown = (row: Row): ShownRequirement => ({
  ...row,
  because: row.checks.length === 0 ? (row.because ?? 'There is no check yet.') : undefined,
  checks: html`${proof(row)}
  ${row.tags.length === 0 ? '' : html`<p class="tags">${row.tags.map((tag) => html`<span>${tag}</span> `)}</p>`}`,
})

const shownAsRow = ({ recordedOf, subject, ...row }: NotShownRow): ShownRequirement => ({
  ...row,
  claim: subject,
  source: 'interface',
  checks:
    recordedOf.length === 0
      ? 'No scenario records it.'
      : html`<strong>Recorded in:</strong> ${recordedOf.join('; ')}`,
})

const chapterSection = ({ chapter, title, about, counts, rows, notShown }: ChapterDocument) =>
  section(
    { id: chapter, title, isNewPage: true },
    html`<p>
        ${about} ${plural(rows.length, 'requirement')}, ${plural(counts.checks, 'check')},
        ${plural(counts.defects, 'defect')}.
      </p>
      ${requirementsTable(`${title}: requirements`, 'Checks and defects', [
        ...rows.map(shown),
        ...notShown.map(shownAsRow),
      ])}`,
  )

const contents = ({ chapters, counts }: CatalogueDocument) => {
  const numbers = (own: Counts) => COLUMNS.map(([key]) => own[key])
  return table(
    {
      caption: 'Contents of the catalogue',
      head: ['chapter', ...COLUMNS.map(([, number]) => ({ number }))],
      isNamed: true,
    },
    [
      ...chapters.map((one) => [html`<a href="#${one.chapter}">${one.title}</a>`, ...numbers(one.counts)]),
      [html`<strong>all</strong>`, ...numbers(counts)],
    ],
  )
}

/** Hidden until the script runs, since it needs the script. */
const filter = ({ chapters }: CatalogueDocument) =>
  html`<form id="filter" class="only-screen" role="search" hidden>
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
        ${['MUST', 'SHOULD', 'MAY', 'not shown'].map(
          (level) => html`<option value="${level}">${level}</option>`,
        )}
      </select></label
    >
    <output name="found" aria-live="polite"></output>
  </form>`

const variations = ({ variations: all }: CatalogueDocument) =>
  section(
    { id: 'variations', title: 'Permitted variations' },
    html`<p>
        Behaviour that the interface permits. No check fails on ${plural(all.length, 'bank')} with these
        variations.
      </p>
      <dl>
        ${all.map(
          ({ id, title }) =>
            html`<dt><code>${id}</code></dt>
              <dd>${title}</dd>`,
        )}
      </dl>`,
  )

const statements = (traced: readonly TracedStatement[]) =>
  section(
    { id: 'statements', title: 'From statements to requirements', isNewPage: true },
    html`<p>${countStatements(traced)}.</p>
      ${statementsTable(traced, (ids) => (ids.length === 0 ? '' : html`<li>${requirementLinks(ids)}</li>`))}`,
  )

export const renderCatalogue = (
  document: CatalogueDocument,
  traced: readonly TracedStatement[],
): Promise<string> => {
  const { suite, counts, chapters } = document
  return renderPage({
    title: `Catalogue · ${suite.name} ${suite.version}`,
    links: [
      ...chapters.map(({ chapter, title }) => [chapter, title] as const),
      ['variations', 'Permitted variations'],
      ['statements', 'From statements to requirements'],
    ],
    content: html`<header>
        <h1>Requirements on a bank</h1>
        <p>
          ${plural(counts.checked + counts.unchecked, 'requirement')} of the interface and of the standards
          that it refers to, each with its source text, its checks, and the defects that these checks detect.
          Details that the interface does not show are not judged: ${plural(counts.notShown, 'row')} list
          them, and a report records what was observed.
        </p>
        <p class="quiet">
          ${suite.name} ${suite.version}, catalogue <code>${suite.catalogueDigest.slice(0, 12)}</code>
        </p>
      </header>
      ${contents(document)} ${filter(document)} ${chapters.map(chapterSection)} ${variations(document)}
      ${statements(traced)}`,
    script: FILTER,
  })
}
