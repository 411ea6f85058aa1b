import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { startBank } from '../../bank/server.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { KEPT_BYTES } from '../../evidence/recorder.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { pace } from '../pace.ts'
import { startRawServer, type Respond } from './raw-server.ts'
import { relayTo } from './relay.ts'
import { judgedIn, run, scratchFolders, start, writeProfile } from './run.ts'
import { everyFaultInTurn, SELF_SIGNED } from './servers.ts'
import * as responses from './fault-responses.ts'

/**
 * The real command on a faulty target: it ends by itself, reports no violation, and its memory use is limited. Takes
 * about 20 s.
 */

const folders = scratchFolders()

const undo: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(undo.map((close) => close()))
})

const serve = async (respond: Respond, tls?: typeof SELF_SIGNED): Promise<string> => {
  const server = await startRawServer(respond, tls)
  undo.push(() => server.close())
  return server.url
}

const targeting = (url: string, deadlines: ProfileInput['deadlines']): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), deadlines === undefined ? {} : { deadlines })}`,
]

/** Far above four concurrent bodies of 16 MiB, and below one unpacked gzip bomb. */
const MEMORY_LIMIT_MIB = 900

describe.concurrent('the command', () => {
  test('completes its run on a target that gives each fault response in turn', async ({ expect }) => {
    const url = await serve(responses.first(1, responses.unauthorized, everyFaultInTurn))
    const selected = ['--only', 'consent', 'authorization', 'tokens', 'accounts']
    const started = start(
      folders(),
      [...targeting(url, { requestMs: Math.round(600 * pace) }), ...selected],
      {},
      [],
    )
    const ended = await started.ended()

    expect(judgedIn(ended).filter(({ verdict }) => /fail|harness-error/.test(verdict))).toEqual([])
    expect(ended).toMatchObject({ exitCode: 2, report: { conclusion: 'incomplete' } })
    expect(ended.memoryMib).toBeGreaterThan(0)
    expect(ended.memoryMib).toBeLessThan(MEMORY_LIMIT_MIB)
    const longest = Math.max(...ended.evidence.map(({ response }) => response?.body.text.length ?? 0))
    expect(longest).toBeLessThanOrEqual(KEPT_BYTES)
    for (const name of [OUTPUT.junit, OUTPUT.allureResults, join(OUTPUT.allureReport, 'index.html')])
      expect(existsSync(join(started.out, name))).toBe(true)
  })

  test('accepts a certificate of NODE_EXTRA_CA_CERTS', async ({ expect }) => {
    const bank = await startBank()
    undo.push(() => bank.close())
    const folder = folders()
    const authority = join(folder, 'authority.pem')
    writeFileSync(authority, SELF_SIGNED.cert)
    const url = await serve(relayTo(bank), SELF_SIGNED)
    const ended = await run(folder, [...targeting(url, {}), '--only', 'CON-01'], {
      NODE_EXTRA_CA_CERTS: authority,
    })
    expect(ended.exitCode).toBe(0)
  })
})
