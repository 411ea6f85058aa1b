import { statSync } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../evidence/output.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { problemOfReport, reportSchema, type Report } from './schema.ts'
import { messageOf } from '../evidence/errors.ts'
import { MOST_OF_A_RUN, readInputFile } from '../evidence/input-file.ts'

/** Reads the report of an earlier run that a person names. */

const fileOf = (given: string): string => {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(given, OUTPUT.report) : given
}

const textOf = (given: string): string => {
  try {
    return readInputFile(fileOf(given), MOST_OF_A_RUN)
  } catch (error) {
    throw new ConfigurationError(
      `${given}: the report ${messageOf(error)}; pass the folder that was given as --out`,
    )
  }
}

const jsonIn = (given: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(`${given}: not a report.json (${messageOf(error)})`)
  }
}

/**
 * @param given the folder of a run, or its report.json.
 * @throws ConfigurationError if there is no report of this version.
 */
export const readReport = (given: string): Report => {
  const data = jsonIn(given, textOf(given))
  const problem = problemOfReport(data)
  if (problem !== undefined) throw new ConfigurationError(`${given}: ${problem}`)
  return reportSchema.parse(data)
}

/** The report in the folder of a run; undefined if there is none, or one of another version. */
export const findReport = (folder: string): Report | undefined => {
  try {
    return readReport(folder)
  } catch {
    return undefined
  }
}
