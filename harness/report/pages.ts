import { join } from 'node:path'
import { quoteArgument, typed } from '../evidence/command-names.ts'
import { messageOf } from '../evidence/errors.ts'
import { OUTPUT } from '../evidence/output.ts'
import { consequenceOf, descriptive, interfaceText } from '../plan/specs.ts'
import { pageTitle, writeAllurePage } from './allure/page.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { Report } from './schema.ts'

/** Generates the pages of a run, after its summary, since they take seconds: the compliance report and the Allure page. */

export interface PageOptions {
  readonly pages: boolean
  readonly pdf: boolean
  /** The file in which Allure keeps the results of earlier runs. */
  readonly history?: string | undefined
}

interface Given extends PageOptions {
  readonly catalogue: Catalogue
  /** The report of the earlier run with which the compliance report compares this one. */
  readonly previous: Report | undefined
}

/** @returns warnings. */
const writeComplianceReport = async (
  report: Report,
  out: string,
  { catalogue, pdf, previous, history }: Given,
): Promise<readonly string[]> => {
  try {
    const { writeCompliance } = await import('./compliance/page.ts')
    const { documentOf } = await import('./catalogue/document.ts')
    const { readHistory } = await import('./compliance/history.ts')
    const { readLocalProofs, readReleasedProof } = await import('./compliance/proof.ts')
    const file = await writeCompliance(
      {
        report,
        previous,
        consequenceOf,
        catalogue: documentOf({ catalogue, descriptive }),
        interfaceText: interfaceText(),
        released: readReleasedProof(),
        proofs: readLocalProofs(),
        past: history === undefined ? [] : readHistory(history),
      },
      out,
    )
    console.log(file)
    if (!pdf) return []
    const { writeCompliancePdf } = await import('./compliance/pdf.ts')
    const warning = await writeCompliancePdf(out)
    if (warning !== undefined) return [warning]
    console.log(join(out, OUTPUT.compliancePdf))
    return []
  } catch (error) {
    return [
      `${OUTPUT.compliance} was not written: ${messageOf(error)}. The verdicts are not affected; ${OUTPUT.report} contains all of them.`,
    ]
  }
}

const writeAllure = async (report: Report, out: string, { history }: Given): Promise<readonly string[]> => {
  if (report.conclusion === 'interrupted')
    return [`The Allure page was not generated; to generate it: ${typed('report', quoteArgument(out))}`]
  const warning = await writeAllurePage(out, { title: pageTitle(report), history })
  if (warning !== undefined) return [warning]
  console.log(join(out, OUTPUT.allureReport, 'index.html'))
  return []
}

export const writePages = async (report: Report, out: string, given: Given): Promise<void> => {
  if (!given.pages) return
  for (const [text, write] of [
    ['writing the compliance report', writeComplianceReport],
    ['generating the Allure page', writeAllure],
  ] as const) {
    const progress = process.stderr.isTTY
      ? (await import('ora')).default({ text, discardStdin: false })
      : undefined
    if (progress === undefined) console.error(text)
    progress?.start()
    const warnings = await write(report, out, given)
    progress?.stop()
    for (const warning of warnings) console.error(warning)
  }
}
