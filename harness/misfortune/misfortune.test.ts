import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startBank } from '../bank/server.ts'
import { KEPT_BYTES } from '../evidence/recorder.ts'
import { EXIT_CODES } from '../report/conclude.ts'
import { startRawServer } from './raw-server.ts'
import { rehearse } from './rehearse.ts'
import { relayTo } from './relay.ts'
import { judgedIn, reasonsIn, scratchFolders, verdictsIn, writeProfile } from './run.ts'
import { MISFORTUNES, UNANSWERED } from './servers.ts'
import * as treat from './treatments.ts'
import type { Misfortune } from './servers.ts'
import type { Rehearsed } from './rehearse.ts'

const folders = scratchFolders()

/** Short where only the deadline ends a request; else so long that no busy machine comes near it. */
const deadlineFor = ({ burden }: Pick<Misfortune, 'burden'>): number => (burden === 'hangs' ? 200 : 30_000)
const selectionFor = ({ burden }: Misfortune): readonly string[] =>
  burden === 'heavy' ? ['CON-01', 'CON-04'] : ['consent']

interface Circumstances {
  readonly requestMs?: number
  readonly runMs?: number
  readonly args?: readonly string[]
}

const certify = (url: string, only: readonly string[], circumstances: Circumstances = {}) => {
  const folder = folders()
  const { requestMs = 30_000, runMs = 60_000, args = [] } = circumstances
  const profile = writeProfile(folder, { deadlines: { requestMs, runMs } })
  return rehearse(folder, [`--base-url=${url}`, `--profile=${profile}`, ...args, '--only', ...only])
}

/** No misfortune is a violation of the target or a fault of ours. */
const blamesNobody = (remains: Rehearsed): void => {
  const blamed = judgedIn(remains).filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error')
  expect(blamed).toEqual([])
  expect(judgedIn(remains)).not.toEqual([])
}

describe('a target that from the first call on', () => {
  test.concurrent.each(MISFORTUNES)('$title', async (misfortune) => {
    const { start, ends, cause } = misfortune
    const server = await start()
    const requestMs = deadlineFor(misfortune)
    const remains = await certify(server.url, selectionFor(misfortune), { requestMs })
    await server.close()

    blamesNobody(remains)
    expect(remains.report?.conclusion).toBe(ends)
    expect(remains.exitCode).toBe(EXIT_CODES[ends])
    expect(reasonsIn(remains)).toContainEqual(expect.stringMatching(cause))
    if (ends === 'unreachable') expect(verdictsIn(remains)).toEqual(['not-reached'])
    expect(remains.evidence[0]).toMatchObject({ sender: 'probe' })
  })
})

describe('a target that answers a probe and then', () => {
  const silent = UNANSWERED.flatMap(({ treatment, ...rest }) =>
    treatment !== undefined && rest.ends === 'unreachable' ? [{ treatment, ...rest }] : [],
  )
  test.concurrent.each(silent)('$title', async ({ treatment, cause, ...misfortune }) => {
    const server = await startRawServer(treat.first(1, treat.unauthorized, treatment))
    const requestMs = deadlineFor(misfortune)
    const remains = await certify(server.url, ['consent'], { requestMs })
    await server.close()

    blamesNobody(remains)
    expect(remains.report?.conclusion).toBe('incomplete')
    expect(remains.exitCode).toBe(2)
    expect(verdictsIn(remains)).toContain('inconclusive')
    expect(reasonsIn(remains)).toContainEqual(expect.stringMatching(cause))
  })
})
