import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRedactor } from '../evidence/redaction.ts'
import { openJournal } from '../evidence/journal.ts'
import { openRecords } from '../evidence/stored/record-file.ts'
import { createEmbeddedTarget } from '../connection/embedded.ts'
import { createRemoteTarget } from '../connection/target-http.ts'
import { OUTPUT } from '../evidence/output.ts'
import { noLog, type RunLog } from './resume/run-log.ts'
import { openAuthorizationDriver } from '../session/authorization/open-driver.ts'
import { recordStrayCalls } from '../session/webhooks/sink/inbox.ts'
import { openSink, type RunningSink } from '../session/webhooks/sink/server.ts'
import { createAnnouncer } from './channels.ts'
import { sinkAddressOf } from './sink-address.ts'
import { createScenarioRunner } from './run-scenario.ts'
import type { RunInput } from './run-input.ts'
import type { RunLimits } from './run-limits.ts'
import type { Listener } from '../session/webhooks/sink/sink.ts'

export type OpenScenarioRunner = ReturnType<typeof openScenarioRunner>

const openOwnSink = async (given: RunInput, onStray: Listener): Promise<RunningSink> => {
  const opened = await openSink({ ...sinkAddressOf(given), onStray })
  const { certificate } = opened
  if (certificate !== undefined)
    writeFileSync(join(dirname(given.evidenceFile), OUTPUT.sinkCertificate), certificate)
  return opened
}

/** Runs scenarios on an open target, with a webhook sink and a journal of the exchanges. */
export const openScenarioRunner = (given: RunInput, limits: RunLimits, log: RunLog = noLog) => {
  let sink: Promise<RunningSink> | undefined
  const journal = openJournal(given.evidenceFile, given.log !== undefined)
  const records = openRecords(join(dirname(given.evidenceFile), OUTPUT.records))
  const onStray = recordStrayCalls({ journal, redactor: createRedactor(given.secrets, given.profile) })
  const target =
    given.baseUrl === undefined
      ? createEmbeddedTarget(given.profile, { seed: given.plan.seed })
      : createRemoteTarget(given.profile, given.baseUrl)
  const driver = openAuthorizationDriver(given.profile, {
    ends: limits.ends,
    folder: join(dirname(given.evidenceFile), OUTPUT.browser),
    ...(given.promptChannel !== undefined && { promptChannel: given.promptChannel }),
  })
  const pending = new Set<Promise<unknown>>()
  const runScenario = createScenarioRunner({
    target,
    journal,
    records,
    secrets: given.secrets,
    allowed: given.plan.effects,
    allowedInOtherEnvironment: given.plan.effectsElsewhere,
    concurrency: given.concurrency,
    time: given.time,
    driver,
    sink: async () => (await (sink ??= openOwnSink(given, onStray))).sink,
    limits,
    log,
    pending,
    announce: createAnnouncer(),
  })
  return {
    runScenario,
    records,
    async close() {
      // After an interruption no test waits for its scenario, which may still have settings to restore.
      await Promise.allSettled(pending)
      await driver.close()
      await target.close()
      // If it could not be opened, the verdicts say so.
      await sink?.then(
        (running) => running.close(),
        () => undefined,
      )
      journal.close()
      records.close()
    },
  }
}
