import { askingMs } from './staffing.ts'
import { budgetOf } from './spending.ts'
import { evidenceOf } from './prepare.ts'
import type { Certification } from '../../engine/certification.ts'
import type { Preparation } from './prepare.ts'

/** What the threads of a run are given, as far as options and profile say it. */
export const certificationOf = (preparation: Preparation): Certification => {
  const { options, subject, plan, concurrency } = preparation
  const evidenceFile = evidenceOf(preparation)
  return {
    plan,
    profile: subject.profile,
    evidenceFile,
    secrets: subject.secrets,
    concurrency,
    time: options.time,
    deadline: Date.now() + subject.profile.deadlines.runMs + askingMs(preparation),
    pace: { origin: Date.now(), speed: subject.profile.clock.speed },
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...budgetOf(preparation, evidenceFile),
    ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
  }
}
