import { isDeepStrictEqual } from 'node:util'
import { DateTime } from 'luxon'
import * as z from 'zod'
import { OUTPUT } from '../../evidence/output.ts'
import { sha256Of } from '../evidence-file.ts'
import { reportSchema, type Report } from '../schema.ts'
import type { Inputs } from './inputs-file.ts'
import type { Manifest } from './manifest.ts'

/**
 * The statement of a certificate: an in-toto Statement (v1) with the predicate "test result" (v0.1). What the predicate has
 * no place for is in its member `conformance`.
 */

/** The media type of an in-toto Statement in an envelope. */
export const STATEMENT_MEDIA_TYPE = 'application/vnd.in-toto+json'

const digest = z.looseObject({ sha256: z.string() })

const { suite, run, target, scope, counts, waivers, evidence } = reportSchema.shape

export const statementSchema = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.strictObject({ name: z.string(), digest })),
  predicateType: z.literal('https://in-toto.io/attestation/test-result/v0.1'),
  predicate: z.strictObject({
    result: z.enum(['PASSED', 'WARNED', 'FAILED']),
    /** What the run was given: the sanitized profile and the options, and the catalogue. */
    configuration: z.array(z.strictObject({ name: z.string(), digest })),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
    conformance: z.strictObject({
      suite,
      run,
      target,
      scope,
      counts,
      evidence,
      /** The checks of the run, and SHA-256 of their requirements and titles, in order, one a line. */
      plan: z.strictObject({ checks: z.int(), sha256: z.string() }),
      /** Of the judged requirements of each level, how many have which verdict. */
      levels: z.record(z.string(), z.record(z.string(), z.int())),
      waivers: waivers.unwrap(),
      /** With the offset of its zone. */
      issuedAt: z.iso.datetime({ offset: true }),
      timeZone: z.string(),
      node: z.string(),
      /** What the run was given, without secrets. */
      inputs: z.unknown(),
    }),
  }),
})

export type Statement = z.output<typeof statementSchema>

const levelsOf = ({ requirements }: Report) => {
  const levels: Record<string, Record<string, number>> = {}
  for (const { level, verdict } of requirements) {
    const own = (levels[level] ??= {})
    own[verdict] = (own[verdict] ?? 0) + 1
  }
  return levels
}

const planOf = ({ requirements }: Report) => {
  const ids = requirements.flatMap(({ id, checks }) => checks.map(({ title }) => `${id} ${title}`)).sort()
  return { checks: ids.length, sha256: sha256Of(ids.map((id) => `${id}\n`).join('')) }
}

export const statementOf = (
  report: Report,
  inputs: Inputs,
  { files }: Manifest,
  now = new Date(),
): Statement => {
  const idsWith = (...verdicts: readonly string[]): string[] =>
    report.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
  const warned = idsWith('warn', 'waived')
  const fileOf = (path: string): { sha256: string } => ({
    sha256: files.find((file) => file.path === path)?.sha256 ?? '',
  })
  const { suite, run, target, scope, counts, evidence } = report
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: report.conclusion === 'nonconforming' ? 'FAILED' : warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        { name: OUTPUT.inputs, digest: fileOf(OUTPUT.inputs) },
        { name: 'catalogue', digest: { sha256: suite.catalogueDigest } },
        ...(suite.ownChecks === undefined
          ? []
          : [{ name: `own checks: ${suite.ownChecks.folder}`, digest: { sha256: suite.ownChecks.digest } }]),
      ],
      passedTests: idsWith('pass'),
      warnedTests: warned,
      failedTests: idsWith('fail'),
      conformance: {
        suite,
        run,
        target,
        scope,
        counts,
        evidence,
        plan: planOf(report),
        levels: levelsOf(report),
        waivers: report.waivers ?? [],
        issuedAt: DateTime.fromJSDate(now).toISO() ?? '',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        node: process.version,
        inputs,
      },
    },
  }
}

/** When and where a statement was made does not follow from a report. */
const NOT_DERIVED: ReadonlySet<string> = new Set(['issuedAt', 'timeZone', 'node'])

const membersOf = ({ predicate }: Statement): Readonly<Record<string, unknown>> => {
  const { conformance, ...others } = JSON.parse(JSON.stringify(predicate)) as Statement['predicate']
  return { ...others, ...conformance }
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length <= 160 ? text : `${text.slice(0, 160)}…`
}

/** What a statement says otherwise than the one that was derived, one sentence each. The subjects are compared with the files. */
export const differencesOfStatements = (given: Statement, derived: Statement): readonly string[] => {
  const said = membersOf(given)
  return Object.entries(membersOf(derived))
    .filter(([name, value]) => !NOT_DERIVED.has(name) && !isDeepStrictEqual(said[name], value))
    .map(
      ([name, value]) =>
        `${OUTPUT.certificate}: ${name} is ${shown(said[name])}, and ${shown(value)} follows from the records`,
    )
}
