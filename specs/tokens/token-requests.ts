import { isAccepted, type Exchange } from '../../harness/check/index.ts'
import {
  change,
  type Application,
  type AuthorizationOptions,
  type Change,
  type Grant,
  type Session,
  type Tokens,
} from '../../harness/session/index.ts'

/** Parts of token requests that several spec files use. */

/**
 * The control after a refused refresh: a refresh with the same tokens, or with those of a fresh grant if that fails.
 * A bank may end a refresh token or its grant when it refuses a request with it.
 */
export const refreshStill = async (
  app: Application,
  tokens: Tokens & { readonly scope?: string },
): Promise<Exchange> => {
  const still = await refreshIn(app, tokens)
  if (isAccepted(still)) return still
  const fresh = await app.tokens()
  return refreshIn(app, tokens.scope === undefined ? { refreshToken: fresh.refreshToken } : fresh)
}

/** Has a scope if there is one. */
const refreshIn = (
  app: Application,
  { refreshToken, scope }: { readonly refreshToken: string; readonly scope?: string },
): Promise<Exchange> =>
  app.refresh({ refreshToken }, scope === undefined ? undefined : change.form('scope', scope))

/** What the exchanges of one code have resulted in, by the name of their change. */
interface ExchangesOfOneCode<Name extends string> {
  readonly changed: Readonly<Record<Name, Exchange>>
  /** The valid exchange after them. */
  readonly after: Exchange
}

/**
 * Code exchanges with one change each, and a valid one after them. All use one code, so that the customer authorizes
 * once: where the valid exchange is accepted, no change was refused because its code was used up. Where it is refused,
 * the bank uses a code up when it refuses an exchange, and each change is tried again with a code of its own.
 * @param optionsOf called for each code: a bank may accept a code_challenge once.
 */
export const exchangesOfOneCode = async <Name extends string>(
  app: Application,
  changes: Readonly<Record<Name, (grant: Grant) => Change>>,
  optionsOf: () => AuthorizationOptions = () => ({}),
): Promise<ExchangesOfOneCode<Name>> => {
  const send = async (isUsedUp: (exchange: Exchange) => boolean): Promise<ExchangesOfOneCode<Name>> => {
    let grant = await app.grant(optionsOf())
    const changed: [string, Exchange][] = []
    for (const [name, changeOf] of Object.entries<(grant: Grant) => Change>(changes)) {
      const exchange = await app.exchangeCode(grant, changeOf(grant))
      changed.push([name, exchange])
      if (isUsedUp(exchange)) grant = await app.grant(optionsOf())
    }
    const after = await app.exchangeCode(grant)
    return { changed: Object.fromEntries(changed) as Record<Name, Exchange>, after }
  }
  const sent = await send(isAccepted)
  return isAccepted(sent.after) ? sent : send(() => true)
}

/** The second customer, where the profile has one: so that tokens of both customers are judged. */
export const secondCustomerOf = ({ profile }: Session): Pick<AuthorizationOptions, 'customer'> => {
  const [, customer] = profile.customers
  return customer === undefined ? {} : { customer }
}
