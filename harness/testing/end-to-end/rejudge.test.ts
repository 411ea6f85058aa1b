import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dsse } from '@sigstore/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeWithCurrentChecks, rejudgeFolder, type Rejudged } from '../../cli/rejudge/rejudge-folder.ts'
import { CHAIN_START } from '../../evidence/chain.ts'
import { startBankWith } from '../defective-bank.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { run, scratchFolders, start, writeProfile, type Ended } from '../faults/run.ts'
import type { Report } from '../../report/schema.ts'

/**
 * Stored evidence is judged again: the verdicts are the same, and each kind of tampering is named. One run on the embedded
 * bank is shared, and one on a target. Takes about 30 s.
 */

const folders = scratchFolders()

const pemOf = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const KEY = pemOf()

const messagesOf = ({ problems, differences }: Rejudged): readonly string[] => [
  ...problems,
  ...differences.map(
    ({ requirement = '', sentence, exchange = '' }) => `${requirement} ${sentence} ${exchange}`,
  ),
]

describe('a run on a target with a defect', () => {
  let ended: Ended
  let out: string
  beforeAll(async () => {
    const bank = await startBankWith('the-token-type-of-a-fac-is-mac')
    const folder = folders()
    const { testHooks = {} } = referenceProfile()
    ended = await run(folder, [
      ...[`--base-url=${bank.url}`, `--profile=${writeProfile(folder, { testHooks })}`],
      ...['--only', 'consent', 'TOK-01', 'TOK-05', 'ACC-01', 'ACC-26', 'WEB-10'],
    ])
    out = join(folder, 'out')
    await bank.close()
  })

  test('has the same verdicts, judged from the records, also the failed ones, and no certificate', async () => {
    expect(ended.report?.conclusion, ended.stderr).toBe('nonconforming')
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toContain('TOK-05')
    expect(ended.report?.counts.requirements.fail).toBeGreaterThan(0)
    const { problems, differences, checks, certificate } = await rejudgeFolder(out, {
      publicKey: KEY.publicKey,
    })
    expect(differences).toEqual([])
    expect(checks).toBeGreaterThan(30)
    // It covers no scope completely.
    expect([problems, certificate]).toEqual([['there is no certificate.json to verify'], undefined])
  })

  test("is judged with today's checks without a difference", async () => {
    expect(await judgeWithCurrentChecks(out, { width: 80 })).toEqual({
      text: 'no difference',
      isWorse: false,
    })
  })
})

