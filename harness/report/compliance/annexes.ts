import { chapterName } from '../chapter-titles.ts'
import { html } from 'hono/html'
import { plainQuote } from '../run-observer.ts'
import { quoteArgument, typed } from '../../evidence/command-names.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { DECIDED, sentenceOf } from '../conclude.ts'
import { groupBy, idRanges, plural } from '../../plan/lists.ts'
import { chaptersIn } from '../rows.ts'
import { OUTCOMES, outcomeOf, wasBegun } from './coverage.ts'
import { rangesOf, type ExchangeRange, type IndexedScenario } from './evidence-index.ts'
import { badge, code, digest, folded, requirementLinks, requirementLink, safe, table } from '../html/frame.ts'
import { requirementsTable, statementsTable, type ShownRequirement } from '../html/requirements.ts'
import { GLOSSARY } from './glossary.ts'
import { dayText, instantText } from './summary.ts'
import { movementOf, type Change } from '../diff.ts'
import type { CheckReport, RequirementReport } from '../schema.ts'
import type { ComplianceDocument } from './document.ts'
import type { ProofSummary } from './proof.ts'

/** The sections with which a reader can verify the report: proof, comparison, traceability, evidence, glossary, sign-off. */

// -- How the checks were proved

type Score = ProofSummary['score']

/** Of what was tried, what was found. */
const SCORES: readonly (readonly [tried: keyof Score, found: keyof Score, words: string])[] = [
  ['defects', 'caught', 'defects were detected'],
  ['variations', 'alarms', 'permitted variations raised an alarm'],
  ['banks', 'bankAlarms', 'composed banks raised an alarm'],
  ['defectsInBanks', 'caughtInBanks', 'defects were detected in each of several composed banks'],
  ['exercisedConditions', 'caughtUnderConditions', 'defects under a condition that occurred were detected'],
]

const scoreSentence = ({ score }: { readonly score: Score }): string =>
  SCORES.filter(([tried]) => score[tried] > 0)
    .map(([tried, found, words]) => `${score[found]} of ${score[tried]} ${words}`)
    .concat(score.notExercised > 0 ? [`${score.notExercised} others did not occur`] : [])
    .join('; ')

const releasedFigures = ({ released, report: { suite } }: ComplianceDocument) => {
  if (released === undefined)
    return html`<p>
      No figures of a proof are released with this revision of the suite. <code>npm run prove</code> makes
      them; each release of the suite is published only if the proof holds.
    </p>`
  const { suite: proved, revision, finishedAt, seed } = released
  const isOther = proved.catalogueDigest !== suite.catalogueDigest
  return html`<p>
    Released with the suite: ${dayText(finishedAt)}, version ${proved.version}, revision
    ${digest(revision)}${isOther ? ', with another catalogue' : ''}${seed === undefined ? '' : `, seed ${seed}`}:
    ${scoreSentence(released)}.
  </p>`
}

const localProofs = ({ proofs, report: { suite } }: ComplianceDocument) => {
  const own = proofs.filter(({ suite: proved }) => proved.catalogueDigest === suite.catalogueDigest)
  return own.length === 0
    ? ''
    : html`<p>Results of the proof of this catalogue on this machine:</p>
        <ul>
          ${own.map(
            (proof) => html`<li>${dayText(proof.finishedAt)} (${proof.file}): ${scoreSentence(proof)}.</li>`,
          )}
        </ul>`
}

