import { join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { traceStatements, type TracedStatement } from '../catalogue/statements.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { compare, type Comparison } from '../diff.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { findingsOf, type ConsequenceLookup, type Finding } from './findings.ts'
import { indexEvidence, indexFiles, type IndexedFile, type IndexedScenario } from './evidence-index.ts'
import type { CatalogueDocument } from '../catalogue/schema.ts'
import type { Report } from '../schema.ts'
import type { PastRun } from './history.ts'
import type { ProofSummary, ReleasedProof } from './proof.ts'

/** All that the compliance report shows, as data. */

export interface Sources {
  readonly report: Report
  readonly catalogue: Pick<CatalogueDocument, 'chapters' | 'descriptive'>
  /** The text of interface.md. */
  readonly interfaceText: string
  readonly consequenceOf: ConsequenceLookup
  /** The figures of the proof that are released with the suite; undefined if there are none. */
  readonly released?: ReleasedProof | undefined
  /** What the last proofs on this machine showed; empty if there are no files of them. */
  readonly proofs: readonly ProofSummary[]
  /** Earlier runs in the file of `--history`. */
  readonly past?: readonly PastRun[]
  /** The report of an earlier run. */
  readonly previous?: Report | undefined
}

export interface Drawing {
  /** `payment-model.svg` */
  readonly file: string
  readonly svg: string
}

export interface ComplianceDocument
  extends Pick<Sources, 'report' | 'catalogue' | 'proofs'>, Required<Pick<Sources, 'past' | 'released'>> {
  /** The folder of the run, as `npm run show` takes it. */
  readonly out: string
  readonly findings: readonly Finding[]
  /** The violations that a waiver accepts: they are shown like findings, and are none. */
  readonly exceptions: readonly Finding[]
  readonly statements: readonly TracedStatement[]
  readonly files: readonly IndexedFile[]
  readonly evidence: readonly IndexedScenario[]
  readonly drawings: readonly Drawing[]
  readonly comparison?: { readonly previous: Report; readonly result: Comparison }
}

const drawingsIn = ({ models = [], timelines = [] }: Report, outDir: string): readonly Drawing[] =>
  [...new Set([OUTPUT.schedule, ...[...models, ...timelines].map(({ drawing }) => drawing)])]
    .filter((file) => existsSync(join(outDir, file)))
    .map((file) => ({ file, svg: readFileSync(join(outDir, file), 'utf8') }))

/** @param outDir the folder of the run, with its evidence and drawings. */
export const complianceDocument = (sources: Sources, outDir: string): ComplianceDocument => {
  const { report, catalogue, proofs, released, past = [], previous, consequenceOf } = sources
  const evidence = createEvidenceReader(join(outDir, OUTPUT.evidence))
  return {
    out: outDir,
    report,
    catalogue,
    proofs,
    released,
    past,
    findings: findingsOf(report, ['fail', 'warn'], 'F', consequenceOf, evidence),
    exceptions: findingsOf(report, ['waived'], 'E', consequenceOf, evidence),
    statements: traceStatements(sources.interfaceText, catalogue),
    files: indexFiles(outDir),
    evidence: indexEvidence(outDir),
    drawings: drawingsIn(report, outDir),
    ...(previous !== undefined && { comparison: { previous, result: compare(previous, report) } }),
  }
}
