import { check, eventOf, hasArrived } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { Delivery, RecordOf } from '../../harness/check/index.ts'
import {
  assertHasSecurityHeader,
  assertSecurityHeaderIs,
  assertWentTo,
  requireSome,
  transactionEventsIn,
} from './assertions.ts'
import {
  accountsOpenedBy,
  book,
  idsIn,
  isAccountEvent,
  requireFirst,
  SECURITY_HEADER,
  securityHeaderOf,
} from './steps.ts'
import { WEB } from './requirements.ts'

/** A FAC has no consent: its calls are recognized by the account on which something was booked. */

const ofAFac = scenario(
  'bookings under the grant of a FAC',
  {
    effect: 'notify',
    as: 'FAC',
    needs: ['access', 'own-account', 'booking', 'webhook'],
  },
  async (session) => {
    const { webhook, profile } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    const { accessToken } = await session.access()
    const { own } = await accountsOpenedBy(accessToken, session)
    const account = requireFirst(own, "the service's own bank")
    const within = profile.webhooks.deliveryMs
    const isOfTheAccount = (delivery: Delivery): boolean => {
      const event = eventOf(delivery)
      return event !== undefined && !isAccountEvent(event) && idsIn(event).includes(account.accountId)
    }
    const booking = await book(session, account)
    const call = await webhook.next(isOfTheAccount, { within })
    const calls = webhook.deliveries()
    return {
      account,
      booking,
      within,
      calls,
      ...(call && { call }),
      url: webhook.url,
      securityHeader: securityHeaderOf(session, SECURITY_HEADER),
      isReached: webhook.isReached(),
    }
  },
)

type Record = RecordOf<typeof ofAFac>

check(WEB.facIsNotified, ofAFac, ({ call, calls, booking, within, isReached }) => {
  // What it says is judged by the next requirement.
  const [first] = transactionEventsIn(calls)
  hasArrived({ delivery: call ?? first, after: booking, within, isReached }, 'a transactionEvent to the FAC')
})

check(WEB.callToAFacIsComplete, ofAFac, (record) => {
  const calls = requireSome(transactionEventsIn(record.calls), 'transactionEvent to a FAC')
  for (const call of calls) {
    assertWentTo(call, record.url)
    assertHeader(call, record)
    call.field('eventType').equals('NEW')
    call.kind('accounts').equals('array')
    for (const item of call.accounts) item.kind('accountId').equals('string')
  }
  const { call, account } = record
  calls[0]
    ?.field('accounts')
    .satisfies(
      call !== undefined,
      `an item with the accountId ${account.accountId}, on which a transaction was booked`,
    )
})

const assertHeader = (call: Record['calls'][number], { securityHeader }: Record): void => {
  if (securityHeader === '') return
  assertHasSecurityHeader(call)
  assertSecurityHeaderIs(call, securityHeader)
}
