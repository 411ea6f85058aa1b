import { Mutex } from 'async-mutex'
import { isAccepted } from './answer.ts'
import type { CustomerProfile, Profile } from '../profile/schema.ts'
import { noKeeper } from './keeper.ts'
import type { Application } from './application.ts'
import type { Keeper, KeptGrant } from './keeper.ts'

/** What a data call is made with: an access token, and what it was granted for. */
export interface Access {
  readonly accessToken: string
  readonly scope: string
  /** The consent of a TPP. */
  readonly consentId?: string
}

/**
 * Grants that scenarios share as long as they only read: each is asked for when the first of them needs it, or taken
 * from the tokens that the profile imports.
 */
export interface Wallet {
  /** @param app the application that makes the grant, where there is none yet. */
  access(app: Application, customer: CustomerProfile | undefined): Promise<Access>
  /** Something was done on the target that may have ended a token: from now on each is tried before it is handed out. */
  distrust(): void
}

interface Kept extends KeptGrant {
  /** How much had been done on the target when the token was last seen alive. */
  seen: number
}

/** Of a grant that was never tried in this run. */
const NEVER = -1

const found = (grant: KeptGrant | undefined): Kept | undefined => grant && { ...grant, seen: NEVER }

const imported = (
  { authorization }: Profile,
  { profile }: Application,
  customer: CustomerProfile | undefined,
): Access | undefined => {
  if (authorization.kind !== 'tokens') return undefined
  const found = authorization.tokens.find(
    (token) => token.application === profile.name && (!customer || token.customer === customer.name),
  )
  if (found === undefined) return undefined
  const { accessToken, scope = '', consentId } = found
  return { accessToken, scope, ...(consentId !== undefined && { consentId }) }
}

/** @param keeper what outlives the run: a grant of an earlier one is tried before it is handed out. */
export const createWallet = (profile: Profile, keeper: Keeper = noKeeper): Wallet => {
  const kept = new Map<string, Kept>()
  // Two scenarios at once make one grant.
  const turns = new Mutex()
  let disturbances = 0
  // A renewal is one exchange more, which is only worth it where it may spare somebody an authorization.
  const isSparing = keeper !== noKeeper || profile.authorization.kind === 'person'

  const isAlive = async (app: Application, entry: Kept): Promise<boolean> => {
    if (entry.seen === disturbances) return true
    const at = disturbances
    if (!isAccepted(await app.listAccounts(entry.access.accessToken))) return false
    entry.seen = at
    return true
  }

  const grant = async (app: Application, customer: CustomerProfile | undefined): Promise<Kept> => {
    const { accessToken, refreshToken, scope, consentId } = await app.tokens(customer && { customer })
    const access = { accessToken, scope, ...(consentId !== undefined && { consentId }) }
    return { access, refreshToken, seen: disturbances }
  }

  /** Nobody is asked to authorize again for what can be renewed. */
  const renewed = async (app: Application, { access, refreshToken }: Kept): Promise<Kept | undefined> => {
    if (refreshToken === undefined || !isSparing) return undefined
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
    access: (app, customer) =>
      turns.runExclusive(async () => {
        const owned = imported(profile, app, customer)
        if (owned !== undefined) return owned
        const key = JSON.stringify([app.profile.name, customer?.name])
        const entry = kept.get(key) ?? found(keeper.find(app.profile, customer))
        if (entry !== undefined && (await isAlive(app, entry))) {
          kept.set(key, entry)
          return entry.access
        }
        const next = entry && (await renewed(app, entry))
        if (entry !== undefined && next === undefined) keeper.drop(app.profile, customer)
        const settled = next ?? (await grant(app, customer))
        kept.set(key, settled)
        keeper.keep(app.profile, customer, settled)
        return settled.access
      }),
    distrust: () => void (disturbances += 1),
  }
}
