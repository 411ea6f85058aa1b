import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { consequenceOf } from '../../../specs/shared/consequences.ts'
import { quoteArgument, typed } from '../../evidence/command-names.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { ROOT } from '../../plan/root.ts'
import { PROOFS } from '../../proof/folder.ts'
import { pageTitle, writeAllurePage } from '../../report/allure/page.ts'
import { readReport } from '../../report/read-report.ts'
import { messageOf } from '../../evidence/errors.ts'
import { loadDocument } from '../load-document.ts'
import type { Report } from '../../report/schema.ts'

/** Generates the pages of a run, after its summary, since they take seconds: the compliance report and the Allure page. */

/** The options of a run that its pages need. */
export interface PageOptions {
  /** The folder of own checks, as given; absent without them. */
  readonly catalogue: string | undefined
  /** Write the pages. */
  readonly pages: boolean
  /** Also print the compliance report as PDF. */
  readonly pdf: boolean
  /** The folder of an earlier run with which the compliance report compares this one. */
  readonly compare: string | undefined
  /** The file in which Allure keeps the results of earlier runs. */
  readonly history: string | undefined
}

/** What is read before a run begins, since the run may write into the same folder. */
interface PreparedPages extends Omit<PageOptions, 'compare'> {
  readonly previous: Report | undefined
}

/** @throws ConfigurationError if the report of the earlier run cannot be read. */
export const preparePages = ({ compare, ...options }: PageOptions): PreparedPages => ({
  ...options,
  previous: compare === undefined ? undefined : readReport(compare),
})

const complianceWarning = (error: unknown): string =>
  `${OUTPUT.compliance} was not written: ${messageOf(error)}. The verdicts are not affected; ${OUTPUT.report} contains all of them.`

/** @returns warnings. */
const writeComplianceReport = async (
  report: Report,
  out: string,
  { catalogue: own, pdf, previous }: PreparedPages,
): Promise<readonly string[]> => {
  try {
    const { writeCompliance } = await import('../../report/compliance/write.ts')
    const { readProofs } = await import('../../report/compliance/proof.ts')
    const file = await writeCompliance(
      {
        report,
        previous,
        consequenceOf,
        catalogue: await loadDocument(own),
        interfaceText: readFileSync(join(ROOT, 'specs/interface.md'), 'utf8'),
        proofs: readProofs(join(ROOT, PROOFS)),
      },
      out,
    )
    console.log(file)
    if (!pdf) return []
    const { writeCompliancePdf } = await import('../../report/compliance/pdf.ts')
    const warning = await writeCompliancePdf(out)
    if (warning !== undefined) return [warning]
    console.log(join(out, OUTPUT.compliancePdf))
    return []
  } catch (error) {
    return [complianceWarning(error)]
  }
}

const writeAllure = async (
  report: Report,
  out: string,
  { history }: PreparedPages,
): Promise<readonly string[]> => {
  if (report.conclusion === 'interrupted')
    return [`The Allure page was not generated; to generate it: ${typed('report', quoteArgument(out))}`]
  const warning = await writeAllurePage(out, { title: pageTitle(report), history })
  if (warning !== undefined) return [warning]
  console.log(join(out, OUTPUT.allureReport, 'index.html'))
  return []
}

export const generatePages = async (report: Report, out: string, pages: PreparedPages): Promise<void> => {
  if (!pages.pages) return
  for (const [text, write] of [
    ['writing the compliance report', writeComplianceReport],
    ['generating the Allure page', writeAllure],
  ] as const) {
    const progress = process.stderr.isTTY
      ? (await import('ora')).default({ text, discardStdin: false })
      : undefined
    progress?.start()
    const warnings = await write(report, out, pages)
    progress?.stop()
    for (const warning of warnings) console.error(warning)
  }
}
