import { statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { OUTPUT } from '../evidence/output.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { reportSchema, SCHEMA, type Report } from './schema.ts'
import { messageOf } from '../evidence/errors.ts'
import { MOST_OF_A_RUN, readInputFile } from '../evidence/input-file.ts'

/** Reads the report of an earlier run that a person names. */

const textOf = (given: string): string => {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  try {
    return readInputFile(isFolder ? join(given, OUTPUT.report) : given, MOST_OF_A_RUN)
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

const otherVersion = z.object({ schema: z.number().refine((schema) => schema !== SCHEMA) })

/**
 * @param given the folder of a run, or its report.json.
 * @throws ConfigurationError if there is no report of this version.
 */
export const readReport = (given: string): Report => {
  const data = jsonIn(given, textOf(given))
  const parsed = reportSchema.safeParse(data)
  if (parsed.success) return parsed.data
  const other = otherVersion.safeParse(data)
  throw new ConfigurationError(
    other.success
      ? `${given}: it has schema ${other.data.schema}, and this version reads schema ${SCHEMA}: use the version of the suite that wrote it, or run the checks again`
      : `${given}: not a report.json of this version\n${z.prettifyError(parsed.error)}`,
  )
}

/** The report in the folder of a run; undefined if there is none, or one of another version. */
export const findReport = (folder: string): Report | undefined => {
  try {
    return readReport(folder)
  } catch {
    return undefined
  }
}