export const proof = (document: ComplianceDocument) => {
  const { catalogue, report, released } = document
  return html`<p>
      A check that never fails would be worthless, and one that reports violations of a faultless bank would
      be harmful. Therefore the checks are tried on banks whose faults are known:
      ${released?.score.defects ?? ''} banks with one deliberate fault each, all of which must be detected by
      the checks that are meant for it, and by no others but those that see all answers of a run, and
      ${released?.score.variations ?? ''} banks that differ only in what the interface leaves open, on which
      no check may report a violation. Banks that are composed of many such differences at random are tried as
      well.
    </p>
    <p>
      This is about the suite ${report.suite.name} ${report.suite.version} with the catalogue
      ${digest(report.suite.catalogueDigest)}.
    </p>
    ${releasedFigures(document)} ${localProofs(document)}
    ${table(
      {
        caption: 'Defects by chapter',
        head: [
          'Chapter',
          { number: 'Requirements with a check' },
          { number: 'Checks' },
          { number: 'Defects' },
        ],
      },
      catalogue.chapters.map(({ chapter, counts: { checked, checks } }) => [
        chapterName(chapter, report),
        checked,
        checks,
        released?.chapters[chapter] ?? 'not known',
      ]),
    )}`
}

// -- Comparison

type Word = Change['before']

const isBroken = (verdict: Word): boolean => verdict !== 'pass' && isJudged(verdict)
const isJudged = (verdict: Word): boolean => verdict !== undefined && DECIDED.has(verdict)

const KINDS: readonly (readonly [title: string, holds: (change: Change) => boolean])[] = [
  [
    'Broken: a violation that was not there before',
    ({ before, after }) => isBroken(after) && before === 'pass',
  ],
  [
    'Fixed: a violation that is not there any more',
    ({ before, after }) => isBroken(before) && after === 'pass',
  ],
  ['Newly tested', ({ before, after, course }) => course !== 'came' && !isJudged(before) && isJudged(after)],
  [
    'No longer tested',
    ({ before, after, course }) => course !== 'went' && isJudged(before) && !isJudged(after),
  ],
  ['New in the catalogue', ({ course }) => course === 'came'],
  ['Removed from the catalogue', ({ course }) => course === 'went'],
]

const changeRow = ({ id, claim, before, after, because }: Change) => [
  after === undefined ? id : requirementLink(id),
  html`${safe(claim)}${because === undefined ? '' : html` <span class="quiet">${safe(because)}</span>`}`,
  movementOf(before, after),
]

const changeTables = (changes: readonly Change[]) => {
  const reported = KINDS.map(([title, holds]) => ({ title, own: changes.filter(holds) }))
  const rest = changes.filter((change) => !KINDS.some(([, holds]) => holds(change)))
  return [...reported, { title: 'Other changes', own: rest }]
    .filter(({ own }) => own.length > 0)
    .map(({ title, own }) =>
      table(
        { caption: `${title} (${own.length})`, head: ['Requirement', 'Claim', 'Verdict'] },
        own.map(changeRow),
      ),
    )
}

export const comparison = ({ comparison: compared, report }: ComplianceDocument) => {
  if (compared === undefined) return ''
  const { previous, result } = compared
  return html`<p>
      This run of ${instantText(report.run.startedAt)} is compared with the run of
      ${instantText(previous.run.startedAt)} (${previous.run.id}).
    </p>
    ${
      result.caveats.length === 0
        ? ''
        : html`<p>The two cannot be compared exactly:</p>
            <ul>
              ${result.caveats.map((caveat) => html`<li>${safe(caveat)}</li>`)}
            </ul>`
    }
    ${result.changes.length === 0 ? html`<p>No verdict has changed.</p>` : changeTables(result.changes)}`
}

// -- Annex A: statements

/** Of the requirements in annex B. */
type Verdicts = ReadonlyMap<string, RequirementReport>

/** The requirements by their outcome: `passed: TOK-01, TOK-02`. */
const judgedItems = (ids: readonly string[], verdicts: Verdicts) =>
  OUTCOMES.map((outcome) => ({
    outcome,
    own: ids.filter((id) => {
      const found = verdicts.get(id)
      return found !== undefined && outcomeOf(found) === outcome
    }),
  }))
    .filter(({ own }) => own.length > 0)
    .map(({ outcome, own }) => html`<li>${badge(outcome)} ${requirementLinks(own)}</li>`)

/** Statements that lead to no requirement are shown where all others are. */
const statementsIn = ({ statements, report }: ComplianceDocument, verdicts: Verdicts) =>
  statements.filter(({ judged }) =>
    judged.length === 0 ? report.scope.name !== 'partial' : judged.some(({ row }) => verdicts.has(row.id)),
  )

