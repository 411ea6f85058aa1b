import { isRefusedBetween, refusalOf } from '../../harness/check/index.ts'
import { days } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import type { Need, Session } from '../../harness/session/index.ts'

/** A way in which an access token ends. */
interface TokenEnd {
  readonly end: 'expired' | 'revoked'
  /** What a scenario needs of the target to end a token so. */
  readonly needs: readonly Need[]
  /** How long it takes, as an option of the scenario. */
  readonly wait: { readonly waitsMs?: number }
  readonly endToken: (session: Session, accessToken: string) => Promise<void>
  /** Why a call with such a token must be refused. */
  readonly because: string
}

const HOUR = days(1) / 24

/** Both ways in which an access token ends, for scenarios that are stated once for each. */
export const TOKEN_ENDS: readonly TokenEnd[] = [
  {
    end: 'expired',
    needs: ['clock'],
    wait: { waitsMs: days(90) },
    endToken: ({ clock }) => clock.pass(days(90) + HOUR),
    because: 'its access token was issued 90 days and an hour before',
  },
  {
    end: 'revoked',
    needs: ['revocation'],
    wait: {},
    endToken: ({ testHooks }, accessToken) => testHooks.revokeToken(accessToken),
    because: 'the user has revoked its access token',
  },
]

/** The same call with a token, after the end of that token, and with a new token. */
interface AroundTheEnd {
  readonly before: ObservedExchange
  readonly changed: ObservedExchange
  readonly after: ObservedExchange
}

/** Asserts that the call after the end of its token is refused with the HTTP status 401. */
export const assertRefusedWith401 = (attempts: AroundTheEnd, because: string): void => {
  isRefusedBetween(attempts, because)
  refusalOf(attempts.changed).status.equals(401)
}
