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
import { linkItems, renderPage, safe, type Fragment } from '../html/frame.ts'
import { createdSection, drawingsSection, undisclosedSection, untestedSection } from './observations.ts'
import { coverageSection, findingsSection, summarySection, waiversSection } from './sections.ts'
import { durationText, instantText, resultOf } from './summary.ts'
import type { Report } from '../schema.ts'
import type { ComplianceDocument } from './document.ts'

/** `compliance.html`: the report for readers outside of development, in one page that loads nothing and has no script. */

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
  ['glossary', 'Glossary', glossarySection],
  ['sign-off', 'Sign-off', signOffSection],
  ['statements', 'Annex A. From statements to requirements', statementsAnnex],
  ['requirements', 'Annex B. Requirements, checks and exchanges', requirementsAnnex],
  ['evidence', 'Annex C. Index of the evidence', evidenceAnnex],
  ['missing', 'Annex D. What later runs need to judge more', missingAnnex],
]

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

/** The conclusion in the words of every other report, and the scope that it is about. */
const scopeLine = (report: Report): string => {
  const { asked, name, version } = report.scope
  const scope = name === 'partial' ? `a part of the scope “${asked}”` : `the whole scope “${name}”`
  return `This run covers ${scope}, version ${version}. In the words of the other reports: ${headlineOf(report)}.`
}

const warnings = ({ target }: Report): readonly string[] =>
  target.certificates === undefined
    ? []
    : ['The certificates of the bank were not verified in this run: another server may have answered.']

const cover = (report: Report) => {
  const { tone, text } = resultOf(report)
  return html`<header class="cover">
    <p class="kicker">Compliance report</p>
    <h1>${safe(report.target.name)}</h1>
    <p class="about">
      Account information, payments and instalment loans: conformance with the description of the interface
    </p>
    <div class="conclusion ${tone}">
      <p class="headline">${text}</p>
      ${[scopeLine(report), ...warnings(report)].map((line) => html`<p class="scope">${line}</p>`)}
    </div>
    <table class="facts">
      <tbody>
        ${facts(report).map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </header>`
}

export const renderCompliance = (document: ComplianceDocument): Promise<string> => {
  const { report } = document
  const shown = SECTIONS.filter(([id]) => id !== 'comparison' || document.comparison !== undefined)
  const links = shown.map(([id, title]) => [id, title] as const)
  return renderPage({
    title: `Compliance report · ${safe(report.target.name)} · ${headlineOf(report)}`,
    links,
    content: html`${cover(report)}
      <section class="contents" id="contents">
        <h2>Contents</h2>
        <ol>
          ${linkItems(links)}
        </ol>
      </section>
      ${shown.map(([, , render]) => render(document))}`,
  })
}
