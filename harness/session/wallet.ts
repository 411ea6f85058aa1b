import { Mutex } from 'async-mutex'
import { isAccepted } from './answer.ts'
import type { CustomerProfile, Profile } from '../profile/schema.ts'
import type { Application } from './application.ts'

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

interface Kept {
  readonly access: Access
  /** How much had been done on the target when the token was last seen alive. */
  seen: number
}

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

export const createWallet = (profile: Profile): Wallet => {
  const kept = new Map<string, Kept>()
  // Two scenarios at once make one grant.
  const turns = new Mutex()
  let disturbances = 0

  const isAlive = async (app: Application, entry: Kept): Promise<boolean> => {
    if (entry.seen === disturbances) return true
    const at = disturbances
    if (!isAccepted(await app.listAccounts(entry.access.accessToken))) return false
    entry.seen = at
    return true
  }

  const grant = async (app: Application, customer: CustomerProfile | undefined): Promise<Access> => {
    const { accessToken, scope, consentId } = await app.tokens(customer && { customer })
    return { accessToken, scope, ...(consentId !== undefined && { consentId }) }
  }

  return {
    access: (app, customer) =>
      turns.runExclusive(async () => {
        const owned = imported(profile, app, customer)
        if (owned !== undefined) return owned
        const key = JSON.stringify([app.profile.name, customer?.name])
        const entry = kept.get(key)
        if (entry !== undefined && (await isAlive(app, entry))) return entry.access
        const access = await grant(app, customer)
        kept.set(key, { access, seen: disturbances })
        return access
      }),
    distrust: () => void (disturbances += 1),
  }
}
