import { check, isRefusedBetween, NotReached, scenario } from '../../harness/check/index.ts'
import type { Observed, Session } from '../../harness/check/index.ts'
import { ends, knownAccounts, listedBy, readEach } from './asking.ts'
import { listsEach, listsNone, namesOf } from './lists.ts'
import type { Variant } from './lists.ts'
import { ACC } from './requirements.ts'

/** What a refreshed token opens is what the customer has consented to: no less, and no more. */

const behindARefresh = async (session: Session, variant: Variant) => {
  const { app } = session
  const accounts = app.accounts(variant)
  const issued = await app.tokens()
  const { first } = await listedBy(accounts, issued.accessToken)
  const before = await accounts.read(issued.accessToken, first)
  const { exchange, tokens } = await app.renew(issued)
  const renewed = await listedBy(accounts, tokens.accessToken)
  const { open, shut } = knownAccounts(session)
  const refs = ends(shut).map((iban) => ({ iban }))
  return {
    ...{ names: namesOf(session, variant), open, shut },
    refresh: exchange,
    list: renewed.list,
    before,
    changed: await readEach(accounts, tokens.accessToken, refs),
    after: await accounts.read(tokens.accessToken, renewed.first),
  }
}

type Renewed = Observed<Awaited<ReturnType<typeof behindARefresh>>>

const isRenewed = ({ refresh }: Renewed): void => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
}

const listsWhatIsOpen = (record: Renewed): void => {
  isRenewed(record)
  listsEach(record.list, record.names, record.open)
}

const listsNothingElse = (record: Renewed): void => {
  isRenewed(record)
  listsNone(record.list, record.names, record.shut)
}

const opensNothingElse = (record: Renewed): void => {
  isRenewed(record)
  isRefusedBetween(record, 'the customer has not consented to this account, and a refresh grants nothing')
}

const renewed = scenario(
  'the accounts that a refreshed token opens',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'unconsented-account'] },
  (session) => behindARefresh(session, 'first'),
)

check(ACC.consentedAccountsAreListed, renewed, listsWhatIsOpen)

check(ACC.nothingElseIsListed, renewed, listsNothingElse)

check(ACC.accountWithoutConsentIsRefused, renewed, opensNothingElse)

const renewedInTheSecond = scenario(
  'the accounts that a refreshed token opens in the second variant',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 1,
    needs: ['customer', 'unconsented-account', 'second-variant'],
  },
  (session) => behindARefresh(session, 'second'),
)

check(ACC.consentedAccountsAreListedInTheSecondVariant, renewedInTheSecond, listsWhatIsOpen)

check(ACC.nothingElseIsListedInTheSecondVariant, renewedInTheSecond, listsNothingElse)

check(ACC.informationWithoutConsentIsRefused, renewedInTheSecond, opensNothingElse)
