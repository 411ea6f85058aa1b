import { diskFullReason } from '../../evidence/journal.ts'
import { sealFolder, signingKeyOf } from '../../report/certificate/certificate.ts'
import type { Report } from '../../report/schema.ts'
import type { RunObserver } from '../../report/run-observer.ts'

/** Writes the manifest and the certificate of a run, after all its other files. A full disk is reported. */
export const sealOutput = (
  report: Report,
  outDir: string,
  observer: Pick<RunObserver, 'onWarning'>,
): void => {
  try {
    sealFolder(outDir, report, signingKeyOf(process.env))
  } catch (error) {
    const because = diskFullReason(error)
    if (because === undefined) throw error
    observer.onWarning(`the manifest of ${outDir} could not be written: ${because}`)
  }
}
