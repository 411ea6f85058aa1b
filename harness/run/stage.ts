import { openJournal } from '../evidence/journal.ts'
import { createEmbeddedTarget } from '../target/embedded.ts'
import { createRemoteTarget } from '../target/remote.ts'
import { createPerformer } from './perform.ts'
import type { Certification } from './certification.ts'
import type { Course } from './course.ts'
import type { Performer } from './perform.ts'

/** Where scenarios are done: the target with its connections, and the journal of what passes. */
export interface Stage {
  readonly perform: Performer
  close(): Promise<void>
}

export const openStage = (given: Certification, course: Course): Stage => {
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
    course,
  })
  return {
    perform,
    async close() {
      await target.close()
      journal.close()
    },
  }
}
