import { change, check, isRefusedBetween, NotReached, scenario } from '../../harness/check/index.ts'
import { refreshStill } from './controls.ts'
import { TOK } from './requirements.ts'

const theft = scenario(
  'a refresh by another client',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'second-application'] },
  async ({ app, other }) => {
    // A client that cannot refresh its own tokens would be refused for that alone.
    const own = await other.renew(await other.tokens())
    const before = await app.renew(await app.tokens())
    const stolen = await other.refresh(before.tokens)
    const { clientId } = app.profile
    const withTheirSecret = await app.refresh(
      before.tokens,
      change.basic(clientId, other.profile.clientSecret),
    )
    const after = await refreshStill(app, before.tokens)
    return { own: own.exchange, before: before.exchange, stolen, withTheirSecret, after }
  },
)

check(TOK.anotherClientsRefreshTokenIsRefused, theft, ({ own, before, stolen, after }) => {
  if (!own.accepted) throw new NotReached('the other client cannot refresh its own tokens')
  isRefusedBetween({ before, changed: stolen, after }, 'the refresh token was issued to another client')
})

check(TOK.refreshWithAWrongSecretIsRefused, theft, ({ own, before, withTheirSecret, after }) => {
  if (!own.accepted) throw new NotReached('the other client cannot refresh its own tokens')
  isRefusedBetween({ before, changed: withTheirSecret, after }, 'the secret is that of another client')
})

const widening = scenario(
  'a refresh with the scope of another consent',
  { effect: 'consent', as: 'TPP', authorizations: 2, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => {
    const theirs = await app.tokens({ customer: otherCustomer })
    const theirList = await app.listAccounts(theirs.accessToken)
    const mine = await app.tokens()
    const before = await app.renew(mine, change.form('scope', mine.scope))
    const myList = await app.listAccounts(before.tokens.accessToken)
    const widened = await app.renew(before.tokens, change.form('scope', theirs.scope))
    const widenedList = await app.listAccounts(widened.tokens.accessToken)
    const after = await refreshStill(app, { ...widened.tokens, scope: mine.scope })
    const consents = { mine: mine.consentId ?? '', theirs: theirs.consentId ?? '' }
    return { consents, theirList, before, myList, widened, widenedList, after }
  },
)

check(TOK.refreshDoesNotWidenTheScope, widening, (record) => {
  const { consents, theirList, before, myList, widened, widenedList, after } = record
  if (consents.mine === consents.theirs) throw new NotReached('both consents have the same consentId')
  const foreign = theirList.body.anywhere('accountId').value
  if (!before.exchange.accepted || !myList.accepted || typeof foreign !== 'string')
    throw new NotReached('a refresh within the granted scope, or a list of accounts, was not answered')
  const shows = (text: unknown, part: string): boolean => typeof text === 'string' && text.includes(part)
  if (shows(myList.body.text.value, foreign))
    throw new NotReached('both customers have the same account, so that the consents cannot be told apart')

  if (widened.exchange.accepted) {
    const scope = widened.exchange.body.field('scope')
    scope.satisfies(!shows(scope.value, consents.theirs), 'no scope but the one that the user granted')
    const seen = widenedList.body.text
    seen.satisfies(!shows(seen.value, foreign), 'no account of another consent')
  } else widened.exchange.isRefused('the user granted another scope')
  if (!after.accepted) throw new NotReached('the refresh within the granted scope was not accepted again')
})
