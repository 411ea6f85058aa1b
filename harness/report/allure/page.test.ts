import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  CATALOGUE,
  EVIDENCE,
  exchange,
  PLAN,
  RESULTS,
  sampleReport,
  scratch,
} from '../../testing/samples/reports.ts'
import { CHROMIUM } from '../../testing/installed-chromium.ts'
import { pace } from '../../testing/pace.ts'
import { writeAllurePage } from './page.ts'
import { openAllureResults } from './results.ts'
import { SLOW } from '../../testing/slow.ts'
import type { AddressInfo } from 'node:net'
import type { Locator, Page, Request } from 'playwright-core'
import type { Exchange } from '../../evidence/exchange.ts'

const HOSTILE = '<img src="http://elsewhere.example/x.png"><script src="//elsewhere.example/x.js"></script>'

/** The last exchange of the sample, with a page that would load things from elsewhere. */
const evidence: readonly Exchange[] = [
  ...EVIDENCE.slice(0, -1),
  exchange('payments/a-rejection/4', {
    response: {
      status: 200,
      headers: [['Content-Type', 'text/html']],
      body: { text: HOSTILE, bytes: HOSTILE.length },
    },
  }),
]

const writeResults = (outDir: string): void => {
  writeFileSync(join(outDir, 'evidence.jsonl'), evidence.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const catalogue = CATALOGUE.map((row) => ({ ...row, quote: `${row.quote} ${HOSTILE}` }))
  const allure = openAllureResults({ outDir, target: 'reference bank', strict: false, plan: PLAN, catalogue })
  for (const result of RESULTS) allure.add(result)
  allure.complete(sampleReport())
}

/** What the page carries for its program: `d("name", "base64")`. */
const dataOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(page.matchAll(/\bd\("([^"]+)","([^"]*)"\)/g), ([, name = '', data = '']) => [
      name,
      Buffer.from(data, 'base64').toString('utf8'),
    ]),
  )

/** A result as the page carries it. */
interface Shown {
  readonly name: string
  readonly descriptionHtml?: string
  readonly attachments: readonly { readonly link: { readonly id: string; readonly ext: string } }[]
}

/** The drawings that the page carries. */
interface Charts {
  readonly general: Readonly<Record<string, { readonly title: string; readonly data: object }>>
}

const openTab = async (): Promise<Page> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000 * pace)
  return page
}

/** Waits until the page has read its data. */
const chapterOf = async (page: Page): Promise<Locator> => {
  const chapter = page.getByText('08 payments', { exact: true }).first()
  await chapter.waitFor()
  return chapter
}

/** The page in a browser, and the requests to elsewhere that its policy did not stop. */
const open = async (file: string) => {
  const page = await openTab()
  const requests: string[] = []
  const add = (request: Request): void => {
    if (/^(?!file:|data:|blob:)/.test(request.url())) requests.push(request.url())
  }
  page.on('requestfinished', add)
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'csp') add(request)
  })
  await page.goto(pathToFileURL(file).href)
  await chapterOf(page)
  return { page, requests }
}

/** Opens a page of which the rest comes later. @returns what sends the rest. */
const openFirstPart = async (page: Page, text: string, rest: string): Promise<() => void> => {
  const server = createServer()
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const asked = once(server, 'request')
  const opened = page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    waitUntil: 'commit',
  })
  const [, response] = (await asked) as [unknown, ServerResponse]
  const at = text.indexOf(rest)
  response.writeHead(200, { 'content-type': 'text/html' }).write(text.slice(0, at))
  await opened
  return () => response.end(text.slice(at))
}

/** The bar with the conclusion stays at the top, wherever the page is scrolled to. */
const barOf = (page: Page): Promise<{ content: string; position: string; top: string }> =>
  page.evaluate(
    `(({ content, position, top }) => ({ content, position, top }))(getComputedStyle(document.body, '::before'))`,
  )

