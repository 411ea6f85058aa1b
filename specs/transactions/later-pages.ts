import { isAccepted, positionBehind } from '../../harness/check/index.ts'
import type { Change, Exchange, Session } from '../../harness/check/index.ts'
import { SMALLEST, withAtLeast } from './asking.ts'
import { bindingOf } from './walks.ts'
import type { KnownAccount, Variant } from './asking.ts'

/** Pages behind the first one, to which a link or a number leads. */

/** Who asks for a later page: the holder, unless another token is said. */
export type AskLater = (accessToken?: string, change?: Change) => Promise<Exchange>

interface Holder {
  readonly accessToken: string
  /** The accounts that the token lists. */
  readonly listed: readonly KnownAccount[]
}

/** So many accounts are looked at for one of two pages. */
const LOOKED_AT = 3

/** The bounds of the first variant are undisclosed. */
const SIZES = [SMALLEST, 20] as const

/**
 * How a second page is asked for, where an account has one. The holder asks for the first page each time: a link may be
 * good for one use.
 */
export const laterPageOf = async (
  session: Session,
  variant: Variant,
  { accessToken, listed }: Holder,
): Promise<AskLater | undefined> => {
  const accounts = session.app.accounts(variant)
  const binding = bindingOf(session, variant)
  for (const account of withAtLeast(SMALLEST + 1, listed).slice(0, LOOKED_AT))
    for (const size of SIZES) {
      const lead = async () => {
        const first = await accounts.transactions(accessToken, account, { size })
        return isAccepted(first) ? positionBehind(first, binding) : undefined
      }
      if ((await lead()) === undefined) continue
      return async (token = accessToken, change?: Change) => {
        const position = await lead()
        return accounts.transactions(token, account, { size, ...(position && { position }) }, change)
      }
    }
  return undefined
}
