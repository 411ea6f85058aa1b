import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRedactor } from '../evidence/redaction.ts'
import { idsIn, openJournal } from '../evidence/journal.ts'
import { createEmbeddedTarget } from '../target/embedded.ts'
import { createRemoteTarget } from '../target/remote.ts'
import { OUTPUT } from '../evidence/output.ts'
import { noLog } from './resume/run-log.ts'
import { openAuthorizationDriver } from '../session/authorization/open-driver.ts'
import { recordStrayCalls } from '../session/webhooks/sink/inbox.ts'
import { openSink } from '../session/webhooks/sink/server.ts'
import { createAnnouncer } from './channels.ts'
import { listeningOf } from './listening.ts'
import { createPerformer } from './perform.ts'
import type { Certification } from './certification.ts'
import type { Course } from './course.ts'
import type { RunLog } from './resume/run-log.ts'
import type { Hear } from '../session/webhooks/sink/sink.ts'
import type { RunningSink } from '../session/webhooks/sink/server.ts'
import type { Performer } from './perform.ts'

/** Where scenarios are done: the target with its connections, the sink of its calls, and the journal of what passes. */
export interface Stage {
  readonly perform: Performer
  close(): Promise<void>
}

const openOwnSink = async (given: Certification, onStray: Hear): Promise<RunningSink> => {
  const opened = await openSink({ ...listeningOf(given), onStray })
  const { certificate } = opened
  if (certificate !== undefined)
    writeFileSync(join(dirname(given.evidenceFile), OUTPUT.sinkCertificate), certificate)
  return opened
}

export const openStage = (given: Certification, course: Course, log: RunLog = noLog): Stage => {
  let sink: Promise<RunningSink> | undefined
  const journal = openJournal(given.evidenceFile, given.log === undefined ? [] : idsIn(given.evidenceFile))
  const onStray = recordStrayCalls({ journal, redactor: createRedactor(given.secrets) })
  const target =
    given.baseUrl === undefined
      ? createEmbeddedTarget(given.profile)
      : createRemoteTarget(given.profile, given.baseUrl)
  const driver = openAuthorizationDriver(given.profile, {
    ends: course.ends,
    folder: join(dirname(given.evidenceFile), OUTPUT.browser),
    ...(given.desk !== undefined && { desk: given.desk }),
  })
  const visitors = new Set<Promise<unknown>>()
  const perform = createPerformer({
    target,
    journal,
    secrets: given.secrets,
    allowed: given.plan.effects,
    allowedElsewhere: given.plan.effectsElsewhere,
    concurrency: given.concurrency,
    time: given.time,
    driver,
    sink: async () => (await (sink ??= openOwnSink(given, onStray))).sink,
    course,
    log,
    visitors,
    announce: createAnnouncer(),
  })
  return {
    perform,
    async close() {
      // Whoever was interrupted is not waited for by a test any more, and may have something to put back.
      await Promise.allSettled(visitors)
      await driver.close()
      await target.close()
      // One that could not be opened has said so in the verdicts.
      await sink?.then(
        (running) => running.close(),
        () => undefined,
      )
      journal.close()
    },
  }
}
