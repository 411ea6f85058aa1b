import { check, endOf, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { days, ofTheSameFormat, scenario, tampered } from '../../harness/session/index.ts'
import type { Application, Random } from '../../harness/session/index.ts'
import { grantAndList, opensNoAccount } from '../shared/opened-accounts.ts'
import { ACCOUNT_SCOPE } from '../shared/account-steps.ts'
import { checkRefused } from '../shared/refused.ts'
import { CON } from './requirements.ts'

const newConsentOf = async (app: Application): Promise<string> => {
  const consentId = await app.consent()
  if (consentId === undefined) throw new NotReached('the application creates no consents')
  return consentId
}

const twoConsents = scenario(
  'an older and a newer consent',
  { effect: 'consent', as: 'TPP', authorizations: 2, needs: ['customer'] },
  async ({ app }) => {
    const older = await newConsentOf(app)
    const newer = await newConsentOf(app)
    // The older one first: a customer who grants the newer one may mean it to take the place of the older.
    return {
      older: await app.authorize({ consentId: older }),
      newer: await app.authorize({ consentId: newer, scope: `${ACCOUNT_SCOPE}:${newer}` }),
    }
  },
)

check(CON.olderConsentStaysUsable, twoConsents, ({ older, newer }) => {
  if (!older.accepted && !newer.accepted) throw new NotReached('neither consent was granted')
  older.isAccepted('a TPP has a consent for each of its customers')
})

check(CON.consentIsAppendedToTheScope, twoConsents, ({ newer }) => {
  newer.isAccepted('its scope is PREMIUM_AIS, a colon and the consentId of a consent of its own')
})

/** A consentId of the same format that was not created: so long that no bank can have given it by chance. */
const inventedLike = (random: Random, consentId: string): string => {
  const invented = ofTheSameFormat(random, consentId)
  const isUnlikely = Array.from(invented).filter((character, at) => character !== consentId[at]).length >= 10
  return isUnlikely ? invented : `${invented}${random.uuid()}`
}

/** Longer: before the padding that an encoded id may end with, since a decoder stops there. */
const prolonged = (random: Random, consentId: string): string =>
  consentId.replace(/=*$/, (padding) => `${random.uuid().slice(0, 8)}${padding}`)

/** In characters: ids of this length do not begin alike by chance. */
const LONG = 16

const ungrantable = scenario(
  'scopes without a consent that was created',
  { effect: 'consent', as: 'TPP', authorizations: 7, needs: ['customer'] },
  async ({ app, profile, random }) => {
    const own = await newConsentOf(app)
    const { accounts } = profile.scopes
    return {
      before: await grantAndList(app, { consentId: own }),
      invented: await app.attemptGrant({ consentId: inventedLike(random, own) }),
      prolonged: await app.attemptGrant({ consentId: prolonged(random, own) }),
      // A short one might be that of another consent.
      ...(own.length >= LONG && { cut: await app.attemptGrant({ consentId: tampered(own, 'cut', 1) }) }),
      withoutConsent: await grantAndList(app, { scope: accounts }),
      withEmptyConsent: await grantAndList(app, { scope: `${accounts}:` }),
      after: await app.attemptGrant(),
    }
  },
)

checkRefused(CON.unknownConsentIsNotGranted, ungrantable, {
  invented: 'no consent has this id',
  prolonged: 'the id only begins like that of a consent',
  cut: 'the id lacks the end of that of a consent',
})

const WITHOUT_CONSENT = 'a TPP creates a consent first'
const WITH_EMPTY_CONSENT = 'there is no consentId after the colon'

check(CON.scopeWithoutConsentIsNotGrantedToATpp, ungrantable, ({ before, after, ...record }) => {
  opensNoAccount({ before, changed: record.withoutConsent, after }, WITHOUT_CONSENT)
  opensNoAccount({ before, changed: record.withEmptyConsent, after }, WITH_EMPTY_CONSENT)
})

checkRefused(CON.scopeWithoutConsentIsRefused, ungrantable, {
  withoutConsent: WITHOUT_CONSENT,
  withEmptyConsent: WITH_EMPTY_CONSENT,
})

const ofAnother = scenario(
  'scopes with the consent of another TPP',
  { effect: 'consent', as: 'TPP', authorizations: 5, needs: ['customer', 'second-application'] },
  async ({ app, other }) => {
    const theirs = await newConsentOf(other)
    const own = await newConsentOf(app)
    return {
      isOneName: theirs === own,
      before: await app.attemptGrant({ consentId: own }),
      ungranted: await app.attemptGrant({ consentId: theirs }),
      toThemselves: await other.attemptGrant({ consentId: theirs }),
      granted: await app.attemptGrant({ consentId: theirs }),
      after: await app.attemptGrant(),
    }
  },
)

check(CON.anotherClientsConsentIsNotGranted, ofAnother, (record) => {
  const [before, after] = [endOf(record.before), endOf(record.after)]
  // A bank may number the consents of each TPP separately.
  if (record.isOneName) throw new NotReached('both TPPs have a consent of this id')
  const because = 'the consent is one that another TPP has created'
  isRefusedBetween({ before, changed: endOf(record.ungranted), after }, because)
  if (!endOf(record.toThemselves).accepted)
    throw new NotReached('the other TPP was not granted its own consent')
  isRefusedBetween(
    { before, changed: endOf(record.granted), after },
    `${because}, and a customer has granted`,
  )
})

const renewed = scenario(
  'new grants of an existing consent, each after its tokens have expired',
  { effect: 'consent', as: 'TPP', authorizations: 3, needs: ['clock', 'customer'], waitsMs: days(182) },
  async ({ app, clock }) => {
    const consentId = await newConsentOf(app)
    const grantAnew = async (refreshToken = '') => {
      await clock.pass(days(91))
      const refresh = await app.refresh({ refreshToken })
      const grant = await app.attemptGrant({ consentId })
      const { accessToken } = grant.exchange === undefined ? {} : app.tokensIn(grant.exchange)
      return { refresh, ...grant, ...(accessToken && { list: await app.listAccounts(accessToken) }) }
    }
    const { accessToken, refreshToken } = await app.tokens({ consentId })
    const listed = await app.listAccounts(accessToken)
    const second = await grantAnew(refreshToken)
    const third = second.exchange && (await grantAnew(app.tokensIn(second.exchange).refreshToken))
    return { listed, rounds: third === undefined ? [second] : [second, third] }
  },
)

check(CON.existingConsentServesANewGrant, renewed, ({ listed, rounds }) => {
  for (const { refresh, list, ...grant } of rounds) {
    const end = endOf(grant)
    if (refresh.accepted && !end.accepted)
      throw new NotReached('a refresh still succeeded, so no new grant was called for')
    end.isAccepted('the refresh has failed, and the new grant uses the existing consent')
    if (listed.accepted) list?.isAccepted('the customer has granted the existing consent anew')
  }
})
