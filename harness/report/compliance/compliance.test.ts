import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from 'cheerio/slim'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAPTERS } from '../../check/requirement.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { consequenceOf, descriptive, interfaceText as readInterface } from '../../plan/specs.ts'
import { axeFindings, CHROMIUM, describeInBrowser } from '../../testing/installed-chromium.ts'
import { exchange, EVIDENCE, REJECTION, sampleReport, scratch } from '../../testing/samples/reports.ts'
import { renderTimeLine } from '../drawing/time-line.ts'
import { documentOf } from '../catalogue/document.ts'
import { complianceDocument } from './document.ts'
import { readHistory } from './history.ts'
import { rangesOf } from './evidence-index.ts'
import { renderCompliance, writeCompliance } from './page.ts'
import { writeCompliancePdf } from './pdf.ts'
import type { Report } from '../schema.ts'
import type { ReleasedProof } from './proof.ts'

/** The compliance report of a run with a finding, an accepted exception and objects that were left behind. */

const HOSTILE = '<img src="http://elsewhere.example/x.png"><script>alert(1)</script>'

const catalogue = documentOf({ catalogue: await loadCatalogue(), descriptive })
const interfaceText = readInterface()

const LINE = {
  path: 'client',
  expected: [{ status: 'LOAN_DISBURSED', from: 120_000, to: 240_000 }],
  observed: [{ status: 'LOAN_DISBURSED', from: 170_000, to: 180_000 }],
}

const REPORT: Report = {
  ...sampleReport(),
  waivers: [
    {
      requirement: 'PAY-10',
      reason: HOSTILE,
      owner: 'payments@bank.example',
      expires: '2030-03-01',
      state: 'needed',
    },
  ],
  payments: [
    {
      orderId: 'order-1',
      status: 'ACTC',
      initiation: 'payments/a-rejection/3',
      seen: 'payments/a-rejection/4',
    },
  ],
  created: [
    {
      kind: 'consent',
      id: 'consent-1',
      scenario: 'consent/a',
      exchange: 'tokens/a-code-exchange@TPP/1',
      cleaned: false,
      because: 'the interface has no operation that deletes it',
    },
  ],
  timelines: [
    { ...LINE, scenario: 'loans/a-path', drawing: 'loan-path-client.svg', polls: [{ at: 0, status: 'NEW' }] },
  ],
}

/** An earlier run, in which a payment requirement passed and a token requirement was not judged. */
const PREVIOUS: Report = {
  ...REPORT,
  run: { ...REPORT.run, id: 'run-0', startedAt: '2029-12-24T08:30:00.000Z' },
  requirements: REPORT.requirements.map((one) => {
    if (one.id === 'PAY-09') return { ...one, verdict: 'pass' }
    return one.id === 'TOK-03' ? { ...one, verdict: 'not-tested' } : one
  }),
}

/** The same run with an exception for each violation. */
const WAIVED: Report = {
  ...REPORT,
  conclusion: 'conforms',
  gate: 'conforms',
  scope: { ...REPORT.scope, name: 'payments' },
  requirements: REPORT.requirements.map((one) =>
    one.verdict === 'fail' || one.verdict === 'warn' ? { ...one, verdict: 'waived' } : one,
  ),
  waivers: ['PAY-09', 'TOK-07'].map((requirement) => ({
    requirement,
    reason: 'It is repaired in spring.',
    owner: 'payments@bank.example',
    expires: '2030-03-01',
    state: 'needed',
  })),
}

const RELEASED: ReleasedProof = {
  suite: { version: '0.1.0', catalogueDigest: 'another' },
  revision: '0123abc',
  finishedAt: '2030-01-01T00:00:00.000Z',
  score: {
    defects: 7,
    caught: 7,
    variations: 3,
    alarms: 0,
    banks: 0,
    bankAlarms: 0,
    defectsInBanks: 0,
    caughtInBanks: 0,
    exercisedConditions: 123,
    caughtUnderConditions: 121,
    notExercised: 20,
  },
  chapters: { tokens: 7 },
}

const write = async (outDir: string, report = REPORT): Promise<string> => {
  const evidence = EVIDENCE.map((one) =>
    one.id === REJECTION.exchange
      ? exchange(one.id, {
          response: { status: 200, headers: [], body: { text: HOSTILE, bytes: HOSTILE.length } },
        })
      : one,
  )
  writeFileSync(join(outDir, 'evidence.jsonl'), evidence.map((one) => `${JSON.stringify(one)}\n`).join(''))
  writeFileSync(join(outDir, 'report.json'), JSON.stringify(report))
  writeFileSync(
    join(outDir, 'loan-path-client.svg'),
    renderTimeLine({ ...LINE, polls: [{ at: 0, status: 'NEW' }] }),
  )
  return writeCompliance(
    {
      report,
      previous: PREVIOUS,
      catalogue,
      interfaceText,
      released: RELEASED,
      proofs: [],
      consequenceOf: consequenceFor,
    },
    outDir,
  )
}