/** Requirements of the standards, by document and place. */
const standardRows = (verdicts: Verdicts) => {
  const ofStandards = [...verdicts.values()].filter(({ source }) => source !== 'interface')
  return [...groupBy(ofStandards, ({ source, quote }) => `${source}\n${quote}`).values()].map((own) => {
    const [{ source, place, quote }] = own
    const ids = own.map(({ id }) => id)
    return [
      html`${source}<br /><span class="quiet">${place}</span>`,
      plainQuote(quote),
      html`<ul>
        ${judgedItems(ids, verdicts)}
      </ul>`,
    ]
  })
}

export const statementsAnnex = (document: ComplianceDocument) => {
  const begun = document.report.requirements.filter(wasBegun)
  const verdicts: Verdicts = new Map(begun.map((one) => [one.id, one]))
  const shown = statementsIn(document, verdicts)
  return html`<p>
      The statements of the interface of which this run judged a requirement. Each requirement leads to its
      checks and their exchanges in <a href="#requirements">annex B</a>. The catalogue
      (<code>${typed('catalogue')}</code>) has all statements.
    </p>
    ${folded(
      plural(shown.length, 'statement'),
      statementsTable(shown, (ids) => judgedItems(ids, verdicts)),
    )}
    ${table(
      {
        caption: 'Statements of the standards that the interface refers to',
        head: ['Standard', 'Statement', 'Requirements'],
        kind: 'wide',
      },
      standardRows(verdicts),
    )}`
}

// -- Annex B: requirements

/** Checks on every answer of the run rest on exchanges of hundreds of scenarios. */
const MOST_RANGES = 3

const rangeLink = ({ scenario, numbers, first }: ExchangeRange, anchors: ReadonlyMap<string, string>) => {
  const anchor = anchors.get(scenario)
  const text = `${scenario}/${numbers}`
  return anchor === undefined
    ? html`<code>${text}</code>`
    : html`<a href="#${anchor}.${first}"><code>${text}</code></a>`
}

const exchangesOf = (ranges: readonly ExchangeRange[], anchors: ReadonlyMap<string, string>) => {
  const lines = ranges.map((range) => html`<br />${rangeLink(range, anchors)}`)
  if (lines.length <= MOST_RANGES) return lines
  const rest = plural(lines.length - MOST_RANGES, 'further scenario')
  return html`${lines.slice(0, MOST_RANGES)}<span class="only-print"><br />and ${rest}</span>
    <details class="only-screen">
      <summary>and ${rest}</summary>
      ${lines.slice(MOST_RANGES)}
    </details>`
}

const checkItem = (check: CheckReport, anchors: ReadonlyMap<string, string>) =>
  html`<li>
    ${check.verdict} <span class="quiet">${check.file}</span>
    ${check.verdict === 'pass' ? '' : html`<br />${safe(sentenceOf(check))}`}
    ${exchangesOf(rangesOf(check.exchanges), anchors)}
  </li>`

const shown = (one: RequirementReport, anchors: ReadonlyMap<string, string>): ShownRequirement => ({
  ...one,
  outcome: badge(outcomeOf(one)),
  checks: html`<ul>
    ${one.checks.map((check) => checkItem(check, anchors))}
  </ul>`,
  isLong: one.checks.length > 6,
})

export const requirementsAnnex = ({ report, evidence }: ComplianceDocument) => {
  const anchors = new Map(evidence.map(({ scenario, anchor }) => [scenario, anchor]))
  return html`<p>
      The requirements that were judged, or whose test came to no result, with their checks and the exchanges
      on which these rest. An exchange leads to <a href="#evidence">annex C</a>. <code>scenario/1–3</code> is
      short for the exchanges 1 to 3 of that scenario.
    </p>
    ${chaptersIn({ requirements: report.requirements.filter(wasBegun) }).map(([chapter, own]) =>
      folded(
        `${chapterName(chapter, report)}: ${plural(own.length, 'requirement')}`,
        requirementsTable(
          `${chapterName(chapter, report)}: requirements`,
          'Checks and exchanges',
          own.map((one) => shown(one, anchors)),
        ),
      ),
    )}`
}

