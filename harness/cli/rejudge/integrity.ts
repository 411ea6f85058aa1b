import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { examineChain, type ChainState } from '../../evidence/chain.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { changesSince, readManifest } from '../../report/certificate/manifest.ts'
import type { StoredFolder } from './stored-folder.ts'

/** Finds what was changed in the folder of a run since the run wrote it. */

interface Reported {
  readonly lines: number
  readonly heads: readonly string[]
}

const brokenAt = (name: string, { broken, lines }: ChainState, reported: Reported): string | undefined => {
  if (broken === undefined) return undefined
  const { line, follows } = broken
  if (lines < reported.lines)
    return `${name}: ${reported.lines - lines} of ${reported.lines} lines were removed, before line ${line}`
  if (lines > reported.lines)
    return `${name}: ${lines - reported.lines} lines were added, the first before or at line ${line}`
  if (follows !== undefined)
    return `${name}: lines were moved: line ${line} was written after the line that is now line ${follows}`
  return `${name}: line ${line - 1} was changed: line ${line} carries another digest of it`
}

const chainProblem = (name: string, found: ChainState, reported: Reported): string | undefined => {
  const broken = brokenAt(name, found, reported)
  if (broken !== undefined) return broken
  if (found.lines < reported.lines)
    return `${name}: its last ${reported.lines - found.lines} lines were removed: the report has ${reported.lines} lines`
  if (found.lines > reported.lines)
    return `${name}: ${found.lines - reported.lines} lines were added after line ${reported.lines}, the last one of the report`
  const at = found.heads.findIndex((head, index) => head !== reported.heads[index])
  if (at >= 0 || found.heads.length !== reported.heads.length)
    return `${name}: the last line of a chain was changed, or all lines were written again: its digest is not the one in ${OUTPUT.report}`
  return undefined
}

/** The problems of evidence, records and files, one sentence each; empty if nothing was changed. */
export const integrityProblems = ({ folder, report, evidence, records }: StoredFolder): readonly string[] => {
  const { exchanges, heads, records: reported } = report.evidence
  const chains = [
    chainProblem(OUTPUT.evidence, examineChain(evidence), { lines: exchanges, heads }),
    chainProblem(OUTPUT.records, examineChain(records), reported),
  ]
  return [...chains.filter((problem) => problem !== undefined), ...manifestProblems(folder)]
}

const manifestProblems = (folder: string): readonly string[] => {
  const manifest = readManifest(folder)
  if (manifest !== undefined) return changesSince(folder, manifest.files, OUTPUT.manifest)
  return [
    existsSync(join(folder, OUTPUT.manifest))
      ? `${OUTPUT.manifest} is damaged, or of another version`
      : `${OUTPUT.manifest} is missing: whether other files were changed is not known`,
  ]
}
