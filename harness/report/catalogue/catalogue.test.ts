import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from 'cheerio/slim'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { descriptive } from '../../../specs/shared/descriptive.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { ROOT } from '../../plan/root.ts'
import { loadDefects, loadVariations } from '../../proof/selection.ts'
import { axeFindings, CHROMIUM, describeInBrowser } from '../../testing/installed-chromium.ts'
import { sampleReport } from '../../testing/samples/reports.ts'
import { plainQuote } from '../run-observer.ts'
import { documentOf } from './document.ts'
import { renderCatalogue } from './page.ts'
import { catalogueSchema } from './schema.ts'
import { traceStatements } from './statements.ts'
import { explainRow, explainNotShown } from './terminal.ts'
import type { Row } from './schema.ts'

/** The catalogue as it is, on the page and as JSON: nothing of it is missing, and nothing is loaded. */

const sources = {
  catalogue: await loadCatalogue(),
  defects: await loadDefects(),
  variations: loadVariations(),
  descriptive,
}
const document = documentOf(sources)
const statements = traceStatements(readFileSync(join(ROOT, 'specs/interface.md'), 'utf8'), document)
const text = await renderCatalogue(document, statements)
const $ = load(text)

const { requirements, notShown, checks } = sources.catalogue
const ids = [...requirements, ...notShown].map(({ id }) => id).sort()

/** Without the line breaks of the page. */
const plain = (words: string): string => words.replaceAll(/\s+/g, ' ').trim()

const shown = new Map(
  $('tr[id]')
    .toArray()
    .map((element) => [$(element).attr('id') ?? '', plain($(element).text())]),
)

const wordsOf = (id: string): string => shown.get(id) ?? ''

describe('the document', () => {
  test('holds every row, and keeps to its schema', () => {
    const held = document.chapters.flatMap((chapter) => [...chapter.rows, ...chapter.notShown])
    expect(held.map(({ id }) => id).sort()).toEqual(ids)
    expect(catalogueSchema.parse(JSON.parse(JSON.stringify(document)))).toEqual(document)
  })

  test('holds every check and every defect that proves one', () => {
    const rows = document.chapters.flatMap((chapter) => chapter.rows)
    expect(rows.flatMap((row) => row.checks)).toHaveLength(checks.length)
    const proving = new Set(rows.flatMap((row) => row.defects.map(({ id }) => id)))
    expect([...proving].sort()).toEqual(sources.defects.map(({ id }) => id).sort())
  })

  test('gives a reason for every row without a check', () => {
    const bare = document.chapters
      .flatMap((chapter) => chapter.rows)
      .filter((row) => row.checks.length === 0 && row.because === undefined)
    expect(bare.map(({ id }) => id)).toEqual([])
  })
})

