import { html } from 'hono/html'
import { groupBy, idRanges } from '../../plan/lists.ts'
import { NO_REASON, ordersIn } from '../rows.ts'
import { plainQuote } from '../run-observer.ts'
import { coverageOf as modelCoverageOf } from '../drawing/model.ts'
import { code, picture, requirementLinks, safe, scrolling, table } from '../html/frame.ts'
import { reasonsOf, totalsOf, type Outcome } from './coverage.ts'
import { instantText } from './summary.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { resumeCommand } from '../run-folder.ts'
import { withoutExchanges } from '../terminal/unjudged.ts'
import type { Report } from '../schema.ts'
import type { ComplianceDocument, Drawing } from './document.ts'

/** The sections about what was not judged, what was only observed, and what the run did at the bank. */

/** Requirements that have no row in annex B: links to them lead here. */
const rangesWithAnchors = (ids: readonly string[], isUnselected = false) =>
  html`${ids.map((id) => html`<span id="${id}"></span>`)}${isUnselected ? '' : idRanges(ids).join(', ')}`

// -- What was not judged

const reasonTable = (report: Report, outcome: Outcome, caption: string) => {
  const groups = reasonsOf(report).filter((one) => one.outcome === outcome)
  return table(
    { caption, head: [{ number: 'Number' }, 'Reason', 'Requirements'] },
    groups.map(({ because, isUnselected, ids }) => ({
      isLong: ids.length > 40,
      cells: [
        ids.length,
        because,
        outcome === 'undecided' ? requirementLinks(ids) : rangesWithAnchors(ids, isUnselected),
      ],
    })),
  )
}

const waitingTable = ({ waiting = [] }: Report) =>
  table(
    { caption: 'Tests that wait', head: ['Scenario', 'Until', 'Requirements'] },
    waiting.map(({ scenario, until, requirements }) => [
      code(scenario),
      instantText(until),
      requirementLinks(requirements),
    ]),
  )

const bindingTable = ({ bindings = [] }: Report) =>
  table(
    {
      caption: 'Keys of the profile that do not fit the answers of the bank',
      head: ['Key', 'Value', 'Received', 'Not judged because of it'],
    },
    bindings.map(({ key, bound, expected, shown, requirements }) => [
      code(key),
      code(bound),
      `no ${expected} there; ${shown}`,
      requirementLinks(requirements),
    ]),
  )

const statementTable = ({ statements = [] }: Report) =>
  table(
    {
      caption: 'What the verdicts take as true from the profile',
      head: ['Key', 'Statement', 'Requirements'],
    },
    statements.map(({ key, states = 'its value', requirements }) => [
      code(key),
      states,
      requirementLinks(requirements),
    ]),
  )

export const untested = ({ report }: ComplianceDocument) => {
  const { all } = totalsOf(report)
  return html`${
    all.unjudged === 0
      ? html`<p>Every requirement that applies to this bank was judged.</p>`
      : html`<p>
          Of ${all.judged + all.unjudged} requirements, ${all.unjudged} ${all.unjudged === 1 ? 'was' : 'were'}
          not judged. Nothing in this report is a statement about ${all.unjudged === 1 ? 'it' : 'them'}. What
          a later run needs is in <a href="#missing">annex D</a>.
        </p>`
  }
  ${reasonTable(report, 'not tested', 'Not tested: a later run can judge them')}
  ${reasonTable(report, 'undecided', 'Undecided: a test was begun and came to no result')}
  ${reasonTable(report, 'not applicable', 'Not applicable')} ${waitingTable(report)} ${bindingTable(report)}
  ${statementTable(report)}`
}

// -- Where the interface says “not shown”

export const notShown = ({ report: { notShown: all } }: ComplianceDocument) => {
  const seen = all.filter(({ observed }) => observed.length > 0)
  const unseen = all.filter((one) => !seen.includes(one)).map(({ id }) => id)
  return html`<p>
      The description of the interface says of ${all.length} details that they are “not shown”. They are not
      judged. For ${seen.length} of them this run observed what the bank does.
      ${unseen.length === 0 ? '' : html`Nothing was observed of ${rangesWithAnchors(unseen)}.`}
    </p>
    ${table(
      {
        caption: 'Details that the interface does not show',
        head: ['Row', 'Words of the interface', 'Observed'],
        kind: 'wide',
      },
      seen.map(({ id, quote, place, observed }) => ({
        id,
        isLong: observed.length > 12,
        cells: [
          html`<span class="id">${id}</span>`,
          html`“${plainQuote(quote)}” <span class="quiet">${place}</span>`,
          html`<ul>
            ${observed.map((value) => html`<li>${safe(value)}</li>`)}
          </ul>`,
        ],
      })),
    )}`
}

// -- Created objects

const countBy = (kind: string, records: readonly { readonly status?: string | undefined }[]) =>
  [...groupBy(records, ({ status = 'unknown' }) => status)].map(
    ([status, { length }]) => [kind, status, length] as const,
  )

