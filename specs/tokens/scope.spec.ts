import { check, NotReached } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Exchange, Observed } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
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
  const scope = exchange.body.field('scope')
  scope.isPresent()
  scope.differsFrom('', 'an empty string')
})

const widening = scenario(
  'a code exchange with the scope of another consent',
  { effect: 'consent', as: 'TPP', authorizations: 4, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => {
    const listOf = async (exchange: Exchange) => app.listAccounts(app.tokensIn(exchange).accessToken ?? '')
    const theirs = await app.tokens({ customer: otherCustomer })
    const theirList = await app.listAccounts(theirs.accessToken)
    const before = await app.exchangeFreshCode()
    const myList = await listOf(before)
    const grant = await app.grant()
    const widened = await app.exchangeCode(grant, change.form('scope', theirs.scope))
    const widenedList = await listOf(widened)
    const after = await app.exchangeFreshCode()
    const scopes = { mine: grant.scope, theirs: theirs.scope }
    return { scopes, theirList, before, myList, widened, widenedList, after }
  },
)

type Widening = Observed<Awaited<ReturnType<typeof widening.act>>>

/** The accounts of the other customer that the own one has not. */
const foreignAccountsOf = ({ scopes, theirList, before, myList }: Widening): readonly unknown[] => {
  if (!before.accepted || !myList.accepted || !theirList.accepted)
    throw new NotReached('a code exchange within the granted scope, or a list of accounts, was not answered')
  const mine = new Set(myList.body.everywhere('accountId'))
  const foreign = theirList.body.everywhere('accountId').filter((account) => !mine.has(account))
  if (foreign.length === 0 || scopes.mine === scopes.theirs)
    throw new NotReached('the consents of both customers cannot be told apart')
  return foreign
}

check(TOK.exchangeDoesNotWidenTheScope, widening, (record) => {
  const { scopes, widened, widenedList, after } = record
  const foreign = foreignAccountsOf(record)
  if (widened.accepted) {
    const scope = widened.body.field('scope')
    const words = typeof scope.value === 'string' ? scope.value.split(' ') : []
    scope.satisfies(!words.includes(scopes.theirs), 'no scope but the one that the user granted')
    const seen = widenedList.body.everywhere('accountId')
    const isForeign = seen.some((account) => foreign.includes(account))
    widenedList.body.text.satisfies(!isForeign, 'no account of another consent')
  } else widened.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the exchange within the granted scope was not accepted again')
})
