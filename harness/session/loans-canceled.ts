import { statusOf } from './loans-answers.ts'
import { momentOf } from './loans-line.ts'
import { mayPass } from './session.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Following } from './loans-follow.ts'

const CANCELED = 'CANCELED'

/**
 * The status of an application whose cancellation was asked for, lawfully or not: a bank may take a moment, which is
 * waited for once.
 */
export const statusOfCanceled = async ({ clock, loans }: Following, id: string): Promise<Exchange> => {
  const answer = await loans.status(id)
  const moment = momentOf(loans.profile.timing)
  const isTold = answer.response !== undefined && statusOf(answer, loans.profile) === CANCELED
  if (isTold || !mayPass(clock, moment)) return answer
  await clock.pass(moment)
  return loans.status(id)
}
