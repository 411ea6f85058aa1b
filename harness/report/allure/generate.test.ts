import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'cheerio'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, EVIDENCE, exchange, PLAN, RESULTS, runRecord } from '../sample.ts'
import { scratch } from '../scratch.ts'
import { CHARTS } from './charts.ts'
import { startGenerator } from './generate.ts'
import { AllureReporter } from './reporter.ts'
import type { TestCase, Vitest } from 'vitest/node'
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

/** @param between is called behind each result. */
const writeResults = (outDir: string, between = (): void => undefined): void => {
  writeFileSync(join(outDir, 'evidence.jsonl'), evidence.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { suite, target } = runRecord()
  const catalogue = CATALOGUE.map((row) => ({ ...row, quote: `${row.quote} ${HOSTILE}` }))
  const reporter = new AllureReporter({ outDir, suite, target, plan: PLAN, catalogue })
  reporter.onInit({ projects: [] } as unknown as Vitest)
  for (const result of RESULTS) {
    reporter.onTestCaseResult({
      meta: () => ({ result }),
      diagnostic: () => undefined,
    } as unknown as TestCase)
    between()
  }
  reporter.onTestRunEnd()
}

const ADDRESS = /(?:https?:)?\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi

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
  readonly attachments: readonly { readonly link: { readonly id: string; readonly ext: string } }[]
}

/** The drawings that the page carries. */
interface Charts {
  readonly general: Readonly<Record<string, { readonly title: string; readonly data: object }>>
}

describe('the generated report', () => {
  test('is one page, with every check, that loads nothing from elsewhere', async () => {
    const outDir = scratch()
    const generator = startGenerator(outDir)
    writeResults(outDir)
    expect(await generator.generate('reference bank: nonconforming')).toBeUndefined()
    expect(readdirSync(join(outDir, 'allure-report'))).toEqual(['index.html'])

    const page = readFileSync(join(outDir, 'allure-report/index.html'), 'utf8')
    const $ = load(page)
    const loaded = $('[src], [href], [action], [data], [poster]')
      .map((_, element) => Object.values($(element).attr() ?? {}))
      .get()
    expect(loaded.filter((value) => /^\s*(?:https?:)?\/\//i.test(value))).toEqual([])
    expect($('meta[http-equiv="Content-Security-Policy"]').attr('content')).toContain("default-src 'none'")
    const scripts = $('script:not([src])')
      .map((_, script) => $(script).text())
      .get()
    const calls = /gtag|googletagmanager|fetch\(|sendBeacon|XMLHttpRequest/
    expect(scripts.filter((script) => calls.test(script))).toHaveLength(0)

    const program = Buffer.from(/javascript;base64,([^"]+)"/.exec(page)?.[1] ?? '', 'base64').toString('utf8')
    expect(program.length).toBeGreaterThan(100_000)
    // The names of XML's own vocabularies are no addresses that anything is loaded from.
    const addresses = [...new Set(program.match(ADDRESS))].filter((one) => one !== 'http://www.w3.org')
    expect(addresses).toEqual([])

    const data = dataOf(page)
    expect(JSON.parse(data.get('widgets/statistic.json') ?? '')).toMatchObject({
      failed: 1,
      passed: 3,
      skipped: 1,
    })
    const results = [...data]
      .filter(([name]) => name.startsWith('data/test-results/'))
      .map(([, json]) => JSON.parse(json) as { readonly descriptionHtml: string })
    expect(results).toHaveLength(5)
    for (const { descriptionHtml } of results) {
      expect(descriptionHtml).toContain('&lt;img src=')
      expect(descriptionHtml).not.toMatch(/<(?:img|script|a)\b/)
    }
    expect(scripts.join('\n').slice(0, 2_000)).toContain('"reportName":"reference bank: nonconforming"')
    expect(scripts.some((script) => script.includes('jobUid'))).toBe(false)
  })

  test('carries an exchange once, however many checks show it', async () => {
    const outDir = scratch()
    const generator = startGenerator(outDir)
    writeResults(outDir)
    expect(await generator.generate()).toBeUndefined()
    const data = dataOf(readFileSync(join(outDir, 'allure-report/index.html'), 'utf8'))
    const under = (folder: string): readonly string[] =>
      [...data.keys()].filter((name) => name.startsWith(folder))
    const shown = under('data/test-results/').flatMap((name) =>
      (JSON.parse(data.get(name) ?? '') as Shown).attachments.map(({ link: { id, ext } }) => `${id}${ext}`),
    )
    expect(shown).toHaveLength(5)
    expect(under('data/attachments/').toSorted()).toEqual(
      [...new Set(shown)].map((name) => `data/attachments/${name}`).toSorted(),
    )
    expect(under('data/attachments/')).toHaveLength(4)
  })

  test('draws what one run can show, and nothing that would need earlier ones', async () => {
    const outDir = scratch()
    const generator = startGenerator(outDir)
    writeResults(outDir)
    expect(await generator.generate()).toBeUndefined()
    const page = readFileSync(join(outDir, 'allure-report/index.html'), 'utf8')
    expect(page).toContain('"sections":["charts"]')
    const { general } = JSON.parse(dataOf(page).get('widgets/charts.json') ?? '') as Charts
    expect(Object.values(general).map(({ title }) => title)).toEqual(CHARTS.map(({ title }) => title))
    for (const { data } of Object.values(general)) expect(Object.keys(data)).not.toHaveLength(0)
  })

  test('shows what was read while results still came, and what came later', async () => {
    const outDir = scratch()
    const generator = startGenerator(outDir)
    writeResults(outDir, () => generator.read())
    expect(await generator.generate()).toBeUndefined()
    const data = dataOf(readFileSync(join(outDir, 'allure-report/index.html'), 'utf8'))
    expect(JSON.parse(data.get('widgets/statistic.json') ?? '')).toMatchObject({ total: 5 })
    expect([...data.keys()].filter((name) => name.startsWith('data/attachments/'))).toHaveLength(4)
  })

  test('is there even where nothing was tested', async () => {
    const outDir = scratch()
    expect(await startGenerator(outDir).generate()).toBeUndefined()
    expect(readdirSync(join(outDir, 'allure-report'))).toEqual(['index.html'])
  })
})

describe('where the report cannot be generated', () => {
  test('the reason comes back as a warning', async () => {
    const outDir = scratch()
    writeFileSync(join(outDir, 'allure-report'), 'a file in the way')
    const warning = await startGenerator(outDir).generate()
    expect(warning).toMatch(/^The Allure report was not generated: .*allure-report/)
    expect(warning).toContain('The verdicts are not affected')
  })

  const program = (outDir: string, code: string): string => {
    const file = join(outDir, 'program.mjs')
    writeFileSync(file, code)
    return file
  }

  test('a process that ends before its time says so', async () => {
    const outDir = scratch()
    const generator = startGenerator(outDir, program(outDir, 'throw new Error("no such module")'))
    expect(await generator.generate()).toMatch(/its process ended \(1\) [\s\S]*no such module/)
  })

  test('a process that never answers is not waited for', async () => {
    const outDir = scratch()
    const silent = program(outDir, 'process.on("message", () => undefined)')
    expect(await startGenerator(outDir, silent, 50).generate()).toContain('it took longer than 50 ms')
  })

  test('a process that is not needed ends without a report', async () => {
    const outDir = scratch()
    const generator = startGenerator(outDir)
    generator.stop()
    expect(await generator.generate()).toContain('its process ended (SIGKILL)')
    expect(readdirSync(outDir)).toEqual([])
  })
})
