import { chapterName } from '../chapter-titles.ts'
import { html } from 'hono/html'
import { groupBy } from '../../plan/lists.ts'
import { plainQuote } from '../run-observer.ts'
import { showCommand } from '../terminal/failure.ts'
import { badge, code, picture, requirementLink, safe, table, tableOf } from '../html/frame.ts'
import { coverageOf, MEANINGS, OUTCOMES, totalsOf, type Coverage, type Tally } from './coverage.ts'
import { SEVERITIES } from '../../check/consequence.ts'
import { SEVERITY_MEANINGS, type Excerpt, type Finding, type Violated } from './findings.ts'
import { exchangeAnchor } from './evidence-index.ts'
import { dayText, instantText, summaryOf } from './summary.ts'
import type { ComplianceDocument } from './document.ts'
import type { Report } from '../schema.ts'

/** The sections of the compliance report that answer what a reader asks first. */

export const summary = ({ report, findings: found }: ComplianceDocument) =>
  html`<div class="summary">
    ${summaryOf(report, found).map((sentence) => html`<p>${safe(sentence)}</p>`)}
  </div>`

// -- Coverage

const numbers = (tally: Tally) =>
  [tally.judged, ...OUTCOMES.map((outcome) => tally[outcome]), tally.total].map(
    (count) => html`<td class="number ${count === 0 ? 'zero' : 'some'}">${count}</td>`,
  )

const coverageRows = (name: unknown, levels: Coverage['levels']) =>
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

const coverageTable = (report: Report) =>
  tableOf(
    {
      caption: 'Requirements by chapter and level',
      head: ['Chapter', 'Level', ...['judged', ...OUTCOMES, 'total'].map((number) => ({ number }))],
      kind: 'wide',
    },
    [
      ...coverageOf(report).map(({ chapter, levels }) => coverageRows(chapterName(chapter, report), levels)),
      coverageRows('All', totalsOf(report).levels),
    ],
  )

const contextsTable = (dimension: string, contexts: readonly NonNullable<Report['contexts']>[number][]) =>
  table(
    {
      caption: `Answers by operation and ${dimension}`,
      head: [
        'Operation',
        ...[...new Set(contexts.map(({ value }) => value))].map((value) => ({ number: safe(value) })),
      ],
      isNamed: true,
    },
    [...groupBy(contexts, ({ operation }) => operation)].map(([operation, own]) => [
      operation,
      ...own.map(({ answers }) => (answers === 0 ? html`<b>none</b>` : answers)),
    ]),
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

export const coverage = ({ report }: ComplianceDocument) => {
  const { all } = totalsOf(report)
  return html`<p>
      The interface and the standards that it refers to make ${all.total} requirements;
      ${all.judged + all.unjudged} of them apply to this bank and can be judged by a test. The first page
      shows what this run found about them. Judged are those that passed, failed or are accepted.
    </p>
    ${coverageTable(report)} ${meanings(OUTCOMES, MEANINGS)} ${contextsTables(report)}`
}

const meanings = <Word extends string>(words: readonly Word[], all: Readonly<Record<Word, string>>) =>
  html`<dl class="meanings">
    ${words.map(
      (word) =>
        html`<dt>${badge(word)}</dt>
          <dd>${all[word]}</dd>`,
    )}
  </dl>`

// -- Findings

const MOST_VIOLATIONS = 4

const violationItem = ({ check, violation }: Violated) =>
  html`<p>
    ${safe(violation.subject)}: expected ${safe(violation.expected)}; received
    ${code(violation.received)}${
      violation.counterexample === undefined ? '' : html` (with ${code(violation.counterexample.value)})`
    }.
    <span class="quiet">${check.file}</span>
  </p>`

const excerptView = ({ id, sentAt, request, response }: Excerpt, { out, evidence }: ComplianceDocument) => {
  const anchor = exchangeAnchor(evidence, id)
  const name = code(id)
  return html`<p>
      Exchange ${anchor === undefined ? name : html`<a href="#${anchor}">${name}</a>`}, sent
      ${instantText(sentAt)} by the bank’s clock:
    </p>
    <pre>${safe(request)}</pre>
    <pre>${safe(response)}</pre>
    <p>The whole exchange, those before and after it, and a curl command: ${code(showCommand(id, out))}</p>`
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
    <h3>${number} ${badge(severity)} ${requirementLink(requirement.id)} ${safe(requirement.claim)}</h3>
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

const findingsList = (report: Report, all: readonly Finding[]) =>
  table(
    { caption: 'All findings', head: ['Finding', 'Severity', 'Chapter', 'Requirement'] },
    all.map(({ number, severity, requirement: { id, chapter, claim } }) => [
      html`<a href="#${number}">${number}</a>`,
      badge(severity),
      chapterName(chapter, report),
      html`${requirementLink(id)} ${safe(claim)}`,
    ]),
  )

export const findings = (document: ComplianceDocument) => {
  const { findings: found, exceptions: accepted, report } = document
  return found.length === 0
    ? html`<p>
        No requirement that was judged was seen
        broken${accepted.length === 0 ? '' : html`, besides the <a href="#exceptions">accepted exceptions</a>`}.
      </p>`
    : html`<p>Each finding is a requirement on which at least one violation was observed.</p>
        ${meanings(SEVERITIES, SEVERITY_MEANINGS)} ${findingsList(report, found)}
        ${found.map((one) => findingCard(one, document))}`
}

// -- Accepted exceptions

const WAIVER_STATES = {
  needed: 'a violation was observed, which it accepts',
  stale: 'no violation was observed: it must be removed',
  idle: 'this run did not judge the requirement',
} as const

/** An accepted violation is shown like a finding, with who accepted it and until when. */
export const exceptions = (document: ComplianceDocument) => {
  const { waivers = [] } = document.report
  if (waivers.length === 0) return html`<p>No exception was declared for this run.</p>`
  return html`<p>
      An exception does not repair a violation: the bank breaks the requirement until the last day, and its
      owner has accepted that.
    </p>
    ${table(
      {
        caption: 'Accepted exceptions of this run',
        head: ['Requirement', 'Reason', 'Owner', 'Last day', 'In this run'],
      },
      waivers.map(({ requirement, reason, owner, expires, state }) => [
        requirementLink(requirement),
        reason,
        owner,
        dayText(expires),
        WAIVER_STATES[state],
      ]),
    )}
    ${document.exceptions.map((one) => findingCard(one, document))}`
}
