import { change, check, NotReached, scenario } from '../../harness/check/index.ts'
import type { Observed, Session } from '../../harness/check/index.ts'
import { TOK } from './requirements.ts'

/** A word that stands in no interface. */
const UNKNOWN_WORD = 'NO_SCOPE_OF_THIS_BANK'

const consentOf = async ({ app, profile }: Session) => {
  const consentId = await app.consent()
  const { accounts } = profile.scopes
  return consentId === undefined ? { scope: accounts } : { consentId, scope: `${accounts}:${consentId}` }
}

const unknownWord = scenario(
  'a grant of a scope with an unknown word',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer'] },
  async (session) => {
    const { scope, ...consent } = await consentOf(session)
    return session.app.attemptGrant({ ...consent, scope: `${scope} ${UNKNOWN_WORD}` })
  },
)

check(TOK.scopeIsNamedWhenItDiffers, unknownWord, ({ landing, exchange }) => {
  if (exchange === undefined) return landing.isRefused('its scope has an unknown word')
  if (!exchange.accepted) return exchange.isRefused('its scope has an unknown word')
  exchange.body.field('scope').isPresent()
})

const widening = scenario(
  'a code exchange with the scope of another consent',
  { effect: 'consent', as: 'TPP', authorizations: 4, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => {
    const theirs = await app.tokens({ customer: otherCustomer })
    const theirList = await app.listAccounts(theirs.accessToken)
    const before = await app.exchangeFreshCode()
    const { accessToken: mine = '' } = app.tokensIn(before)
    const myList = await app.listAccounts(mine)
    const widened = await app.exchangeFreshCode(change.form('scope', theirs.scope))
    const { accessToken: wide = '' } = app.tokensIn(widened)
    const widenedList = await app.listAccounts(wide)
    const after = await app.exchangeFreshCode()
    const consentId = theirs.consentId ?? ''
    return { consentId, theirList, before, myList, widened, widenedList, after }
  },
)

const holds = (text: unknown, part: string): boolean => typeof text === 'string' && text.includes(part)

/** An account of the other customer that the own one has not. */
const foreignAccountOf = (record: Observed<Awaited<ReturnType<typeof widening.act>>>): string => {
  const { theirList, before, myList } = record
  const foreign = theirList.body.anywhere('accountId').value
  if (!before.accepted || !myList.accepted || typeof foreign !== 'string')
    throw new NotReached('a code exchange within the granted scope, or a list of accounts, was not answered')
  if (holds(myList.body.text.value, foreign))
    throw new NotReached('both customers have the same account, so that the consents cannot be told apart')
  return foreign
}

check(TOK.exchangeDoesNotWidenTheScope, widening, (record) => {
  const { consentId, widened, widenedList, after } = record
  const foreign = foreignAccountOf(record)
  if (widened.accepted) {
    const scope = widened.body.field('scope')
    scope.satisfies(!holds(scope.value, consentId), 'no scope but the one that the user granted')
    const seen = widenedList.body.text
    seen.satisfies(!holds(seen.value, foreign), 'no account of another consent')
  } else widened.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the exchange within the granted scope was not accepted again')
})
