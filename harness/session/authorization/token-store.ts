import { Mutex } from 'async-mutex'
import { isAccepted } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { noGrantStore, type GrantStore, type Parties } from './grant-store.ts'
import type { CustomerProfile, Profile } from '../../profile/schema.ts'
import type { Access, StoredGrant } from './grants-file.ts'
import type { Application } from '../application.ts'

export type TokenStore = ReturnType<typeof createTokenStore>

interface HeldGrant extends StoredGrant {
  /** The number of such scenarios when the token was last valid. */
  seen: number
}

/** For a grant that has not been tried in this run. */
const NEVER = -1

const found = (grant: StoredGrant | undefined): HeldGrant | undefined => grant && { ...grant, seen: NEVER }

const imported = (
  { authorization }: Profile,
  { application, customer, variant }: Parties,
): Access | undefined => {
  if (authorization.kind !== 'tokens') return undefined
  const found = authorization.tokens.find(
    (token) =>
      token.application === application.name &&
      token.variant === variant &&
      (!customer || token.customer === customer.name),
  )
  if (found === undefined) return undefined
  const { accessToken, scope = '', consentId } = found
  return { accessToken, scope, ...(consentId !== undefined && { consentId }) }
}

const grant = async (app: Application, customer: CustomerProfile | undefined): Promise<StoredGrant> => {
  const { accessToken, refreshToken, scope, consentId } = await app.tokens(customer && { customer })
  return { access: { accessToken, scope, ...(consentId !== undefined && { consentId }) }, refreshToken }
}

/**
 * The grants that scenarios share while they only read. A grant is made when it is first needed, or taken from the
 * imported tokens of the profile.
 * @param grantStore keeps grants after the run: a grant of an earlier run is tried before it is used.
 */
export const createTokenStore = (profile: Profile, grantStore: GrantStore = noGrantStore) => {
  const held = new Map<string, HeldGrant>()
  // Two scenarios at the same time make one grant.
  const turns = new Mutex()
  let changes = 0
  // A renewal costs an exchange: it is only worth it if it may spare a person an authorization.
  const mayRenew = grantStore !== noGrantStore || profile.authorization.kind === 'person'

  const isAlive = async (app: Application, entry: HeldGrant): Promise<boolean> => {
    if (entry.seen === changes) return true
    const at = changes
    if (!isAccepted(await app.listAccounts(entry.access.accessToken))) return false
    entry.seen = at
    return true
  }

  /** Renews a grant with its refresh token, so that nobody needs to authorize again. */
  const renewed = async (
    app: Application,
    { access, refreshToken }: HeldGrant,
  ): Promise<HeldGrant | undefined> => {
    if (refreshToken === undefined || !mayRenew) return undefined
    const { exchange, tokens } = await app.renew({ accessToken: access.accessToken, refreshToken })
    if (exchange.response === undefined || !isAccepted(exchange)) return undefined
    const entry = {
      access: { ...access, accessToken: tokens.accessToken },
      refreshToken: tokens.refreshToken,
      seen: NEVER,
    }
    return (await isAlive(app, entry)) ? entry : undefined
  }

  return {
    /** @param app the application that makes the grant, if there is none yet. */
    access: (app: Application, customer: CustomerProfile | undefined): Promise<Access> =>
      turns.runExclusive(async () => {
        const [variant = 'first'] = app.opens
        const parties = { application: app.profile, customer, variant }
        const owned = imported(profile, parties)
        if (owned !== undefined) return owned
        if (variant === 'second' && profile.authorization.kind === 'tokens')
          throw new NotReached('no imported token opens the second variant (authorization.tokens[].variant)')
        const key = JSON.stringify([app.profile.name, customer?.name, variant])
        const entry = held.get(key) ?? found(grantStore.find(parties))
        if (entry !== undefined && (await isAlive(app, entry))) {
          held.set(key, entry)
          return entry.access
        }
        const next = entry && (await renewed(app, entry))
        if (entry !== undefined && next === undefined) grantStore.drop(parties)
        const settled = next ?? { ...(await grant(app, customer)), seen: changes }
        held.set(key, settled)
        grantStore.keep(parties, settled)
        return settled.access
      }),
    /** A scenario may have ended a token: each token is tested before it is used again. */
    recheck: () => void (changes += 1),
  }
}
