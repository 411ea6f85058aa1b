import { check, isAccepted, NotReached } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Exchange, RecordOf } from '../../harness/check/index.ts'
import type { Application, Session } from '../../harness/session/index.ts'
import { accountsOfTheSecondOnly, hasOneOf } from '../shared/account-steps.ts'
import { refreshStill } from './token-requests.ts'
import { TOK } from './requirements.ts'

/** Token requests with the scope of the consent that another customer has granted to the same TPP. */

const options = { effect: 'consent', as: 'TPP', needs: ['customer', 'second-customer'] } as const

/** A list of accounts, and what it lists. */
const listWith = async (app: Application, accessToken: string) => {
  const list = await app.listAccounts(accessToken)
  return { list, accounts: isAccepted(list) ? app.accounts('first').accountsIn(list) : [] }
}

/** What the other customer has granted. */
const grantedBy = async (app: Application, customer: Session['customer']) => {
  const { scope, consentId = '', accessToken } = await app.tokens({ customer })
  return { scope, consentId, ...(await listWith(app, accessToken)) }
}

const exchanged = scenario(
  'a code exchange with the scope of another consent',
  { ...options, authorizations: 4 },
  async ({ app, otherCustomer }) => {
    const listOf = (exchange: Exchange) => listWith(app, app.tokensIn(exchange).accessToken ?? '')
    const theirs = await grantedBy(app, otherCustomer)
    const before = await app.exchangeFreshCode()
    const myList = await listOf(before)
    const grant = await app.grant()
    const exchange = await app.exchangeCode(grant, change.form('scope', theirs.scope))
    const widened = { exchange, ...(await listOf(exchange)) }
    const after = await app.exchangeFreshCode()
    return { theirs, before, mine: { scope: grant.scope, ...myList }, widened, after }
  },
)

const refreshed = scenario(
  'a refresh with the scope of another consent',
  { ...options, authorizations: 2 },
  async ({ app, otherCustomer }) => {
    const theirs = await grantedBy(app, otherCustomer)
    const issued = await app.tokens()
    const { exchange: before, tokens } = await app.renew(issued, change.form('scope', issued.scope))
    const mine = { scope: issued.scope, ...(await listWith(app, tokens.accessToken)) }
    const renewal = await app.renew(tokens, change.form('scope', theirs.scope))
    const widened = { exchange: renewal.exchange, ...(await listWith(app, renewal.tokens.accessToken)) }
    const after = await refreshStill(app, { ...renewal.tokens, scope: issued.scope })
    return { theirs, before, mine, widened, after }
  },
)

/** Judges that the request was refused, or gave no scope and no account of the other consent. */
const isNotWidened = ({ theirs, before, mine, widened, after }: RecordOf<typeof exchanged>): void => {
  if (!before.accepted || !mine.list.accepted || !theirs.list.accepted)
    throw new NotReached('a request within the granted scope, or a list of accounts, was not answered')
  if (mine.scope === theirs.scope) throw new NotReached('both consents have the same consentId')
  const foreign = accountsOfTheSecondOnly(mine.accounts, theirs.accounts)
  const { exchange, list, accounts } = widened
  if (exchange.accepted) {
    const scope = exchange.body.field('scope')
    const words = typeof scope.value === 'string' ? scope.value.split(' ') : []
    const others = words.filter((word) => word !== mine.scope)
    const isTheirs = others.some((word) => word.includes(theirs.consentId))
    scope.satisfies(!isTheirs, 'no scope but the one that the user granted')
    list.body.text.satisfies(!hasOneOf(accounts, foreign), 'no account of another consent')
  } else exchange.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the request within the granted scope was not accepted again')
}

check(TOK.exchangeDoesNotWidenTheScope, exchanged, isNotWidened)
check(TOK.refreshDoesNotWidenTheScope, refreshed, isNotWidened)
