import { html } from 'hono/html'
import { chapterName } from '../chapter-titles.ts'
import { headlineOf } from '../headline.ts'
import { chaptersIn } from '../rows.ts'
import { plural } from '../../plan/lists.ts'
import { badge, classOf, requirementLink, safe } from '../html/frame.ts'
import { partsOf, totalsOf } from './coverage.ts'
import { instantText, resultOf } from './summary.ts'
import type { Report, RequirementReport } from '../schema.ts'
import type { ComplianceDocument } from './document.ts'
import type { Finding } from './findings.ts'

/** The first page of the compliance report: the conclusion, five numbers, one picture and the findings. */

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

const numbers = (report: Report) => {
  const { all } = totalsOf(report)
  return html`<dl class="numbers">
    ${[
      [`of ${plural(all.judged + all.unjudged, 'requirement')} judged`, all.judged],
      ['passed', all.passed],
      ['failed', all.failed],
      [all.accepted === 1 ? 'accepted exception' : 'accepted exceptions', all.accepted],
      ['not judged', all.unjudged],
    ].map(
      ([name, count]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${count}</dd>
        </div>`,
    )}
  </dl>`
}

const bar = (name: string, own: readonly RequirementReport[], most: number) => {
  const parts = partsOf(own)
  const label = `${name}: ${parts.map(([part, count]) => `${count} ${part}`).join(', ')}; ${own.length} in all`
  return html`<div class="row">
    <span>${name}</span>
    <span class="bar" role="img" aria-label="${label}" style="width: ${(own.length / most) * 100}%"
      >${parts.map(
        ([part, count]) => html`<span class="part ${classOf(part)}" style="flex: ${count}"></span>`,
      )}</span
    >
    <span class="count">${own.length}</span>
  </div>`
}

/** All requirements by chapter: the width of a part is the number of its requirements. */
const picture = (report: Report) => {
  const chapters = chaptersIn(report)
  const most = Math.max(...chapters.map(([, own]) => own.length))
  return html`<div class="picture">
    ${chapters.map(([chapter, own]) => bar(chapterName(chapter, report), own, most))}
    <ul class="legend">
      ${partsOf(report.requirements).map(
        ([part, count]) => html`<li><span class="key ${classOf(part)}"></span>${count} ${part}</li>`,
      )}
    </ul>
  </div>`
}

/** As many as fit on the page. */
const MOST_FINDINGS = 5

const topFindings = (findings: readonly Finding[]) => {
  const rest = findings.length - MOST_FINDINGS
  return findings.length === 0
    ? ''
    : html`<ul class="top">
        ${findings
          .slice(0, MOST_FINDINGS)
          .map(
            ({ number, severity, requirement: { id, claim } }) =>
              html`<li>
                <a href="#${number}">${number}</a> ${badge(severity)} ${requirementLink(id)} ${safe(claim)}
              </li>`,
          )}
        ${rest > 0 ? html`<li><a href="#findings">and ${plural(rest, 'further finding')}</a></li>` : ''}
      </ul>`
}

export const cover = ({ report, findings }: ComplianceDocument) => {
  const { tone, text } = resultOf(report)
  return html`<header class="cover">
    <p class="kicker">Compliance report</p>
    <h1>${safe(report.target.name)}</h1>
    <p class="about">
      Account information, payments and instalment loans, ${report.target.environment},
      ${instantText(report.run.startedAt)}
    </p>
    <div class="conclusion ${tone}">
      <p class="headline">${text}</p>
      ${[scopeLine(report), ...warnings(report)].map((line) => html`<p class="scope">${line}</p>`)}
    </div>
    ${numbers(report)} ${picture(report)} ${topFindings(findings)}
  </header>`
}
