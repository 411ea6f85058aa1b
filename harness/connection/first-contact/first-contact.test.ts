import { expect, onTestFinished, test } from 'vitest'
import { makePair } from '../../testing/faults/authority.ts'
import { reasonsIn, scratchFolders, writeProfile } from '../../testing/faults/run.ts'
import { runInProcess } from '../../testing/faults/run-in-process.ts'
import { SELF_SIGNED } from '../../testing/faults/servers.ts'
import * as responses from '../../testing/faults/fault-responses.ts'
import { openFaultTargets, type FaultTargets } from '../../testing/faults/fault-targets.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The first contact, as the first step of a run. */

const folders = scratchFolders()

const targets = (): FaultTargets => {
  const opened = openFaultTargets()
  onTestFinished(() => opened.close())
  return opened
}

const certify = (url: string, changes: Partial<ProfileInput> = {}) => {
  const folder = folders()
  const profile = writeProfile(folder, changes)
  return runInProcess(folder, [`--base-url=${url}`, `--profile=${profile}`, '--only', 'CON-01'])
}

test('an unreachable target is reported with code, cause and next step', async () => {
  const url = await targets().serve(responses.unauthorized, SELF_SIGNED)
  const ended = await certify(url)
  expect(ended.exitCode).toBe(4)
  expect(reasonsIn(ended)).toEqual([
    expect.stringMatching(
      /cannot be reached: the TLS connection was not made \(DEPTH_ZERO_SELF_SIGNED_CERT\); NET-TLS-2 .*is signed by itself.*`connection\.ca`/,
    ),
  ])
})

test('a target that never answers is distinguished from one that cannot be reached', async () => {
  const ended = await certify(await targets().serve(responses.silence), { deadlines: { requestMs: 2_000 } })
  expect(reasonsIn(ended)).toEqual([expect.stringMatching(/; TGT-HTTP-1 .*`deadlines\.requestMs`/)])
})

test('a possible problem is a warning, and the run continues', async () => {
  const beds = targets()
  const pair = await makePair({ until: new Date(Date.now() + 24 * 60 * 60 * 1000) })
  const url = await beds.serve(responses.unauthorized, pair)
  const { warnings, exitCode } = await certify(url, { connection: { ca: beds.file('ca.pem', pair.cert) } })
  expect(warnings).toEqual([
    expect.stringMatching(/^warning: NET-TLS-6 The certificate expires soon: localhost/),
  ])
  expect(exitCode).toBe(2)
})

test('a bank without problems receives one request, and there is no warning', async () => {
  const { warnings, evidence, exitCode } = await certify(await targets().bank())
  expect(warnings).toEqual([])
  expect(evidence.filter(({ sender }) => sender === 'probe').map(({ id }) => id)).toEqual(['probe/1'])
  expect(exitCode).toBe(0)
})