describe('the generated page', () => {
  test.runIf(CHROMIUM !== '')('shows the results, and requests nothing', SLOW, async () => {
    const outDir = scratch()
    writeResults(outDir)
    expect(await writeAllurePage(outDir, { title: 'reference bank: nonconforming' })).toBeUndefined()
    const { page, requests } = await open(join(outDir, 'allure-report/index.html'))
    // A requirement with a failed check is unfolded.
    await page.getByText('a rejected payment carries a reason code: ').click()
    await page.getByText('fail: a MUST is broken').first().waitFor()
    await page.getByText('✗ 4 GET /payments').first().click()
    await page.getByText('Response', { exact: true }).first().waitFor()
    expect(await page.title()).toContain('reference bank: nonconforming')
    expect(await barOf(page)).toEqual({
      content: '"reference bank: nonconforming"',
      position: 'fixed',
      top: '0px',
    })
    // No rate beside the conclusion.
    expect(
      await page
        .getByText(/^[\d.]+%$/)
        .filter({ visible: true })
        .count(),
    ).toBe(0)
    for (const empty of ['nav-tab-qualityGate', 'nav-tab-globalErrors', 'flaky-filter'])
      expect(await page.getByTestId(empty).isVisible()).toBe(false)
    expect(requests).toEqual([])
  })

  test.runIf(CHROMIUM !== '')('waits for its data where a browser reads it slowly', SLOW, async () => {
    const outDir = scratch()
    writeResults(outDir)
    await writeAllurePage(outDir)
    const text = readFileSync(join(outDir, 'allure-report/index.html'), 'utf8')
    const page = await openTab()
    const sendRest = await openFirstPart(page, text, 'window.allureReportDataReady = false')
    await page.waitForFunction('"allure" in window')
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
    sendRest()
    expect(await (await chapterOf(page)).isVisible()).toBe(true)
  })

  test('is one file with a policy, every check and nothing of the server that made it', async () => {
    vi.stubEnv('CI', 'true')
    vi.stubEnv('GITLAB_CI', 'true')
    vi.stubEnv('CI_JOB_URL', 'https://gitlab.example/job/1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const outDir = scratch()
    writeResults(outDir)
    const history = join(outDir, 'history.jsonl')
    expect(await writeAllurePage(outDir, { history })).toBeUndefined()
    expect(readdirSync(join(outDir, 'allure-report'))).toEqual(['index.html'])
    // One line for each run, with the results by their ids.
    expect(readFileSync(history, 'utf8').trim().split('\n')).toHaveLength(1)
    expect(readFileSync(history, 'utf8')).toContain('PAY-09')
    const text = readFileSync(join(outDir, 'allure-report/index.html'), 'utf8')
    expect(text).toMatch(/^<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"/)
    expect(text).toContain(
      '[aria-label^="Success rate"],article:has(> [role="img"][class*="styles_legend__"]){display:none!important}body::before{',
    )
    expect(text).not.toContain('gitlab.example')
    const data = dataOf(text)
    const statistic: unknown = JSON.parse(data.get('widgets/statistic.json') ?? '')
    expect(statistic).toMatchObject({ failed: 2, passed: 3, skipped: 1 })
    const results = [...data].filter(([name]) => name.startsWith('data/test-results/'))
    expect(results).toHaveLength(6)
    for (const [, json] of results) {
      const { name, descriptionHtml = '', attachments } = JSON.parse(json) as Shown
      expect(descriptionHtml.includes('&lt;img src=')).toBe(!name.startsWith('Conclusion: '))
      expect(descriptionHtml).not.toMatch(/<(?:img|script|a)\b/)
      for (const { link } of attachments)
        expect(data.has(`data/attachments/${link.id}${link.ext}`)).toBe(true)
    }
    const { general } = JSON.parse(data.get('widgets/charts.json') ?? '') as Charts
    expect(Object.values(general)).not.toHaveLength(0)
    for (const chart of Object.values(general)) expect(Object.keys(chart.data)).not.toHaveLength(0)
  })

  test('has a name of a target as text in its style', async () => {
    const outDir = scratch()
    const title = 'The "Čistá" </style><b> \\ bank: conforms (partial)'
    await writeAllurePage(outDir, { title })
    const text = readFileSync(join(outDir, 'allure-report/index.html'), 'utf8')
    expect(text.slice(0, text.indexOf('\n'))).toContain(
      String.raw`content:"The \22 Čistá\22  \3c /style\3e \3c b\3e  \5c  bank: conforms (partial)"`,
    )
  })
})

describe('a page that cannot be generated', () => {
  test('is a warning with the reason', async () => {
    const outDir = scratch()
    writeFileSync(join(outDir, 'allure-report'), 'a file in the way')
    const warning = await writeAllurePage(outDir)
    expect(warning).toMatch(/^The Allure page was not generated: .*allure-report/)
    expect(warning).toContain('The verdicts are not affected')
  })
})
