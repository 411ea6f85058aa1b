import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import getPort from 'get-port'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startBank } from './bank/server.ts'
import { startRawServer } from './misfortune/raw-server.ts'
import { rehearse } from './misfortune/rehearse.ts'
import { relayTo } from './misfortune/relay.ts'
import { judgedIn, run, scratchFolders, start, verdictsIn, writeProfile } from './misfortune/run.ts'
import * as treat from './misfortune/treatments.ts'
import { loadDefects } from './proof/suspects.ts'
import type { RunningBank } from './bank/server.ts'
import type { Defect } from './bank/defect.ts'
import type { RawServer, Treat } from './misfortune/raw-server.ts'

/** What the command promises to other people's scripts: its exit codes, and its options kept to the letter. */

vi.setConfig({ testTimeout: 120_000 })

const folders = scratchFolders()

const undo: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(undo.map((close) => close()))
})

const serve = async (treatment: Treat): Promise<RawServer> => {
  const server = await startRawServer(treatment)
  undo.push(() => server.close())
  return server
}

const bankWith = async (id?: string): Promise<RunningBank> => {
  const defects: readonly Defect[] = await loadDefects()
  const defect = defects.find((each) => each.id === id)
  if (id !== undefined && defect === undefined) throw new Error(`no defect has the id ${id}`)
  const bank = await startBank(defect === undefined ? {} : { defect })
  undo.push(() => bank.close())
  return bank
}

/** The options that name a target, with a profile of its own. */
const targeting = (url: string, changes: Parameters<typeof writeProfile>[1] = {}): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), changes)}`,
]

const SHORT = { deadlines: { requestMs: 1_000, runMs: 60_000 } }

describe.concurrent('the command ends with', () => {
  test('0 where the target conforms', async ({ expect }) => {
    const ended = await run(folders(), ['--only', 'CON-01', 'CON-20'])
    expect(ended).toMatchObject({ exitCode: 0, report: { conclusion: 'conforms', exitCode: 0 } })
    expect(verdictsIn(ended)).toEqual(['pass'])
  })

  test('1 where the target does not conform', async ({ expect }) => {
    const { url } = await bankWith('consent-without-consent-id')
    const ended = await run(folders(), [...targeting(url), '--only', 'CON-01'])
    expect(ended).toMatchObject({ exitCode: 1, report: { conclusion: 'nonconforming', exitCode: 1 } })
    expect(judgedIn(ended)).toMatchObject([{ id: 'CON-01', verdict: 'fail' }])
    expect(ended.stdout).toContain('CON-01')
  })

  test('2 where something mandatory was left open', async ({ expect }) => {
    const { url } = await serve(treat.html(503))
    const ended = await run(folders(), [...targeting(url), '--only', 'consent'])
    expect(ended).toMatchObject({ exitCode: 2, report: { conclusion: 'incomplete', exitCode: 2 } })
    expect(verdictsIn(ended)).not.toContain('fail')
  })

  test('4 where the target cannot be reached', async ({ expect }) => {
    const url = `http://127.0.0.1:${await getPort()}`
    const ended = await run(folders(), [...targeting(url), '--only', 'consent'])
    expect(ended).toMatchObject({ exitCode: 4, report: { conclusion: 'unreachable', exitCode: 4 } })
    expect(verdictsIn(ended)).toEqual(['not-reached'])
    expect(ended.stderr).toContain(`${url} cannot be reached: nothing listens there (ECONNREFUSED)`)
  })

  test('5 where the suite itself fails, for instance because its folder was taken away', async ({ expect }) => {
    const folder = folders()
    const { url } = await serve((socket, call) => {
      if (call.number > 1) rmSync(join(folder, 'out'), { recursive: true, force: true })
      treat.unauthorized(socket, call)
    })
    const ended = await run(folder, [...targeting(url), '--only', 'CON-01'])
    expect(ended.exitCode).toBe(5)
    expect(ended.stderr).toContain('The harness failed; this is no verdict on the target.')
  })

  test('130 where it is interrupted, with a report of what was done', async ({ expect }) => {
    const [folder, bank] = [folders(), await bankWith()]
    const answering = treat.first(12, relayTo(bank), (socket, call) => {
      // A second one would end the process at once.
      if (call.number === 13) started.interrupt()
      treat.silence(socket, call)
    })
    const { url } = await serve(answering)
    const started = start(folder, [...targeting(url), '--only', 'consent', '--concurrency', '1'])
    const ended = await started.ended()
    expect(ended).toMatchObject({ exitCode: 130, report: { conclusion: 'interrupted', exitCode: 130 } })
    expect(verdictsIn(ended)).toEqual(expect.arrayContaining(['not-reached', 'pass']))
    expect(verdictsIn(ended)).not.toContain('fail')
    expect(verdictsIn(ended)).not.toContain('harness-error')
    expect(ended.evidence.at(-1)).toMatchObject({ fault: { cause: 'RUN_ENDED' } })
    expect(existsSync(join(started.out, 'junit.xml'))).toBe(true)
  })

  test('130 at once where it is interrupted twice', async ({ expect }) => {
    const { url } = await serve(() => {
      started.interrupt()
      started.interrupt()
    })
    const started = start(folders(), [...targeting(url), '--only', 'consent'])
    expect((await started.ended()).exitCode).toBe(130)
  })
})
