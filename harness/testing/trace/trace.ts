import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { built, ROOT, sourceOf } from '../../plan/root.ts'
import { suite } from '../program.ts'

/**
 * `npm run trace`: runs one check of its own with the command `run`, and prints the calls of the project that lead to the
 * first line of its scenario. With `--write` they are written into docs/architecture.md.
 */

const FOLDER = join(ROOT, 'reports', 'trace')
const OWN = join(FOLDER, 'own')
const [IN_MAIN, IN_THREAD] = [join(FOLDER, 'main.txt'), join(FOLDER, 'thread.txt')]

const ROWS = `import { must, ownChapter } from 'bank-interface-conformance/check'
export const ROWS = {
  type: must('TRA-01', { claim: 'accounts have a type', quote: 'Accounts have a type.', place: '1', source: 'trace' }),
}
export default ownChapter({ title: 'Trace', about: 'Calls.', prefix: 'TRA', rows: ROWS })
`

const SPEC = `import { writeFileSync } from 'node:fs'
import { check } from 'bank-interface-conformance/check'
import { scenario } from 'bank-interface-conformance/session'
import { callChain, noteCalls } from '${pathToFileURL(built('harness/testing/trace/call-chain.ts')).href}'
import { ROWS } from './requirements.js'
noteCalls()
const accounts = scenario('accounts', { effect: 'read', as: 'TPP', needs: ['access'] }, async ({ app, access }) => {
  writeFileSync(${JSON.stringify(IN_THREAD)}, callChain().join('\\n'))
  return { list: await app.accounts('first').list((await access()).accessToken) }
})
check(ROWS.type, accounts, ({ list }) => list.header('content-type').matches(/json/, 'json'))
`

/** Frames of functions that only await a call are left out. */
const FRAME = /^at (?:(?:new )?(?:Object|Module)?\.?(\S+) \()?(?:file:\/\/)?(\/[^:)]+):\d+:\d+\)?$/

/** `harness/engine/run.ts: run`; undefined for a frame of another program. */
const callIn = (frame: string): string | undefined => {
  const [, name = '<anonymous>', file = ''] = FRAME.exec(frame.trim()) ?? []
  const source = sourceOf(file)
  if (!/^(harness|reports\/trace)\//.test(source) || source.startsWith('harness/testing/')) return undefined
  const shown = source.startsWith('reports/trace/') ? 'the scenario' : source
  return name === '<anonymous>' || shown === 'the scenario' ? shown : `${shown}: ${name}`
}

/** The outermost call first; a function that continues after an `await` is the same call. */
const callsIn = (file: string): readonly string[] => {
  const calls = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((frame) => callIn(frame) ?? [])
    .reverse()
  return [...new Set(calls)]
}

const trace = async (): Promise<string> => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(OWN, { recursive: true })
  writeFileSync(join(OWN, 'requirements.js'), ROWS)
  writeFileSync(join(OWN, 'trace.spec.js'), SPEC)
  const preload = pathToFileURL(built('harness/testing/trace/note-threads.ts')).href
  const options = ['--catalogue', OWN, '--only', 'own', '--no-pages', '--out', join(FOLDER, 'out')]
  await execa(process.execPath, ['--import', preload, ...suite('run', ...options)], {
    env: { TRACE_MAIN: IN_MAIN },
    stdin: 'ignore',
  })
  return [...callsIn(IN_MAIN), '(vitest, in a thread)', ...callsIn(IN_THREAD)].join('\n')
}

const PAGE = join(ROOT, 'docs', 'architecture.md')
/** The block that begins with the command. */
const SECTION = /(?<=```\n\$ npm run trace\n)[^`]*(?=```)/

const traced = `${await trace()}\n`
process.stdout.write(traced)
if (process.argv.includes('--write'))
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(SECTION, () => traced),
  )
