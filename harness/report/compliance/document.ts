import { join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { traceStatements } from '../catalogue/statements.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { compare } from '../diff.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { findingsOf, type ConsequenceLookup } from './findings.ts'
import { indexEvidence, indexFiles } from './evidence-index.ts'
import type { CatalogueDocument } from '../catalogue/schema.ts'
import type { Report } from '../schema.ts'
import type { PastRun } from './history.ts'
import type { ProofSummary, ReleasedProof } from './proof.ts'

/** All that the compliance report shows, as data. */

export interface Sources {
  readonly report: Report
  readonly catalogue: Pick<CatalogueDocument, 'chapters' | 'descriptive'>
  readonly interfaceText: string
  readonly consequenceOf: ConsequenceLookup
  /** The figures of the proof that are released with the suite; undefined if there are none. */
  readonly released?: ReleasedProof | undefined
  /** What the last proofs on this machine showed; empty if there are no files of them. */
  readonly proofs: readonly ProofSummary[]
  /** Earlier runs in the file of `--history`. */
  readonly past?: readonly PastRun[]
  readonly previous?: Report | undefined
}

export interface Drawing {
  readonly file: string
  readonly svg: string
}

const drawingsIn = ({ models = [], timelines = [] }: Report, outDir: string): readonly Drawing[] =>
  [...new Set([OUTPUT.schedule, ...[...models, ...timelines].map(({ drawing }) => drawing)])]
    .filter((file) => existsSync(join(outDir, file)))
    .map((file) => ({ file, svg: readFileSync(join(outDir, file), 'utf8') }))

/** @param outDir the folder of the run, with its evidence and drawings. */
export const complianceDocument = (sources: Sources, outDir: string) => {
  const { consequenceOf, interfaceText, past = [], previous, ...shown } = sources
  const { report, catalogue } = shown
  const evidence = createEvidenceReader(join(outDir, OUTPUT.evidence))
  return {
    ...shown,
    past,
    /** The folder of the run, as `npm run show` takes it. */
    out: outDir,
    findings: findingsOf(report, ['fail', 'warn'], 'F', consequenceOf, evidence),
    /** The violations that a waiver accepts: they are shown like findings, and are none. */
    exceptions: findingsOf(report, ['waived'], 'E', consequenceOf, evidence),
    statements: traceStatements(interfaceText, catalogue),
    files: indexFiles(outDir),
    evidence: indexEvidence(outDir),
    drawings: drawingsIn(report, outDir),
    comparison: previous && { previous, result: compare(previous, report) },
  }
}

export type ComplianceDocument = ReturnType<typeof complianceDocument>
