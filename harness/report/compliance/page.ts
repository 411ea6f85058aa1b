import { html } from 'hono/html'
import { headlineOf } from '../headline.ts'
import {
  comparisonSection,
  evidenceAnnex,
  glossarySection,
  missingAnnex,
  proofSection,
  requirementsAnnex,
  signOffSection,
  statementsAnnex,
} from './annexes.ts'
import { linkItems, renderPage, safe, section, type Fragment } from '../html/frame.ts'
import { createdSection, drawingsSection, undisclosedSection, untestedSection } from './observations.ts'
import { cover } from './cover.ts'
import { coverageSection, findingsSection, summarySection, waiversSection } from './sections.ts'
import { durationText, instantText } from './summary.ts'
import { historySection } from './history.ts'
import type { Report } from '../schema.ts'
import type { ComplianceDocument } from './document.ts'

/** `compliance.html`: the report for readers outside of development, in one page that loads nothing and has no script. */

const CLOCKS = {
  virtual: 'the bank’s own, moved by the suite',
  testHook: 'the bank’s own, moved by the suite through a test hook',
  wall: 'real time',
} as const satisfies Record<Report['target']['clock'], string>

const facts = (report: Report): readonly (readonly [string, unknown])[] => {
  const { target, run, suite } = report
  return [
    ['Bank under test', safe(target.name)],
    [
      'Address',
      target.baseUrl === 'embedded'
        ? 'none: the bank is part of the suite'
        : html`<code>${safe(target.baseUrl)}</code>`,
    ],
    ['Environment', target.environment],
    ['Begin', instantText(run.startedAt)],
    ['End', `${instantText(run.finishedAt)} (${durationText(run.durationMs)})`],
    ['Clock of the bank', CLOCKS[target.clock]],
    ['Tested by', safe(run.operator ?? 'not given (--operator)')],
    [
      'Scope',
      `${report.scope.name}${report.scope.name === 'partial' ? `, of ${report.scope.asked}` : ''}, version ${report.scope.version}`,
    ],
    ['Suite', `${suite.name} ${suite.version}, revision ${run.revision}`],
    ['Platform', `Node ${process.versions.node}`],
    ...(suite.ownChecks === undefined
      ? []
      : [
          [
            'Own checks of the bank or scheme (SHA-256)',
            html`${suite.ownChecks.title}, folder ${suite.ownChecks.folder},
              <code class="digest">${suite.ownChecks.digest}</code>`,
          ] as const,
        ]),
    ['Catalogue (SHA-256)', html`<code class="digest">${suite.catalogueDigest}</code>`],
    ['Profile (SHA-256)', html`<code class="digest">${target.profileDigest}</code>`],
    ['Command', html`<code>${safe(run.command)}</code>`],
    ['Seed of random values', String(run.seed)],
    ['Run', html`<code>${run.id}</code>`],
  ]
}

/** Which suite, catalogue and profile: what a reader needs to repeat the run. */
const runSection = ({ report }: ComplianceDocument) =>
  section(
    { id: 'run', title: 'Versions, digests and command' },
    html`<table class="facts">
      <tbody>
        ${facts(report).map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  )

const SECTIONS: readonly (readonly [
  id: string,
  title: string,
  render: (document: ComplianceDocument) => Fragment | string,
])[] = [
  ['summary', 'Summary', summarySection],
  ['coverage', 'Coverage', coverageSection],
  ['findings', 'Findings', findingsSection],
  ['exceptions', 'Accepted exceptions', waiversSection],
  ['not-tested', 'What was not judged, and why', untestedSection],
  ['observed', 'Observed where the interface says “not shown”', undisclosedSection],
  ['created', 'Created at the bank, and left behind', createdSection],
  ['drawings', 'Drawings', drawingsSection],
  ['proof', 'How the checks were proved', proofSection],
  ['comparison', 'Comparison with an earlier run', comparisonSection],
  ['history', 'Earlier runs', historySection],
  ['glossary', 'Glossary', glossarySection],
  ['run', 'Versions, digests and command', runSection],
  ['sign-off', 'Sign-off', signOffSection],
  ['statements', 'Annex A. From statements to requirements', statementsAnnex],
  ['requirements', 'Annex B. Requirements, checks and exchanges', requirementsAnnex],
  ['evidence', 'Annex C. Index of the evidence', evidenceAnnex],
  ['missing', 'Annex D. What later runs need to judge more', missingAnnex],
]

export const renderCompliance = (document: ComplianceDocument): Promise<string> => {
  const { report } = document
  const shown = SECTIONS.filter(
    ([id]) =>
      !(id === 'comparison' && document.comparison === undefined) &&
      !(id === 'history' && document.past.length === 0),
  )
  const links = shown.map(([id, title]) => [id, title] as const)
  return renderPage({
    title: `Compliance report · ${safe(report.target.name)} · ${headlineOf(report)}`,
    links,
    content: html`${cover(document)}
      <section class="contents" id="contents">
        <h2>Contents</h2>
        <ol>
          ${linkItems(links)}
        </ol>
      </section>
      ${shown.map(([, , render]) => render(document))}`,
  })
}
