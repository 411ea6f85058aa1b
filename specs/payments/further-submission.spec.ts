import { scenario } from '../../harness/session/index.ts'
import { aMoment } from './asking.ts'
import { statesReadability } from './reading-laws.ts'
import { statesLaws } from './record-laws.ts'
import { statesSettlement } from './submitting.ts'

/** The table of transitions is one for all methods of initiation. */
const submitted = scenario(
  'an authorized payment by a further initiation method that is submitted',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'further-initiation-at-once'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const method = payments.profile.initiations.slice(1).find(({ future }) => !future)
    const initiation = await payments.initiate(method && { method: method.name })
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    return { initiation, authorization, submission, after: await payments.status(orderId) }
  },
)

statesLaws(submitted)
statesReadability(submitted)

statesSettlement(submitted)
