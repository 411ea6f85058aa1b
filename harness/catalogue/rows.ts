import { html } from 'hono/html'
import { TITLES } from './titles.ts'
import { plural } from './words.ts'
import type { ChapterDocument, Row, UndisclosedRow } from './schema.ts'

/** The rows of a chapter: each has an anchor of its own. */

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
  any: 'as whichever application there is',
} as const

/** `pay in the sandbox, consent in production`, or one for wherever the run is. */
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
    ? html`<p class="because"><strong>No check.</strong> ${because ?? 'Nothing judges it yet.'}</p>`
    : html`<details>
        <summary>
          ${plural(checks.length, 'check')}${
            defects.length === 0
              ? ''
              : `, proved on ${plural(defects.length, 'bank')} that break${defects.length === 1 ? 's' : ''} it`
          }
        </summary>
        <h4>Judged of</h4>
        <ul class="checks">
          ${checks.map(checkItem)}
        </ul>
        ${
          defects.length === 0
            ? ''
            : html`<h4>Proved on</h4>
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
    ${row.reading === undefined ? '' : html`<p class="reading"><strong>Read as:</strong> ${row.reading}</p>`}
    ${
      row.tags.length === 0
        ? ''
        : html`<p class="tags">${row.tags.map((tag) => html`<span>${tag}</span> `)}</p>`
    }
    ${proof(row)}
  </article>`

const recorded = ({ recordedOf }: UndisclosedRow) =>
  recordedOf.length === 0
    ? html`<p class="because">No scenario shows anything of it.</p>`
    : html`<p class="recorded">
        <strong>Recorded of:</strong> ${recordedOf.map((title, at) => `${at === 0 ? '' : '; '}${title}`)}
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

export const chapterSection = ({ chapter, counts, rows, undisclosed: open }: ChapterDocument) =>
  html`<section id="${chapter}" data-chapter="${chapter}">
    <h2>${TITLES[chapter].name}</h2>
    <p>
      ${TITLES[chapter].about} ${plural(rows.length, 'requirement')}, ${plural(counts.checks, 'check')},
      ${plural(counts.defects, 'defect')}.
    </p>
    ${rows.map(requirement)} ${open.map(undisclosed)}
  </section>`
