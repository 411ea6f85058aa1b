import { join } from 'node:path'
import { html } from 'hono/html'
import { OUTPUT } from '../../evidence/output.ts'
import { writeWhole } from '../output-folder.ts'
import { headlineOf } from '../headline.ts'
import {
  comparison,
  evidenceAnnex,
  glossary,
  missing,
  proof,
  requirementsAnnex,
  signOff,
  statementsAnnex,
} from './annexes.ts'
import { code, digest, linkItems, renderPage, safe, section } from '../html/frame.ts'
import { created, figures, notShown, untested } from './observations.ts'
import { cover } from './cover.ts'
import { coverage, exceptions, findings, summary } from './sections.ts'
import { durationText } from '../terminal/text.ts'
import { instantText } from './summary.ts'
import { history } from './history.ts'
import type { Report } from '../schema.ts'
import { complianceDocument, type ComplianceDocument, type Sources } from './document.ts'

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
    ['Address', target.baseUrl === 'embedded' ? 'none: the bank is part of the suite' : code(target.baseUrl)],
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
            html`${suite.ownChecks.title}, folder ${suite.ownChecks.folder}, ${digest(suite.ownChecks.digest)}`,
          ] as const,
        ]),
    ['Catalogue (SHA-256)', digest(suite.catalogueDigest)],
    ['Profile (SHA-256)', digest(target.profileDigest)],
    ['Command', code(run.command)],
    ['Seed of random values', String(run.seed)],
    ['Run', code(run.id)],
  ]
}

const run = ({ report }: ComplianceDocument) =>
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
  </table>`

interface Section {
  readonly id: string
  readonly title: string
  /** Empty text if it is left out. */
  readonly content: (document: ComplianceDocument) => unknown
  readonly isNewPage?: (document: ComplianceDocument) => boolean
}

const always = (): boolean => true

const SECTIONS: readonly Section[] = [
  { id: 'summary', title: 'Summary', content: summary },
  { id: 'coverage', title: 'Coverage', content: coverage, isNewPage: always },
  { id: 'findings', title: 'Findings', content: findings, isNewPage: (one) => one.findings.length > 0 },
  { id: 'exceptions', title: 'Accepted exceptions', content: exceptions },
  { id: 'not-tested', title: 'What was not judged, and why', content: untested },
  {
    id: 'observed',
    title: 'Observed where the interface says “not shown”',
    content: notShown,
    isNewPage: always,
  },
  { id: 'created', title: 'Created at the bank, and left behind', content: created },
  { id: 'drawings', title: 'Drawings', content: figures, isNewPage: ({ drawings }) => drawings.length > 0 },
  { id: 'proof', title: 'How the checks were proved', content: proof },
  { id: 'comparison', title: 'Comparison with an earlier run', content: comparison },
  { id: 'history', title: 'Earlier runs', content: history },
  { id: 'glossary', title: 'Glossary', content: glossary },
  { id: 'run', title: 'Versions, digests and command', content: run },
  { id: 'sign-off', title: 'Sign-off', content: signOff },
  {
    id: 'statements',
    title: 'Annex A. From statements to requirements',
    content: statementsAnnex,
    isNewPage: always,
  },
  {
    id: 'requirements',
    title: 'Annex B. Requirements, checks and exchanges',
    content: requirementsAnnex,
    isNewPage: always,
  },
  { id: 'evidence', title: 'Annex C. Index of the evidence', content: evidenceAnnex, isNewPage: always },
  {
    id: 'missing',
    title: 'Annex D. What later runs need to judge more',
    content: missing,
    isNewPage: ({ report: { testable = [] } }) => testable.length > 0,
  },
]

export const renderCompliance = (document: ComplianceDocument): Promise<string> => {
  const { report } = document
  const shown = SECTIONS.flatMap(({ id, title, content, isNewPage }) => {
    const body = content(document)
    return body === '' ? [] : [{ id, title, body, isNewPage: isNewPage?.(document) ?? false }]
  })
  const links = shown.map(({ id, title }) => [id, title] as const)
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
      ${shown.map(({ body, ...one }) => section(one, body))}`,
  })
}

export const writeCompliance = async (sources: Sources, outDir: string): Promise<string> => {
  const file = join(outDir, OUTPUT.compliance)
  writeWhole(file, await renderCompliance(complianceDocument(sources, outDir)))
  return file
}
