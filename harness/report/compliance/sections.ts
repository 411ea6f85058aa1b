import { chapterName } from '../chapter-titles.ts'
import { html } from 'hono/html'
import { groupBy } from '../../plan/lists.ts'
import { plainQuote } from '../run-observer.ts'
import { showCommand } from '../terminal/failure.ts'
import { badge, picture, requirementLink, safe, scrolling, section, table } from '../html/frame.ts'
import { coverageOf, MEANINGS, OUTCOMES, totalsOf, type ChapterCoverage, type Tally } from './coverage.ts'
import { SEVERITIES } from '../../check/consequence.ts'
import { SEVERITY_MEANINGS, type Excerpt, type Finding, type Violated } from './findings.ts'
import { exchangeAnchor } from './evidence-index.ts'
import { dayText, instantText, summaryOf } from './summary.ts'
import type { ComplianceDocument } from './document.ts'
import type { Report } from '../schema.ts'

/** The sections of the compliance report that answer what a reader asks first. */

export const summarySection = ({ report, findings }: ComplianceDocument) =>
  section(
    { id: 'summary', title: 'Summary' },
    html`<div class="summary">
      ${summaryOf(report, findings).map((sentence) => html`<p>${safe(sentence)}</p>`)}
    </div>`,
  )

// -- Coverage

const numbers = (tally: Tally) =>
  [tally.judged, ...OUTCOMES.map((outcome) => tally[outcome]), tally.total].map(
    (count) => html`<td class="number ${count === 0 ? 'zero' : 'some'}">${count}</td>`,
  )

const coverageRows = (name: unknown, levels: ChapterCoverage['levels']) =>
  html`<tbody class="together">
    ${levels.map(
      ({ level, tally }, at) =>
        html`<tr>
          ${at === 0 ? html`<th scope="rowgroup" rowspan="${levels.length}">${name}</th>` : ''}
          <th scope="row">${level}</th>
          ${numbers(tally)}
        </tr>`,
    )}
  </tbody>`

const coverageTable = (
  report: Report,
  chapters: readonly ChapterCoverage[],
  totals: ReturnType<typeof totalsOf>,
) =>
  scrolling(
    'Requirements by chapter and level',
    html`<table class="wide">
      <caption>
        Requirements by chapter and level
      </caption>
      <thead>
        <tr>
          <th scope="col">Chapter</th>
          <th scope="col">Level</th>
          ${['judged', ...OUTCOMES, 'total'].map((title) => html`<th scope="col" class="number">${title}</th>`)}
        </tr>
      </thead>
      ${chapters.map(({ chapter, levels }) => coverageRows(chapterName(chapter, report), levels))}
      ${coverageRows('All', totals.levels)}
    </table>`,
  )

type Contexts = NonNullable<Report['contexts']>

const contextsTable = (dimension: string, contexts: readonly Contexts[number][]) =>
  table(
    {
      caption: `Answers by operation and ${dimension}`,
      head: [
        { title: 'Operation' },
        ...[...new Set(contexts.map(({ value }) => value))].map((value) => ({
          title: safe(value),
          isNumber: true,
        })),
      ],
    },
    [...groupBy(contexts, ({ operation }) => operation)].map(
      ([operation, own]) =>
        html`<tr>
          <th scope="row">${operation}</th>
          ${own.map(
            ({ answers }) => html`<td class="number">${answers === 0 ? html`<b>none</b>` : answers}</td>`,
          )}
        </tr>`,
    ),
  )

/** How many answers each operation had for whom; what the profile offers and the run did not use stands out. */
const contextsTables = ({ contexts = [] }: Report) =>
  contexts.length === 0
    ? ''
    : html`<p>
          Scenarios act as different applications, for different customers (numbered as in the profile), with
          codes that come in different ways. How many answers each operation had in which of these contexts:
        </p>
        ${[...groupBy(contexts, ({ dimension }) => dimension)].map(([dimension, own]) =>
          contextsTable(dimension, own),
        )}`

export const coverageSection = ({ report }: ComplianceDocument) => {
  const [chapters, totals] = [coverageOf(report), totalsOf(report)]
  return section(
    { id: 'coverage', title: 'Coverage', isNewPage: true },
    html`<p>
        The interface and the standards that it refers to make ${totals.all.total} requirements;
        ${totals.all.judged + totals.all.unjudged} of them apply to this bank and can be judged by a test. The
        first page shows what this run found about them. Judged are those that passed, failed or are accepted.
      </p>
      ${coverageTable(report, chapters, totals)}
      <dl class="meanings">
        ${OUTCOMES.map(
          (outcome) =>
            html`<dt>${badge(outcome)}</dt>
              <dd>${MEANINGS[outcome]}</dd>`,
        )}
      </dl>
      ${contextsTables(report)}`,
  )
}

// -- Findings

const MOST_VIOLATIONS = 4

const violationItem = ({ check, violation }: Violated) =>
  html`<p>
    ${safe(violation.subject)}: expected ${safe(violation.expected)}; received
    <code>${safe(violation.received)}</code>${
      violation.counterexample === undefined
        ? ''
        : html` (with <code>${safe(violation.counterexample.value)}</code>)`
    }.
    <span class="quiet">${check.file}</span>
  </p>`

