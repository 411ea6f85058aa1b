import { openJournal } from '../evidence/journal.ts'
import { createEmbeddedTarget } from '../target/embedded.ts'
import { createRemoteTarget } from '../target/remote.ts'
import { openSink } from '../sink/server.ts'
import { listeningOf } from './listening.ts'
import { createPerformer } from './perform.ts'
import type { Certification } from './certification.ts'
import type { Course } from './course.ts'
import type { RunningSink } from '../sink/server.ts'
import type { Performer } from './perform.ts'

/** Where scenarios are done: the target with its connections, the sink of its calls, and the journal of what passes. */
export interface Stage {
  readonly perform: Performer
  close(): Promise<void>
}

export const openStage = (given: Certification, course: Course): Stage => {
  let sink: Promise<RunningSink> | undefined
  const journal = openJournal(given.evidenceFile)
  const target =
    given.baseUrl === undefined
      ? createEmbeddedTarget(given.profile)
      : createRemoteTarget(given.profile, given.baseUrl)
  const perform = createPerformer({
    target,
    journal,
    secrets: given.secrets,
    allowed: given.plan.effects,
    concurrency: given.concurrency,
    time: given.time,
    sink: async () => (await (sink ??= openSink(listeningOf(given)))).sink,
    course,
  })
  return {
    perform,
    async close() {
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