describe('the page', () => {
  test('shows every row under its id', () => {
    expect([...shown.keys()].sort()).toEqual(ids)
    expect($('tr[data-level]')).toHaveLength(ids.length)
  })

  test('shows the claim, the quote and its place for every row', () => {
    const incomplete = requirements.filter(
      ({ id, claim, quote, place, level }) =>
        ![claim, plainQuote(quote), place, level].every((words) => wordsOf(id).includes(plain(words))),
    )
    expect(incomplete.map(({ id }) => id)).toEqual([])
  })

  test('shows of every row its checks, its defects and its reading', () => {
    const incomplete = document.chapters.flatMap(({ rows }) =>
      rows.filter((row) => {
        const words = wordsOf(row.id)
        const expected = [
          ...row.checks.flatMap(({ scenario, file, needs }) => [scenario, file, ...needs]),
          ...row.defects.flatMap(({ id, title }) => [id, title]),
          row.reading ?? '',
          row.because ?? '',
        ]
        return !expected.every((each) => words.includes(plain(each)))
      }),
    )
    expect(incomplete.map(({ id }) => id)).toEqual([])
  })

  test('has no anchor that leads nowhere, and no id twice', () => {
    const all = $('[id]')
      .toArray()
      .map((element) => $(element).attr('id') ?? '')
    const links = $('a')
      .toArray()
      .map((element) => $(element).attr('href') ?? '')
    expect(links.filter((link) => !all.includes(link.replace(/^#/, '')))).toEqual([])
    expect(links.filter((link) => !link.startsWith('#'))).toEqual([])
    expect(all).toHaveLength(new Set(all).size)
  })

  test('loads nothing', () => {
    expect($('[src], link, iframe, object, embed, img, base').length).toBe(0)
    expect($('style').text()).not.toMatch(/url\(|@import/i)
    expect($('script').text()).not.toMatch(/fetch|import|XMLHttpRequest|\/\//)
    expect($('meta[http-equiv="Content-Security-Policy"]').attr('content')).toContain("default-src 'none'")
  })

  test('shows every statement of the interface', () => {
    const words = plain($('#statements').text())
    expect(statements.filter((one) => !words.includes(plain(plainQuote(one.text))))).toEqual([])
  })

  test('writes words as they are, whatever they mean elsewhere', async () => {
    const [chapter] = document.chapters
    const [row] = chapter?.rows ?? []
    if (chapter === undefined || row === undefined) throw new Error('the first chapter has rows')
    const odd = `<script>alert("1")</script> & 'two' </article>`
    const changed = { ...row, claim: odd, quote: odd, reading: odd, defects: [{ id: odd, title: odd }] }
    const page = load(await renderCatalogue({ ...document, chapters: [{ ...chapter, rows: [changed] }] }, []))
    expect(page('section script').length).toBe(0)
    expect(page('tr[data-level] td').first().text().split(odd)).toHaveLength(4)
    expect(page('.defects').text()).toContain(odd)
  })
})

const ROW: Row = {
  id: 'PAY-09',
  level: 'MUST',
  claim:
    'a rejected payment carries a reason code, and whatever else the interface asks of a rejection as such',
  quote: 'A rejected payment carries status RJCT, reasonCode, additionalInformation and statusDateTime.',
  place: 'Errors, 4',
  source: 'interface',
  reading: 'The code stands in the status record.',
  tags: [],
  checks: [
    {
      scenario: 'a payment to a malformed IBAN',
      file: 'specs/payments/rejection.spec.ts:21',
      property: true,
      effect: 'pay',
      as: 'any',
      needs: ['the payment API (payments)'],
    },
  ],
  defects: [{ id: 'reason-is-lost', title: 'A rejection has no reason.' }],
}

const [FOUND] = sampleReport().requirements.filter(({ id }) => id === ROW.id)
if (FOUND === undefined) throw new Error(`${ROW.id} is in the sample`)

test('a row is shown with its source text, checks and defects, within 80 columns', () => {
  const text = explainRow(ROW, { ...FOUND, judgedOnlyFor: 'TPP' }, { width: 80 })
  const order = [
    ...[
      'PAY-09  MUST',
      'Source text',
      'Interpretation',
      'Checked in',
      'The last run',
      'When it fails, examine',
    ],
    'Detected in 1 defect',
  ]
  expect(order.map((title) => text.indexOf(title))).toEqual(
    order.map((title) => text.indexOf(title)).toSorted((one, other) => one - other),
  )
  expect(plain(text)).toContain(
    'fail: reasonCode: expected one of AC01, AC04, AG01 … TM01, received nothing (exchange payments/a-rejection/4)',
  )
  expect(text).toContain(': fail, 1 assertion\n  facet TPP: fail, 1 assertion\n')
  expect(text).toContain('  judged for TPP only: the profile has no application of the kind FAC\n')
  expect(text).toContain('specs/payments/rejection.spec.ts:21')
  expect(text).toContain('counterexample')
  expect(text).toContain('reason-is-lost: A rejection has no reason.')
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('a row without a check says why, and gives no advice', () => {
  const text = explainRow({ ...ROW, checks: [], defects: [], because: 'it lies beyond a run' }, undefined, {
    width: 80,
  })
  expect(text).toContain('Not judged\n  it lies beyond a run')
  expect(text).not.toMatch(/When it fails|Detected in|The last run/)
})

test('a row of what is not shown has its observations', () => {
  const row = {
    id: 'PAY-U1',
    subject: 'the request body',
    quote: 'The request body: not shown.',
    place: 'Endpoints',
    recordedOf: ['an initiation'],
  }
  const text = explainNotShown(row, ['201 with a body of 4 members'], { width: 80 })
  expect(text).toContain('PAY-U1  not shown')
  expect(text).toContain('- 201 with a body of 4 members')
})

describeInBrowser('the page of the catalogue in a browser', () => {
  let browser: Browser
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    writeFileSync(join(folder, 'index.html'), text)
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  test.each([
    ['index.html', 'TOK-05', { width: 1280, height: 900 }],
    ['index.html', 'TOK-05', { width: 390, height: 844 }],
  ])(
    '%s has %s, fits its window, requests nothing, and axe finds nothing (%o)',
    async (name, id, viewport) => {
      const page = await browser.newPage({ bypassCSP: true, viewport })
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await page.goto(pathToFileURL(join(folder, name)).href)
      expect(await page.getByText(id).count()).toBeGreaterThan(0)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        viewport.width,
      )
      expect(await axeFindings(page)).toEqual([])
      expect(requests.filter((url) => !/^(data:|file:)/.test(url))).toEqual([])
      await page.close()
    },
  )
})
