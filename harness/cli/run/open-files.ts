import { ConfigurationError } from '../../profile/configuration-error.ts'
import { isObject } from '../../evidence/json.ts'
import { fieldOf } from '../../evidence/record/answer.ts'

/** A run loads modules in several threads, and opens connections and files. Node reports the lack of files otherwise. */
const FEWEST_FILES = 256

/** @throws ConfigurationError if the shell lets a process open too few files. Windows has no such limit. */
export const refuseFewFiles = (report: unknown = process.report.getReport()): void => {
  const files = isObject(report) ? fieldOf(report, 'userLimits.open_files.soft') : undefined
  if (typeof files === 'number' && files < FEWEST_FILES)
    throw new ConfigurationError(
      `this shell lets a process open ${files} files, and a run needs ${FEWEST_FILES}; set \`ulimit -n 1024\` first`,
    )
}
