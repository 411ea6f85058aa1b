import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { judgedIn, run, scratchFolders, start, writeProfile, type Ended } from '../faults/run.ts'
import { CHROMIUM, describeInBrowser } from '../installed-chromium.ts'
import { SOON } from '../pace.ts'
import { type ServerProcess, startBankProcess } from '../server-process.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { filesIn, formsOf } from '../leaks.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/**
 * A bank whose pages need scripts, judged by the real command with a real browser: the verdicts are those on the same
 * bank with plain pages over HTTP. Takes about 80 s.
 */

/** Each selection is one run; the runs are sequential. */
const SELECTIONS = [
  { title: 'grants, by redirect and on the result screen, and denials', only: ['AUT-01', 'AUT-18'] },
  { title: 'pages that show an error', only: ['AUT-16', 'AUT-38'] },
  { title: 'authorizations of payments, and the pages of loans', only: ['PAY-09', 'PAY-30', 'LOA-43'] },
]

interface RunPair {
  readonly only: readonly string[]
  readonly out: string
  readonly inBrowser: Ended
  /** On the plain pages, over HTTP. */
  readonly overHttp: Ended
}

const folders = scratchFolders()

const { authorization: plain, testHooks } = referenceProfile()
const browser = { ...plain, kind: 'browser', executable: CHROMIUM, settleMs: 1_000 } as const

const profileOf = (folder: string, authorization: ProfileInput['authorization']): string =>
  writeProfile(folder, { authorization, ...(testHooks && { testHooks }) })

const options = (bank: ServerProcess, profile: string, only: readonly string[]): readonly string[] => [
  `--base-url=${bank.url}`,
  `--profile=${profile}`,
  '--only',
  ...only,
]

const verdictsIn = (ended: Ended): readonly unknown[] =>
  judgedIn(ended).map(({ id, verdict, checks }) => ({
    id,
    verdict,
    checks: checks.map((check) => [check.title, check.verdict, check.because]),
  }))

describeInBrowser('a bank with scripted pages', () => {
  let scripted: ServerProcess
  let bank: ServerProcess
  const runs: RunPair[] = []

  const runBoth = async (only: readonly string[]): Promise<RunPair> => {
    const [folder, other] = [folders(), folders()]
    const started = start(folder, options(scripted, profileOf(folder, browser), only))
    const [inBrowser, overHttp] = await Promise.all([
      started.ended(),
      run(other, options(bank, profileOf(other, plain), only)),
    ])
    return { only, out: started.out, inBrowser, overHttp }
  }

  beforeAll(async () => {
    ;[scripted, bank] = await Promise.all([
      startBankProcess('--variation', 'the-pages-of-an-authorization-are-built-by-scripts'),
      startBankProcess(),
    ])
    for (const { only } of SELECTIONS) runs.push(await runBoth(only))
  })

  afterAll(() => Promise.all([scripted.stop(), bank.stop()]))

  const runOf = (only: readonly string[]): RunPair => {
    const found = runs.find((each) => each.only === only)
    if (found === undefined) throw new Error('there is no run of this selection')
    return found
  }

  test.each(SELECTIONS)('gets the verdicts of the same bank with plain pages: $title', ({ only }) => {
    const { inBrowser, overHttp } = runOf(only)
    expect(judgedIn(inBrowser).map(({ id }) => id)).toEqual(only)
    expect(verdictsIn(inBrowser)).toEqual(verdictsIn(overHttp))
    expect(inBrowser.exitCode).toBe(overHttp.exitCode)
    expect(inBrowser.report?.conclusion).toBe('conforms')
  })

  test('receives the requests of its pages from the customer, and no other origin receives any', () => {
    const evidence = runs.flatMap(({ inBrowser }) => inBrowser.evidence)
    const byCustomer = evidence.filter(({ sender }) => sender === 'customer')
    expect(new Set(byCustomer.map(({ operation }) => operation))).toEqual(
      new Set(['authorize', 'authorizePayment', 'selectLoanScenario']),
    )
    expect(byCustomer.some(({ request }) => request.method === 'POST')).toBe(true)
    expect(new Set(evidence.map(({ request }) => new URL(request.url).origin))).toEqual(
      new Set([scripted.url]),
    )
  })

  test('leaves no secret in any file of the runs', () => {
    const { applications, customers = [] } = referenceProfile()
    const secrets = [
      ...applications.map(({ clientSecret }) => clientSecret),
      ...customers.flatMap(({ password = [] }) => password),
    ].flatMap((value) => [...formsOf(value).keys()])
    const files = runs.flatMap(({ out }) => filesIn(out))
    expect(files.filter((file) => file.endsWith('page.png')).length).toBeGreaterThan(0)
    const leaks = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return secrets.filter((secret) => text.includes(secret)).map((secret) => `${file}: ${secret}`)
    })
    expect(leaks).toEqual([])
    const urls = runs.flatMap(({ inBrowser }) => inBrowser.evidence.map(({ request }) => request.url))
    expect(urls.filter((url) => /[?&]code=(?!\[)/.test(url))).toEqual([])
  })

  test('is not reached over HTTP', async () => {
    const folder = folders()
    const ended = await run(folder, options(scripted, profileOf(folder, plain), ['AUT-01']))
    expect(ended).toMatchObject({ exitCode: 2, report: { conclusion: 'incomplete' } })
    expect(judgedIn(ended).map(({ verdict }) => verdict)).toEqual(['not-reached'])
  })

  test('Ctrl-C ends the run and its browser', async () => {
    const folder = folders()
    const [program, pid] = [join(folder, 'browser.sh'), join(folder, 'pid')]
    writeFileSync(program, `#!/bin/sh\necho $$ > '${pid}'\nexec '${CHROMIUM}' "$@"\n`, { mode: 0o755 })
    const profile = profileOf(folder, { ...browser, executable: program })
    const started = start(folder, options(scripted, profile, ['authorization']))
    const pages = join(started.out, OUTPUT.evidence)
    await vi.waitUntil(() => existsSync(pages) && readFileSync(pages, 'utf8').includes('"customer"'), SOON)
    expect(isRunning(pid)).toBe(true)
    started.interrupt()
    expect(await started.ended()).toMatchObject({ exitCode: 130, report: { conclusion: 'interrupted' } })
    // The browser ends when its pipe is closed, which may be a moment later.
    await vi.waitUntil(() => !isRunning(pid), SOON)
    expect(isRunning(pid)).toBe(false)
  })
})

test('a missing browser ends the run before any request', async () => {
  const folder = folders()
  const missing = join(folder, 'no-browser')
  const profile = profileOf(folder, { ...browser, executable: missing })
  const ended = await run(folder, ['--base-url=http://127.0.0.1:9', `--profile=${profile}`])
  expect(ended).toMatchObject({ exitCode: 3, evidence: [] })
  expect(ended.stderr).toContain(`\`authorization.executable\` names ${JSON.stringify(missing)}`)
})

const isRunning = (pidFile: string): boolean => {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}