// -- Annex C: evidence

const scenarioRow = ({ scenario, anchor, from, to, sha256, exchanges }: IndexedScenario) => ({
  id: anchor,
  cells: [
    code(scenario),
    exchanges.length,
    html`${instantText(from)}${from === to ? '' : html`<br />to ${instantText(to)}`}`,
    html`${digest(sha256)}
      <details class="only-screen">
        <summary>${plural(exchanges.length, 'exchange')}</summary>
        <ul class="exchanges">
          ${exchanges.map(({ number, text }) => html`<li id="${anchor}.${number}">${number}: ${safe(text)}</li>`)}
        </ul>
      </details>`,
  ],
})

export const evidenceAnnex = ({ out, files, evidence }: ComplianceDocument) =>
  html`<p>
      The digests show whether a file or a part of the evidence was changed after this report was written.
      Times are those of the bank’s clock. The whole of every request and response is in
      <code>${OUTPUT.evidence}</code>, where secrets are replaced by pseudonyms.
    </p>
    <p>
      <code>${typed('rejudge', quoteArgument(out))}</code> judges the evidence again without the bank, and
      reports what was changed since the run. If a scope was judged completely,
      <code>${OUTPUT.certificate}</code> states the digests of all files, this report included; with a
      signature, it proves them to others. To archive the run, keep <code>${OUTPUT.manifest}</code>,
      <code>${OUTPUT.certificate}</code> and the files that these list, this report included;
      <code>${OUTPUT.allureResults}</code> and <code>${OUTPUT.log}</code> need not be kept.
    </p>
    ${table(
      { caption: 'Files of this run', head: ['File', { number: 'Bytes' }, 'SHA-256'], isNamed: true },
      files.map(({ path, bytes, sha256 }) => [code(path), bytes, digest(sha256)]),
    )}
    ${folded(
      plural(evidence.length, 'scenario'),
      table(
        {
          caption: 'Exchanges by scenario',
          head: ['Scenario', { number: 'Exchanges' }, 'When', 'SHA-256 of its lines'],
          kind: 'wide',
          isNamed: true,
        },
        evidence.map(scenarioRow),
      ),
    )}`

// -- Annex D: what is missing

export const missing = ({ report: { testable = [] } }: ComplianceDocument) =>
  testable.length === 0
    ? html`<p>Nothing is missing for what was selected.</p>`
    : html`<p>Each thing once; what most requirements need comes first. A requirement may need several.</p>
        ${table(
          {
            caption: 'Missing in the profile or the command',
            head: ['Missing, and an example in the profile', 'Requirements'],
          },
          testable.map(({ sentence, example, requirements, partly }) => [
            html`${safe(sentence)}${example === undefined ? '' : html`<br />${code(example)}`}`,
            idRanges([...requirements, ...partly]).join(', '),
          ]),
        )}`

// -- Glossary and sign-off

export const glossary = () =>
  html`<dl>
    ${GLOSSARY.map(
      ([term, meaning]) =>
        html`<dt><strong>${term}</strong></dt>
          <dd>${meaning}</dd>`,
    )}
  </dl>`

const SIGNATORIES = ['Prepared by', 'Reviewed by', 'Accepted for the bank by'] as const

export const signOff = ({ report: { run, evidence } }: ComplianceDocument) =>
  html`<p>
      The signatures are about the run ${code(run.id)} of ${instantText(run.startedAt)}, whose evidence has
      the digest ${digest(evidence.sha256)}.
    </p>
    ${table(
      {
        caption: 'Signatures',
        head: ['', 'Name and role', 'Date', 'Signature'],
        kind: 'sign',
        isNamed: true,
      },
      SIGNATORIES.map((who) => [who, '', '', '']),
    )}`