/** The sample has requirements of its own. */
const consequenceFor = (id: string) => consequenceOf(id) ?? consequenceOf('PAY-12')

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

describe('the compliance report', () => {
  test('answers the questions of an auditor, in the order of the interface', async () => {
    const $ = load(readFileSync(await write(scratch()), 'utf8'))
    const textOf = (selector: string): string => plain($(selector).text())
    expect(textOf('.cover')).toContain('The bank does not conform to the interface')
    expect(textOf('.cover')).toContain('1 January 2030, 00:00:00 UTC')
    expect(textOf('.cover .numbers')).toContain('requirements judged')
    expect(textOf('.cover .legend')).toContain('without --allow')
    expect(textOf('#summary')).toContain('There are 2 findings')
    expect(textOf('#F-01')).toContain('reasonCode: expected one of AC01, AC04, AG01 … TM01; received nothing')
    expect(textOf('#F-01')).toContain('npm test -- --only PAY-09 --seed 42')
    expect(textOf('#F-01')).toContain('does not learn why it was rejected')
    const drawn = Buffer.from($('#F-01 img').attr('src')?.split(',')[1] ?? '', 'base64').toString('utf8')
    expect(drawn).toContain('✗ reasonCode: expected one of AC01')
    expect(textOf('#exceptions')).toContain('payments@bank.example')
    expect(textOf('#exceptions')).toContain('1 March 2030')
    expect(textOf('#not-tested')).toContain('--allow pay')
    const unjudged = REPORT.requirements.filter(({ verdict }) => verdict === 'not-tested')
    expect(unjudged).not.toEqual([])
    for (const { id } of unjudged) expect($(`#${id}`).closest('section').attr('id')).toBe('not-tested')
    expect(textOf('#observed')).toContain('orderId')
    expect(textOf('#created')).toContain('the interface has no operation that deletes it')
    expect(textOf('#created tbody')).toContain('1 consent the interface has no operation')
    expect(textOf('#drawings figcaption')).toContain('the last one seen is LOAN_DISBURSED')
    expect(textOf('#comparison')).toContain('Broken: a violation that was not there before (1)')
    expect(textOf('#comparison')).toContain('Newly tested (1)')
    expect(textOf('#comparison')).toContain('24 December 2029')
    expect(textOf('#sign-off')).toContain(REPORT.run.id)
    const shown = $('#proof tbody tr td:first-child')
      .toArray()
      .map((cell) => plain($(cell).text()).toLowerCase())
    expect(shown).toEqual([...CHAPTERS])
    expect(textOf('#proof')).toContain('banks whose faults are known: 7 banks with one deliberate fault each')
    expect(textOf('#proof')).toContain(
      'version 0.1.0, revision 0123abc, with another catalogue: 7 of 7 defects were detected',
    )
    expect(textOf('#proof')).toContain(
      '121 of 123 defects under a condition that occurred were detected; 20 others did not occur.',
    )
  })

  test('says that no figures of the proof are released, if there are none', async () => {
    const outDir = scratch()
    await write(outDir)
    const sources = { report: REPORT, catalogue, interfaceText, proofs: [], consequenceOf }
    const $ = load(await renderCompliance(complianceDocument(sources, outDir)))
    expect(plain($('#proof').text())).toContain('No figures of a proof are released with this revision')
    expect($('#proof tbody td:last-child').first().text()).toBe('not known')
  })

  test('shows what an exception accepts, and denies it nowhere', async () => {
    const $ = load(readFileSync(await write(scratch(), WAIVED), 'utf8'))
    const textOf = (selector: string): string => plain($(selector).text())
    expect(textOf('.cover .headline')).toBe(
      'The bank conforms to the scope “payments” of the interface, with 2 accepted exceptions',
    )
    expect(textOf('#summary')).toContain(
      '2 mandatory requirements were judged; 1 was seen broken, of which 1 is accepted for a time.',
    )
    expect(textOf('#summary')).toContain(
      '1 recommended requirement was judged; 1 was seen broken, of which 1 is accepted for a time.',
    )
    expect(textOf('#findings')).toContain('broken, besides the accepted exceptions')
    expect(textOf('#exceptions')).toContain('It is repaired in spring.')
    expect(textOf('#E-01')).toContain('PAY-09')
    expect(textOf('#E-01')).toContain('expected one of AC01, AC04, AG01 … TM01; received nothing')
    expect(textOf('#E-02')).toContain('TOK-07')
  })

  test('has the earlier runs of the file of Allure', async () => {
    const outDir = scratch()
    const file = join(outDir, 'history.jsonl')
    const conclusion = { fullName: 'conclusion', labels: [{ name: 'passed', value: '7' }] }
    writeFileSync(file, `${JSON.stringify({ timestamp: 0, testResults: { conclusion } })}\nno line\n`)
    const sources = { report: REPORT, catalogue, interfaceText, proofs: [], consequenceOf }
    const past = readHistory(file)
    const $ = load(await renderCompliance(complianceDocument({ ...sources, past }, outDir)))
    const rows = $('#history tbody tr').toArray()
    expect(rows.map((row) => plain($(row).text())).at(-1)).toBe('1 January 1970, 00:00:00 UTC 7 ? ? ? ?')
    expect(rows).toHaveLength(2)
  })

  test('leads from a finding to its exchange, in the page and on the terminal', async () => {
    const outDir = scratch()
    const $ = load(readFileSync(await write(outDir), 'utf8'))
    expect(plain($('#F-01').text())).toContain(`npm run show -- payments/a-rejection/4 --out ${outDir}`)
    const link = $('#F-01 a:contains("payments/a-rejection/4")').attr('href') ?? ''
    expect(plain($(`[id="${link.slice(1)}"]`).text())).toContain('GET /payments/')
  })

  test('has a link for each step from a statement to an exchange, and each leads somewhere', async () => {
    const $ = load(readFileSync(await write(scratch()), 'utf8'))
    const ids = $('[id]')
      .toArray()
      .map((element) => $(element).attr('id') ?? '')
    expect(ids).toHaveLength(new Set(ids).size)
    const known = new Set(ids)
    const targets = $('a')
      .toArray()
      .map((element) => ($(element).attr('href') ?? '').replace(/^#/, ''))
    // The sample judges five requirements, and the catalogue has all of them.
    const judged = new Set(
      catalogue.chapters.flatMap(({ rows, notShown }) => [...rows, ...notShown].map(({ id }) => id)),
    )
    expect(targets.filter((target) => !known.has(target) && !judged.has(target))).toEqual([])
    const exchangeLink = $('#PAY-09 a').last().attr('href') ?? ''
    expect(plain($(`[id="${exchangeLink.slice(1)}"]`).text())).toContain('GET /payments/')
  })

  test('shows text of the bank as text, and digests of its files', async () => {
    const outDir = scratch()
    const page = load(readFileSync(await write(outDir), 'utf8'))
    expect(page('script, iframe, object, embed, link, [src^="http"]')).toHaveLength(0)
    expect(page('#F-01 pre').text()).toContain(HOSTILE)
    const { files } = complianceDocument(
      { report: REPORT, catalogue, interfaceText, proofs: [], consequenceOf },
      outDir,
    )
    expect(files.map(({ path }) => path)).toEqual(['evidence.jsonl', 'loan-path-client.svg', 'report.json'])
    for (const { sha256 } of files) expect(page('#evidence').text()).toContain(sha256)
  })
})

test('exchanges are listed by scenario, in ranges', () => {
  expect(rangesOf(['a/b/2', 'a/b/1', 'a/b/10', 'a/c@FAC/w1', 'a/b/3'])).toEqual([
    { scenario: 'a/b', numbers: '1–3, 10', first: '1' },
    { scenario: 'a/c@FAC', numbers: 'w1', first: 'w1' },
  ])
})

describeInBrowser('the compliance report in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(() => browser.close())

  const open = async (file: string, options: Parameters<Browser['newPage']>[0]) => {
    // The policy of the page forbids scripts, also those of this test.
    const page = await browser.newPage({ bypassCSP: true, ...options })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    return {
      page,
      requests: () => requests.filter((url) => !/^(data:|file:.*\/compliance[.]html$)/.test(url)),
    }
  }

  test.each([
    ['on a wide screen', { viewport: { width: 1280, height: 900 } }],
    ['on a telephone', { viewport: { width: 390, height: 844 } }],
    ['in the dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ] as const)('%s it fits, requests nothing, and axe finds nothing', async (_, options) => {
    const { page, requests } = await open(await write(scratch()), options)
    const { width } = options.viewport
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await axeFindings(page)).toEqual([])
    expect(requests()).toEqual([])
    await page.close()
  })

  test('it is printed on A4 with page numbers', async () => {
    const outDir = scratch()
    await write(outDir)
    expect(await writeCompliancePdf(outDir, { ...process.env, CHROMIUM_PATH: CHROMIUM })).toBeUndefined()
    const pdf = readFileSync(join(outDir, 'compliance.pdf')).toString('latin1')
    expect(pdf).toMatch(/^%PDF-/)
    // A4 in points.
    expect(pdf.match(/\/Type \/Page\n/g)?.length).toBeLessThan(20)
    expect(pdf).toMatch(/\/MediaBox\s*\[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/)
  })
})

test('without a Chromium the PDF is a warning', async () => {
  const warning = await writeCompliancePdf(scratch(), { CHROMIUM_PATH: '/nowhere/chromium' })
  expect(warning).toContain('compliance.pdf was not written')
})
