import { Mutex } from 'async-mutex'
import { NOT_SHOWN, ProfileMistake, type ProfileMismatch } from '../../profile/mismatch/mismatch.ts'
import { Inconclusive } from '../../evidence/signals.ts'
import { sentenceOfPage } from '../../evidence/page-sentence.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { PageRecipe } from '../../profile/schema/authorization.ts'
import type { CustomerProfile } from '../../profile/schema.ts'

/** This many refused logins in a row end the logins of a customer: many banks lock an account after three. */
export const MOST_REFUSALS = 2
/** The right password locks no account, and intermediaries may answer several logins. */
const MOST_AFTER_SUCCESS = 4

/** The logins of one customer with the credentials of the profile. */
interface Logins {
  /** Until a login has succeeded, the next one waits for the result of the one before. */
  readonly turns: Mutex
  hasSucceeded: boolean
  /** The refusals since the last success. */
  readonly refusals: Exchange[]
}

/** Runs one authorization of a customer, or refuses to. */
type LoginGuard = (
  customer: CustomerProfile,
  recipe: PageRecipe,
  authorize: () => Promise<RedirectResult>,
  isToBeGranted?: boolean,
) => Promise<RedirectResult>

/**
 * Stops the logins of a customer whose credentials the bank refuses: every further one could lock the account. Logins
 * with other credentials than those of the profile, which some checks send intentionally, are not counted. Where the bank
 * has no reason to refuse, a refused login is sent once again: a login portal or a gateway may have answered.
 * @param mostRefusals before the first success.
 */
export const createLoginGuard = (
  customers: readonly CustomerProfile[],
  mostRefusals = MOST_REFUSALS,
): LoginGuard => {
  const known = new Map<number, Logins>()
  const loginsOf = (index: number): Logins => {
    const logins = known.get(index) ?? { turns: new Mutex(), hasSucceeded: false, refusals: [] }
    known.set(index, logins)
    return logins
  }

  return async (customer, recipe, authorize, isToBeGranted = false) => {
    const index = customers.findIndex(
      ({ username, password }) => username === customer.username && password === customer.password,
    )
    if (index < 0 || !recipe.pages.some(isLoginPage)) return authorize()
    const logins = loginsOf(index)
    const attempt = async (mayRepeat: boolean): Promise<RedirectResult> => {
      const { refusals, hasSucceeded } = logins
      const [refused] = refusals
      const most = hasSucceeded ? MOST_AFTER_SUCCESS : mostRefusals
      if (refused !== undefined && refusals.length >= most)
        throw stopped(customer, index, { refused, logins })
      const redirectResult = await authorize()
      if (!isRefusedLogin(redirectResult, recipe)) {
        if (redirectResult.code !== undefined || redirectResult.decision !== 'unasked') succeed(logins)
        return redirectResult
      }
      refusals.push(redirectResult.exchange)
      if (mayRepeat && refusals.length < most) return attempt(false)
      // Once a login has succeeded, the credentials are right: a refusal has another reason.
      if (logins.hasSucceeded) return redirectResult
      throw new ProfileMistake(mismatchOf(customer, index, redirectResult.exchange))
    }
    return logins.hasSucceeded
      ? attempt(isToBeGranted)
      : logins.turns.runExclusive(() => attempt(isToBeGranted))
  }
}

const succeed = (logins: Logins): void => {
  logins.hasSucceeded = true
  logins.refusals.length = 0
}

/** Whether a customer types the password on this page. */
export const isLoginPage = ({ fill }: PageRecipe['pages'][number]): boolean =>
  Object.values(fill).some((text) => text.includes('{password}'))

/**
 * Whether the bank refused what was typed: it showed the login page again, or answered 401. Another error page may refuse
 * the authorization request, which some checks change intentionally.
 */
const isRefusedLogin = (
  { outcome, acted, isAskedAgain, exchange }: RedirectResult,
  { pages }: PageRecipe,
): boolean => {
  const last = pages[acted.at(-1) ?? -1]
  if (outcome !== 'page' || last === undefined || !isLoginPage(last)) return false
  return isAskedAgain === true || exchange.response?.status === 401
}

const stopped = (
  customer: CustomerProfile,
  index: number,
  { refused, logins: { hasSucceeded, refusals } }: { readonly refused: Exchange; readonly logins: Logins },
): Error => {
  const why = `no further login after ${refusals.length} refused ones, since more could lock the account`
  return hasSucceeded
    ? new Inconclusive(
        `${why}: the password of ${customer.name} was accepted before, and then refused from ${refused.id} on`,
      )
    : new ProfileMistake(mismatchOf(customer, index, refused), `; ${why}`)
}

const mismatchOf = ({ name }: CustomerProfile, index: number, refused: Exchange): ProfileMismatch => ({
  key: `customers.${index}.password`,
  bound: NOT_SHOWN,
  expected: `password of ${name} (\`customers.${index}.username\`)`,
  shown: `the login is refused: ${refused.response?.status ?? 0} (${sentenceOfPage(refused.response?.body.text ?? '')})`,
  exchange: refused.id,
})
