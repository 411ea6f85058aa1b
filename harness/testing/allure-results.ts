import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../evidence/output.ts'
import type { TestResult } from 'allure-js-commons'
import type { Report } from '../report/schema.ts'

/** The Allure results in the folder of a run. @throws SyntaxError for a file that is not complete. */
export const resultsIn = (out: string): readonly TestResult[] => {
  const directory = join(out, OUTPUT.allureResults)
  return readdirSync(directory)
    .filter((name) => name.endsWith('-result.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as TestResult)
}

export const verdictIn = ({ labels }: TestResult): string | undefined =>
  labels.find(({ name }) => name === 'verdict')?.value

/** Which requirements have other verdicts in the Allure results than in the report, as if a result was lost or is there twice. */
export const resultProblems = ({ requirements }: Report, out: string): readonly string[] => {
  const results = resultsIn(out)
  const names = results.map(({ fullName = '' }) => fullName)
  const sources = results.flatMap(({ attachments }) => attachments.map(({ source }) => source))
  const others = requirements.flatMap(({ id, checks }) => {
    const reported = checks.filter(({ reason }) => reason !== 'not-selected').map(({ verdict }) => verdict)
    const shown = results
      .filter(({ fullName = '' }) => fullName.startsWith(`${id}/`))
      .flatMap((result) => verdictIn(result) ?? [])
    return reported.sort().join() === shown.sort().join()
      ? []
      : [`${id}: ${shown.join()}, not ${reported.join()}`]
  })
  return [
    ...others,
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} is there twice`),
    ...(names.includes('conclusion') ? [] : ['the conclusion is missing']),
    ...sources.filter((source) => !existsSync(join(out, OUTPUT.allureResults, source))),
  ].map((problem) => `Allure results: ${problem}`)
}