const createdCounts = ({ payments = [], applications = [], created: all = [] }: Report) => [
  ...countBy('payment', payments),
  ...countBy('loan application', applications),
  ...(['consent', 'webhook settings'] as const).flatMap((kind) =>
    countBy(
      kind,
      all
        .filter((one) => one.kind === kind)
        .map(({ cleaned }) => ({ status: cleaned ? 'removed or restored' : 'left behind' })),
    ),
  ),
]

/** A list of hundreds of objects would hide the few reasons. */
const leftGroups = (left: NonNullable<Report['created']>) => {
  const known = left.map(({ kind, because = NO_REASON }) => ({ kind, because: withoutExchanges(because) }))
  const groups = groupBy(known, ({ kind, because }) => `${kind} ${because}`)
  return [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .map(({ length, 0: { kind, because } }) => [length, kind, because])
}

/** Consents that nothing can delete are only counted. */
const isListed = ({ kind, deletable }: NonNullable<Report['created']>[number]): boolean =>
  kind !== 'consent' || deletable === true

const laterSentence = (left: NonNullable<Report['created']>, command: string) => {
  const count = left.filter(({ deletable }) => deletable).length
  return count === 0
    ? ''
    : html`<p>Of these, ${count} can be deleted later: <code>${safe(command)}</code></p>`
}

const leftTable = ({ report: { created = [], run }, out }: ComplianceDocument) => {
  const left = created.filter(({ cleaned }) => !cleaned)
  if (left.length === 0) return html`<p>Nothing is left behind at the bank.</p>`
  return html`${table(
      {
        caption: 'Left behind at the bank',
        head: [{ number: 'Number' }, 'Kind', 'Why it was not removed'],
      },
      leftGroups(left),
    )}
    ${laterSentence(left, resumeCommand(run.command, out))}
    <p class="only-print">
      The page on the screen lists their ids; <code>${OUTPUT.report}</code> has them under
      <code>created</code>.
    </p>
    <details class="only-screen">
      <summary>Objects that are left behind, without consents that nothing can delete</summary>
      ${table(
        {
          caption: 'Objects that are left behind',
          head: ['Kind', 'Id', 'Created by', 'Why it was not removed'],
          kind: 'wide',
        },
        left
          .filter(isListed)
          .map(({ kind, id, exchange, because = NO_REASON }) => [kind, code(id), code(exchange), because]),
      )}
    </details>`
}

const idsOf = (report: Report) => {
  const { payments, loans } = ordersIn(report)
  const rows = [...payments, ...loans]
  return rows.length === 0
    ? ''
    : html`<details class="only-screen">
        <summary>All payments and loan applications of this run</summary>
        ${table(
          {
            caption: 'Payments and loan applications with their last status',
            head: ['Id', 'Last status', 'Created by'],
          },
          rows.map(({ id, status = 'unknown', exchange }) => [code(id), status, code(exchange)]),
        )}
      </details>`
}

export const created = (document: ComplianceDocument) => {
  const { report } = document
  const made = createdCounts(report)
  return html`${
    made.length === 0
      ? html`<p>This run created no payment, loan application, consent or setting that is recorded.</p>`
      : table(
          {
            caption: 'Created objects by their last status',
            head: ['Kind', 'Last status', { number: 'Number' }],
          },
          made,
        )
  }
  ${
    report.target.baseUrl === 'embedded'
      ? html`<p>
          The bank under test is part of the suite and ended with the run, so that nothing is left behind.
        </p>`
      : leftTable(document)
  }
  ${idsOf(report)}`
}

// -- Drawings

const timeLineSentence = (report: Report, file: string): string => {
  const line = (report.timelines ?? []).find(({ drawing }) => drawing === file)
  const last = line?.observed.at(-1)?.status
  return `How the status of a loan application on the path “${line?.path ?? ''}” changed over time: each light band is the time in which the interface lets a status begin, each dark mark is when the run saw it begin${last === undefined ? '' : `; the last one seen is ${last}`}.`
}

const SCHEDULE =
  'When each scenario of the run acted (dark) and waited (light), in the order in which they began. Scenarios that wait for the bank overlap; where they follow one another, the run lasts longer than it must.'

const captionOf = (report: Report, file: string): string => {
  const model = (report.models ?? []).find(({ drawing }) => drawing === file)
  if (file === OUTPUT.schedule) return SCHEDULE
  if (model === undefined) return timeLineSentence(report, file)
  const { name, broken = [] } = model
  const violations =
    broken.length === 0
      ? ''
      : ` It has permitted transitions only; broken in this part of the interface: ${broken.join(', ')}, see the findings.`
  return `The states of a ${name} (boxes) and the transitions between them (arrows), with the number of times that this run observed each; a dashed one was never observed (${modelCoverageOf(model)}).${violations}`
}

const figure = (report: Report, { file, svg }: Drawing) => {
  const caption = captionOf(report, file)
  return html`<figure id="${file}">
    ${scrolling(`Drawing ${file}`, picture(svg, caption))}
    <figcaption>${caption}</figcaption>
  </figure>`
}

export const figures = ({ report, drawings }: ComplianceDocument) =>
  drawings.length === 0
    ? html`<p>This run observed no payment and no loan path that could be drawn.</p>`
    : html`${drawings.map((drawing) => figure(report, drawing))}`
