import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { writeWhole } from '../output-folder.ts'
import { complianceDocument, type Sources } from './document.ts'
import { renderCompliance } from './page.ts'

/** Writes `compliance.html` beside the other reports of a run. @returns its path. */
export const writeCompliance = async (sources: Sources, outDir: string): Promise<string> => {
  const file = join(outDir, OUTPUT.compliance)
  writeWhole(file, await renderCompliance(complianceDocument(sources, outDir)))
  return file
}
