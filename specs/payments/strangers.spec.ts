import { check, isRefusedBetween, NotReached, disclosesNothingOf } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import { aMoment } from './asking.ts'
import { statesLaws } from './record-laws.ts'
import { isSuccess } from './records.ts'
import { PAY } from './requirements.ts'

const foreign = scenario(
  'the payment of another application',
  { effect: 'pay', as: 'any', needs: ['payments', 'stranger-application'], payments: { initiated: 1 } },
  async (session) => {
    const payments = await session.payments()
    const stranger = session.profile.applications.find(({ name }) => name !== payments.application.name)
    if (stranger === undefined) throw new NotReached('the profile names no second application')
    const theirs = await session.payments(stranger)
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const before = await payments.status(orderId)
    const changed = await theirs.status(orderId)
    return { initiation, before, changed, after: await payments.status(orderId) }
  },
)

statesLaws(foreign)

check(PAY.foreignPaymentIsRefused, foreign, ({ initiation, before, changed, after }) => {
  isRefusedBetween({ before, changed, after }, 'another application has initiated the payment')
  disclosesNothingOf(changed, { theirs: [initiation, before], ours: [], name: 'the payment of another' })
})

check(PAY.refusedStatusIsNoSuccess, foreign, ({ changed }) => {
  if (changed.accepted) throw new NotReached('the status was answered')
  changed.status.satisfies(!isSuccess(changed), 'no success, since nothing was told')
})