const excerptView = ({ id, sentAt, request, response }: Excerpt, { out, evidence }: ComplianceDocument) => {
  const anchor = exchangeAnchor(evidence, id)
  const name = html`<code>${id}</code>`
  return html`<p>
      Exchange ${anchor === undefined ? name : html`<a href="#${anchor}">${name}</a>`}, sent
      ${instantText(sentAt)} by the bank’s clock:
    </p>
    <pre>${safe(request)}</pre>
    <pre>${safe(response)}</pre>
    <p>
      The whole exchange, those before and after it, and a curl command:
      <code>${showCommand(id, out)}</code>
    </p>`
}

const consequenceRows = ({ consequence, requirement }: Finding) =>
  consequence === undefined
    ? ''
    : html`<dt>For customers</dt>
        <dd>
          ${requirement.level === 'MUST' ? '' : 'Little, since it is only recommended (SHOULD). At worst: '}${consequence.customers}
        </dd>`

const findingCard = (finding: Finding, document: ComplianceDocument) => {
  const { number, requirement, severity, violated, excerpt, sequence } = finding
  const rest = violated.length - MOST_VIOLATIONS
  const [first] = violated
  return html`<article class="finding" id="${number}">
    <h3>
      ${number} <span class="badge ${severity}">${severity}</span> ${requirementLink(requirement.id)}
      ${safe(requirement.claim)}
    </h3>
    <dl>
      <dt>Required</dt>
      <dd>
        “${plainQuote(requirement.quote)}”
        <span class="quiet">${requirement.level} · ${requirement.source}, ${requirement.place}</span>
      </dd>
      <dt>Observed</dt>
      <dd>
        ${violated.slice(0, MOST_VIOLATIONS).map(violationItem)}
        ${rest > 0 ? html`<p>The same requirement is broken in ${rest} further checks: see annex B.</p>` : ''}
      </dd>
      ${consequenceRows(finding)}
      <dt>Evidence</dt>
      <dd>
        ${excerpt === undefined ? 'The exchange is not in the evidence.' : excerptView(excerpt, document)}
      </dd>
      <dt>To reproduce</dt>
      <dd><code>${first?.check.reproduce ?? ''}</code></dd>
    </dl>
    ${sequence === undefined ? '' : picture(sequence, `The requests before the violation, and the answer that shows it: ${first?.violation.exchange ?? ''}`)}
  </article>`
}

const findingsList = (report: Report, findings: readonly Finding[]) =>
  table(
    {
      caption: 'All findings',
      head: [{ title: 'Finding' }, { title: 'Severity' }, { title: 'Chapter' }, { title: 'Requirement' }],
    },
    findings.map(
      ({ number, severity, requirement }) =>
        html`<tr>
          <td><a href="#${number}">${number}</a></td>
          <td><span class="badge ${severity}">${severity}</span></td>
          <td>${chapterName(requirement.chapter, report)}</td>
          <td>${requirementLink(requirement.id)} ${safe(requirement.claim)}</td>
        </tr>`,
    ),
  )

export const findingsSection = (document: ComplianceDocument) => {
  const { findings, exceptions } = document
  return section(
    { id: 'findings', title: 'Findings', isNewPage: findings.length > 0 },
    findings.length === 0
      ? html`<p>
          No requirement that was judged was seen
          broken${exceptions.length === 0 ? '' : html`, besides the <a href="#exceptions">accepted exceptions</a>`}.
        </p>`
      : html`<p>Each finding is a requirement on which at least one violation was observed.</p>
          <dl class="meanings">
            ${SEVERITIES.map(
              (severity) =>
                html`<dt><span class="badge ${severity}">${severity}</span></dt>
                  <dd>${SEVERITY_MEANINGS[severity]}</dd>`,
            )}
          </dl>
          ${findingsList(document.report, findings)} ${findings.map((one) => findingCard(one, document))}`,
  )
}

// -- Accepted exceptions

const WAIVER_STATES = {
  needed: 'a violation was observed, which it accepts',
  stale: 'no violation was observed: it must be removed',
  idle: 'this run did not judge the requirement',
} as const

/** An accepted violation is shown like a finding, with who accepted it and until when. */
export const waiversSection = (document: ComplianceDocument) => {
  const { report, exceptions } = document
  const { waivers = [] } = report
  return section(
    { id: 'exceptions', title: 'Accepted exceptions' },
    waivers.length === 0
      ? html`<p>No exception was declared for this run.</p>`
      : html`<p>
            An exception does not repair a violation: the bank breaks the requirement until the last day, and
            its owner has accepted that.
          </p>
          ${table(
            {
              caption: 'Accepted exceptions of this run',
              head: [
                { title: 'Requirement' },
                { title: 'Reason' },
                { title: 'Owner' },
                { title: 'Last day' },
                { title: 'In this run' },
              ],
            },
            waivers.map(
              ({ requirement, reason, owner, expires, state }) =>
                html`<tr>
                  <td>${requirementLink(requirement)}</td>
                  <td>${safe(reason)}</td>
                  <td>${safe(owner)}</td>
                  <td>${dayText(expires)}</td>
                  <td>${WAIVER_STATES[state]}</td>
                </tr>`,
            ),
          )}
          ${exceptions.map((one) => findingCard(one, document))}`,
  )
}
