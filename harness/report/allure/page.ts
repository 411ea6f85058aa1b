import { execFile, type ExecFileException } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { OUTPUT } from '../../evidence/output.ts'
import { makeFolder } from '../../evidence/make-folder.ts'
import { writeWhole } from '../output-folder.ts'
import { headlineOf } from '../headline.ts'
import { categories, SEVERITY } from './test-result.ts'
import type { Report } from '../schema.ts'

/** The Allure page: the `allure` command turns the results into one HTML file. */

const TIMEOUT_MS = 60_000

const levels = Object.entries(SEVERITY)

/**
 * Charts that describe one run: most of the default ones compare it with earlier runs, which the page does not have, and the
 * chart of the current status shows a rate.
 */
const CHARTS = [
  {
    type: 'testResultSeverities',
    title: `Checks by level: ${levels.map(([level, severity]) => `${severity} is ${level}`).join(', ')}`,
    levels: levels.map(([, severity]) => severity),
    statuses: ['passed', 'failed', 'broken', 'skipped', 'unknown'],
    includeUnset: false,
  },
  { type: 'problemsDistribution', by: 'environment', title: 'Checks that did not pass, by chapter' },
  { type: 'durations', title: 'Duration of the checks', groupBy: 'none' },
]

const TREND = {
  type: 'statusDynamics',
  title: 'Checks of this run and earlier ones, by status',
  limit: 20,
  statuses: ['passed', 'failed', 'broken', 'skipped'],
}

/** See https://allurereport.org/docs/v3/configure/ */
const configurationFor = (history: string | undefined): object => ({
  categories: categories(),
  // Allure reads the results of earlier runs from this file, and adds those of this run to it.
  ...(history !== undefined && { historyPath: resolve(history) }),
  plugins: {
    awesome: {
      options: {
        singleFile: true,
        reportLanguage: 'en',
        groupBy: ['feature', 'story'],
        defaultSortBy: 'name,asc',
        sections: ['charts'],
        charts: history === undefined ? CHARTS : [TREND, ...CHARTS],
      },
    },
  },
})

/**
 * What a browser may load for the page: its own content only. Allure has no option that leaves out its analytics script,
 * and an exchange may carry a page of the bank with images and scripts.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' data: blob:",
  "style-src 'unsafe-inline' data:",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  'connect-src data: blob:',
  'frame-src data: blob:',
  'worker-src data: blob:',
  "form-action 'none'",
].join('; ')

/**
 * Features of Allure that a run of this suite never fills, and a rate that could be taken for the conclusion. Allure has no
 * option that leaves them out.
 */
const EMPTY = [
  ...['nav-tab-qualityGate', 'nav-tab-globalAttachments', 'nav-tab-globalErrors'],
  ...['retry-filter', 'flaky-filter', 'resolution-filter'],
].map((id) => `[data-testid="${id}"]`)

/** A bank with one violation does not conform: "99.41 %" would say that it nearly does. */
const RATES = ['[aria-label^="Success rate"]', 'article:has(> [role="img"][class*="styles_legend__"])']

const HIDING = `${[...EMPTY, ...RATES].join(',')}{display:none!important}`

/** Tags are whole, and the path of a result is below the conclusion. */
const READABLE = [
  '[data-testid="metadata-item-value"]{flex-wrap:wrap}[data-testid="metadata-item-value"]>*{flex:none;max-width:100%}',
  'body:has([data-testid="test-result-breadcrumb-button"]){padding-top:40px}',
].join('')

/** Text of a target in a style: each character that could end the text is written as its code. */
const styleText = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N} ,.:;()/-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)

/** The page opens at its first failed check, far below its title: the conclusion stays visible in the bar at the top. */
const conclusionBar = (title: string): string =>
  `body::before{content:"${styleText(title)}";${[
    'position:fixed;z-index:100;top:0;left:calc(50% + 1rem);transform:translateX(-50%);pointer-events:none',
    'display:flex;align-items:center;height:48px;width:max-content;overflow:hidden',
    'max-width:min(43rem,calc(100vw - 12rem));font:600 clamp(0.62rem,1.8vw,0.9rem)/1.2 system-ui,sans-serif',
    'color:var(--color-text-primary,currentcolor)',
  ].join(';')}}`

/**
 * The program of the page stands before the data of the page. If it starts before the browser has read the data, it asks for
 * files that do not exist, and the page stays empty. With this line it waits for the data.
 */
const WAITING = '<script>window.allureReportData={}</script>'

/** Is put before the page. A browser puts the policy into the head, and ignores the second doctype. */
const prefixFor = (title: string): string =>
  `<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${HIDING}${conclusionBar(title)}${READABLE}</style>${WAITING}\n`

export const pageTitle = (report: Report): string => `${report.target.name}: ${headlineOf(report)}`

/** The file that package.json of `allure` declares as its command. */
const commandFile = (): string => {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('allure')))
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly bin: string }
  return join(folder, bin)
}

/** Without the variables of a CI server and without a Git repository, whose addresses the page would show. */
const environmentFor = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  SystemRoot: process.env['SystemRoot'],
  HOME: folder,
  GIT_DIR: folder,
})

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { killed = false, signal, stderr = '' } = error as ExecFileException
  if (killed) return `it took longer than ${TIMEOUT_MS} ms`
  return signal ? `it was ended by ${signal}` : stderr.trim().slice(-500) || error.message
}

interface AllurePageOptions {
  readonly title?: string
  /** The file with the results of earlier runs, to which those of this run are added. */
  readonly history?: string | undefined
}

/**
 * Writes `allure-report/index.html` from the results, which must all be written. Resolves to a warning if that fails: the
 * page changes no verdict.
 */
export const writeAllurePage = async (
  outDir: string,
  { title = 'Conformance', history }: AllurePageOptions = {},
): Promise<string | undefined> => {
  const draft = mkdtempSync(join(tmpdir(), 'conformance-page-'))
  try {
    const configuration = join(draft, 'allurerc.json')
    const made = join(draft, 'page')
    const folder = join(outDir, OUTPUT.allureReport)
    writeFileSync(configuration, JSON.stringify(configurationFor(history)))
    makeFolder(folder)
    makeFolder(join(outDir, OUTPUT.allureResults))
    const options = ['--config', configuration, '--output', made, '--report-name', title]
    await promisify(execFile)(
      process.execPath,
      [commandFile(), 'generate', OUTPUT.allureResults, ...options],
      {
        cwd: resolve(outDir),
        env: environmentFor(draft),
        timeout: TIMEOUT_MS,
      },
    )
    writeWhole(join(folder, 'index.html'), prefixFor(title), readFileSync(join(made, 'index.html')))
    return undefined
  } catch (error) {
    return `The Allure page was not generated: ${reasonOf(error)}. The verdicts are not affected; ${OUTPUT.report} contains all of them.`
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