describe('a run on the embedded bank, of a scope that it covers completely', () => {
  let original: string
  beforeAll(async () => {
    const folder = folders()
    const env = { CONFORMANCE_SIGNING_KEY: KEY.privateKey }
    const ended = await start(folder, ['--scope', 'loans'], env, []).ended()
    expect(ended.exitCode, ended.stderr).toBe(0)
    original = join(folder, 'out')
  })

  test('has the same verdicts, and a certificate with a valid signature', async () => {
    const rejudged = await rejudgeFolder(original, { publicKey: KEY.publicKey })
    expect(messagesOf(rejudged)).toEqual([])
    expect(rejudged.certificate).toContain('Reference bank conforms to loans (version 1); signed, key ')
    expect(rejudged.certificate).toContain('the signature is valid')
  })

  // -- Tampering

  const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')
  const edit = (name: string, change: (text: string) => string) => (folder: string) => {
    const text = read(folder, name)
    const changed = change(text)
    if (changed === text) throw new Error(`nothing was changed in ${name}`)
    writeFileSync(join(folder, name), changed)
  }
  const editLines = (name: string, change: (lines: string[]) => string[]) =>
    edit(name, (text) =>
      change(text.split('\n').slice(0, -1))
        .map((line) => `${line}\n`)
        .join(''),
    )
  const editReport = (change: (report: Report) => unknown) =>
    edit('report.json', (text) => {
      const report = JSON.parse(text) as Report
      change(report)
      return JSON.stringify(report)
    })
  const swapped = (lines: string[]): string[] => lines.toSpliced(4, 2, lines[5] ?? '', lines[4] ?? '')
  const changedAt =
    (at: number) =>
    (lines: string[]): string[] =>
      lines.map((line, index) => (index === at ? line.replace(/}$/, ',"x":1}') : line))
  const requirement = ({ requirements }: Report, id = 'LOA-20') => {
    const found = requirements.find((row) => row.id === id)
    if (found === undefined) throw new Error(`there is no ${id}`)
    return found
  }

  /** All digests that can be computed without the key. */
  const rewriteDigests = (folder: string): void => {
    const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
    const report = JSON.parse(read(folder, 'report.json')) as Report
    for (const name of ['evidence.jsonl', 'records.jsonl']) {
      let prev = CHAIN_START
      const lines = read(folder, name)
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const linked = line.replace(/^\{"prev":"[0-9a-f]+"/, `{"prev":"${prev}"`)
          prev = sha256(`${linked}\n`)
          return `${linked}\n`
        })
      const text = lines.join('')
      writeFileSync(join(folder, name), text)
      const digest = { bytes: Buffer.byteLength(text), sha256: sha256(text), heads: [prev] }
      if (name === 'evidence.jsonl') Object.assign(report.evidence, { exchanges: lines.length, ...digest })
      else Object.assign(report.evidence.records, { lines: lines.length, ...digest })
    }
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
    edit('manifest.json', (text) => {
      const manifest = JSON.parse(text) as { files: { path: string; bytes: number; sha256: string }[] }
      for (const file of manifest.files) {
        const bytes = readFileSync(join(folder, file.path))
        Object.assign(file, { bytes: bytes.length, sha256: sha256(bytes) })
      }
      return JSON.stringify(manifest)
    })(folder)
  }
  const consistently = (tamper: (folder: string) => void) => (folder: string) => {
    tamper(folder)
    rewriteDigests(folder)
  }

  const submission = (line: string): boolean => line.includes('applications-that-are-submitted/2"')
  const CERTIFIED = /report\.json was changed: its digest is another one in certificate\.json/

  const TAMPERING: readonly (readonly [
    what: string,
    tamper: (folder: string) => void,
    ...named: readonly RegExp[],
  ])[] = [
    [
      'a changed line of the evidence',
      editLines('evidence.jsonl', changedAt(7)),
      /^evidence\.jsonl: line 8 was changed/,
    ],
    [
      'a removed line of the evidence',
      editLines('evidence.jsonl', (lines) => lines.toSpliced(7, 1)),
      /^evidence\.jsonl: 1 of \d+ lines were removed, before line 8/,
    ],
    [
      'an added line of the evidence',
      editLines('evidence.jsonl', (lines) => lines.toSpliced(7, 0, lines[3] ?? '')),
      /^evidence\.jsonl: 1 lines were added, the first before or at line 8/,
    ],
    [
      'moved lines of the evidence',
      editLines('evidence.jsonl', swapped),
      /^evidence\.jsonl: lines were moved: line 5 was written after the line that is now line 6/,
    ],
    [
      'a changed last line of the evidence',
      editLines('evidence.jsonl', (lines) => changedAt(lines.length - 1)(lines)),
      /^evidence\.jsonl: the last line of a chain was changed/,
    ],
    [
      'a removed last line of the evidence',
      editLines('evidence.jsonl', (lines) => lines.slice(0, -1)),
      /^evidence\.jsonl: its last 1 lines were removed/,
    ],
    [
      'a line appended to the evidence',
      editLines('evidence.jsonl', (lines) => [...lines, '{}']),
      /^evidence\.jsonl: 1 lines were added/,
    ],
    [
      'a changed line of the records',
      editLines('records.jsonl', changedAt(3)),
      /^records\.jsonl: line 4 was changed/,
    ],
    [
      'a removed line of the records',
      editLines('records.jsonl', (lines) => lines.toSpliced(9, 1)),
      /^records\.jsonl: 1 of \d+ lines were removed, before line 10/,
    ],
    ['moved lines of the records', editLines('records.jsonl', swapped), /^records\.jsonl: lines were moved/],
    [
      'a report with another target, other verdicts, counts and claims',
      editReport((report) => {
        requirement(report).facets.pop()
        Object.assign(requirement(report, 'LOA-22'), { verdict: 'warn' })
        Object.assign(requirement(report, 'LOA-25').checks[0] ?? {}, { verdict: 'not-reached', because: 'x' })
        Object.assign(requirement(report, 'LOA-29'), { claim: 'whatever' })
        Object.assign(report.target, { baseUrl: 'https://other.example', environment: 'production' })
        report.counts.requirements.pass += 1
        report.exitCode = 2
        report.suite.catalogueDigest = 'f'.repeat(64)
      }),
      /^LOA-22 verdict is "warn" in report\.json, and "pass" judged from the records loans\//,
      /^LOA-25 check 1 \(".*"\): verdict is "not-reached" in report\.json, and "pass" judged/,
      /^LOA-29 claim is "whatever"/,
      /^LOA-20 facets is/,
      /^ target is/,
      /^ counts is/,
      /^ exitCode is 2 in report\.json, and 0 judged/,
      /^the catalogue is another one: ffffffffffff in the report/,
    ],
    [
      'a check left out of the report',
      editReport((report) => requirement(report).checks.pop()),
      /^LOA-20 report\.json has \d+ checks of it, and \d+ had to be judged/,
    ],
    [
      'a requirement left out of the report',
      editReport((report) => report.requirements.splice(report.requirements.indexOf(requirement(report)), 1)),
      /^LOA-20 report\.json lacks it/,
    ],
    [
      'an edited page, a removed file, and what was added',
      (folder) => {
        edit('allure-report/index.html', (text) => text.replace('</body>', '<p>certified</p></body>'))(folder)
        rmSync(join(folder, 'junit.xml'))
        mkdirSync(join(folder, 'browser'))
        for (const page of ['browser/page.png', 'approval.html']) writeFileSync(join(folder, page), '')
        mkdirSync(join(folder, 'annex'))
        symlinkSync('/etc/hostname', join(folder, 'allure-report/more'))
      },
      /^allure-report\/index\.html was changed: its digest is another one in manifest\.json/,
      /^junit\.xml is missing/,
      /^browser\/page\.png was added/,
      ...['approval.html', 'annex/', 'allure-report/more'].flatMap((name) =>
        ['manifest', 'certificate'].map(
          (list) => new RegExp(`^${name} was added.*${list}\\.json does not list it`),
        ),
      ),
    ],
    ['a missing manifest', (folder) => rmSync(join(folder, 'manifest.json')), /^manifest\.json is missing/],
    [
      'a narrowed selection',
      edit('inputs.json', (text) => text.replace('"skip": []', '"skip": ["LOA-20"]')),
      /^inputs\.json was changed/,
      /^LOA-20 report\.json has 1 checks of it, and 0 had to be judged/,
    ],
    [
      'a missing certificate',
      (folder) => rmSync(join(folder, 'certificate.json')),
      /^certificate\.json is missing: a run of the scope loans has one/,
    ],
    [
      'a changed certificate',
      edit('certificate.json', (text) => {
        const envelope = JSON.parse(text) as { payload: string }
        const payload = Buffer.from(envelope.payload, 'base64').toString().replace('"node":"', '"node":"x')
        return JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') })
      }),
      /^certificate\.json: the signature is not one of this public key/,
    ],
    [
      'a certificate without its signature',
      edit('certificate.json', (text) => JSON.stringify({ ...(JSON.parse(text) as object), signatures: [] })),
      /^certificate\.json is not signed/,
    ],
    [
      'an edited page with a new manifest',
      consistently(edit('allure-report/index.html', (text) => `${text} `)),
      /^allure-report\/index\.html was changed: its digest is another one in certificate\.json/,
    ],
    [
      'a changed answer with new digests everywhere',
      consistently(
        editLines('evidence.jsonl', (lines) =>
          lines.map((line) =>
            submission(line)
              ? line.replaceAll('applicationId', 'application').replace(/\["location",/i, '["x-location",')
              : line,
          ),
        ),
      ),
      CERTIFIED,
      /^LOA-20 check 1 .*: verdict is "pass" in report\.json, and "fail" judged from the records loans\/applications-that-are-submitted\/2$/,
    ],
    [
      'a check left out of the records with new digests everywhere',
      consistently(
        editLines('records.jsonl', (lines) =>
          lines.filter((line) => !line.includes('"kind":"check","id":"LOA-20/1"')),
        ),
      ),
      CERTIFIED,
      /^LOA-20 check 1 .*: verdict is "pass" in report\.json, and "not-reached" judged from the records/,
    ],
  ]

  test.each(TAMPERING.map(([what, tamper, ...named]) => ({ what, tamper, named })))(
    '$what is named',
    async ({ tamper, named }) => {
      const folder = folders()
      cpSync(original, folder, { recursive: true })
      tamper(folder)
      const messages = messagesOf(await rejudgeFolder(folder, { publicKey: KEY.publicKey }))
      for (const pattern of named)
        expect(messages, String(pattern)).toContainEqual(expect.stringMatching(pattern))
    },
  )

  type Members = Record<string, unknown> & { conformance: Record<string, Record<string, unknown>> }
  /** A certificate whose statement says something else, signed again with the key of the bank. */
  const signedAgain =
    (change: (predicate: Members) => void, keyid?: string) =>
    (folder: string): void =>
      edit('certificate.json', (text) => {
        const envelope = JSON.parse(text) as {
          payloadType: string
          payload: string
          signatures: { keyid: string; sig: string }[]
        }
        const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as {
          predicate: Members
        }
        change(statement.predicate)
        const payload = Buffer.from(JSON.stringify(statement))
        const sig = sign(null, dsse.preAuthEncoding(envelope.payloadType, payload), KEY.privateKey)
        const known = envelope.signatures[0]?.keyid ?? ''
        return JSON.stringify({
          ...envelope,
          payload: payload.toString('base64'),
          signatures: [{ keyid: keyid ?? known, sig: sig.toString('base64') }],
        })
      })(folder)

  test('each member of a statement that was signed again is named', async () => {
    const folder = folders()
    cpSync(original, folder, { recursive: true })
    const waiver = { requirement: 'LOA-01', reason: 'r', owner: 'o', expires: '2030-01-01', state: 'idle' }
    const lists = { configuration: [], passedTests: [], warnedTests: ['LOA-01'], failedTests: ['LOA-01'] }
    const parts = {
      suite: { version: '9.9.9' },
      run: { operator: 'Somebody' },
      target: { name: 'Another bank' },
      scope: { name: 'full' },
      evidence: { exchanges: 1 },
      plan: { checks: 1 },
    }
    const wholes = { levels: {}, waivers: [waiver], inputs: {} }
    signedAgain((predicate) => {
      Object.assign(predicate, { result: 'FAILED', ...lists })
      for (const [name, part] of Object.entries(parts)) Object.assign(predicate.conformance[name] ?? {}, part)
      const { counts = {} } = predicate.conformance
      counts['requirements'] = counts['checks']
      Object.assign(predicate.conformance, wholes)
    })(folder)
    const { problems, certificate } = await rejudgeFolder(folder, { publicKey: KEY.publicKey })
    const named = problems.map((text) => /^certificate\.json: (\w+) is .* follows/.exec(text)?.[1] ?? text)
    expect(named.sort()).toEqual(['result', 'counts', ...[lists, parts, wholes].flatMap(Object.keys)].sort())
    expect(certificate).toContain('conforms to loans (version 1)')
  })

  test('a key id that is not that of the key is named, and never printed', async () => {
    const folder = folders()
    cpSync(original, folder, { recursive: true })
    signedAgain(() => undefined, 'f'.repeat(64))(folder)
    const { problems, certificate } = await rejudgeFolder(folder, { publicKey: KEY.publicKey })
    expect(problems).toEqual([expect.stringContaining('its key id is not that of this public key')])
    expect(certificate).not.toContain('ffff')
    expect((await rejudgeFolder(folder)).certificate).not.toContain('ffff')
  })

  test("what only the pages' generator needs may be left out of a kept folder", async () => {
    const folder = folders()
    cpSync(original, folder, { recursive: true })
    rmSync(join(folder, 'allure-results'), { recursive: true })
    rmSync(join(folder, 'resume.jsonl'))
    expect(messagesOf(await rejudgeFolder(folder, { publicKey: KEY.publicKey }))).toEqual([])
  })

  test('records of another format are refused', async () => {
    const folder = folders()
    cpSync(original, folder, { recursive: true })
    edit('records.jsonl', (text) => text.replace('"format":2', '"format":1'))(folder)
    await expect(rejudgeFolder(folder)).rejects.toThrow(
      /has the format 1, and this version judges the format 2/,
    )
  })

  test('no code that a folder mentions is loaded', async () => {
    const folder = folders()
    cpSync(original, folder, { recursive: true })
    const marker = join(folder, 'was-imported')
    mkdirSync(join(folder, 'own-checks'))
    writeFileSync(
      join(folder, 'own-checks', 'requirements.mjs'),
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\n`,
    )
    const own = { folder: join(folder, 'own-checks'), title: 'Own', digest: 'f'.repeat(64) }
    editReport((report) => (report.suite.ownChecks = own))(folder)
    await expect(rejudgeFolder(folder)).rejects.toThrow(/give yours with --catalogue DIR/)
    edit('inputs.json', (text) =>
      text.replace('"strict"', `"catalogue": ${JSON.stringify(own.folder)}, "strict"`),
    )(folder)
    editReport((report) => Reflect.deleteProperty(report.suite, 'ownChecks'))(folder)
    await expect(rejudgeFolder(folder)).rejects.toThrow(/inputs\.json is damaged, or of another version/)
    expect(existsSync(marker)).toBe(false)
  })

  test('a certificate of another key is named', async () => {
    const { problems } = await rejudgeFolder(original, { publicKey: pemOf().publicKey })
    expect(problems).toEqual(['certificate.json: the signature is not one of this public key'])
  })

  afterAll(() => rmSync(original, { recursive: true, force: true }))
})
