import { findingOf, leftOut, type Finding, type Findings } from '../../connection/first-contact/finding.ts'
import { recipeOf } from '../../profile/schema/authorization.ts'
import { isLoginPage, MOST_REFUSALS } from '../../session/authorization/login-guard.ts'
import { walkDay } from './day.ts'
import type { ExaminedTarget } from '../../connection/first-contact/examination.ts'
import type { CustomerProfile, Profile } from '../../profile/schema.ts'

/** Examines whether each customer gets to the accounts: one login each, so that no account is locked. */

/** @param earlier an error in it would be the reason of each refusal. */
export const examineLogins = async (
  target: ExaminedTarget,
  customers: readonly CustomerProfile[],
  { earlier, signal }: { readonly earlier: Findings; readonly signal: AbortSignal },
): Promise<Findings> => {
  const announced = announceLogins(target.profile, customers)
  if (customers.length === 0 || recipeOf(target.profile.authorization) === undefined) return announced
  if (earlier.some(({ level }) => level === 'error')) return [...announced, leftOut('logins', earlier)]
  const findings: Finding[] = []
  for (const customer of customers) {
    const found = await examineLogin(target, customer, signal)
    findings.push(found)
    // What is not about this customer would be found again.
    if (found.level !== 'ok' && !found.cause.includes('`customers.')) break
  }
  return [...announced, ...findings]
}

const announceLogins = (
  { authorization, customers }: Profile,
  loggedIn: readonly CustomerProfile[],
): Findings => {
  if (customers.length === 0 || recipeOf(authorization)?.pages.some(isLoginPage) !== true) return []
  const names = (some: readonly CustomerProfile[]): string => some.map(({ name }) => name).join(', ')
  const now =
    loggedIn.length === 0 ? '' : ` The doctor logs in once as ${names(loggedIn)} (--no-login: not at all).`
  const cause = `Customers: ${names(customers)}.${now} After ${MOST_REFUSALS} refused logins of a customer in a row, a run sends no further one; one scenario sends wrong passwords on purpose, no more than two in a row.`
  return [findingOf('CFG-LOGIN-1', { cause })]
}

const examineLogin = async (
  target: ExaminedTarget,
  customer: CustomerProfile,
  signal: AbortSignal,
): Promise<Finding> => {
  const steps = await walkDay(target, { customer, signal })
  const failed = steps.find(({ result }) => result !== 'fits')
  if (failed === undefined)
    return findingOf('TGT-LOGIN-1', { cause: `${customer.name}: ${steps.at(-1)?.seen ?? ''}.` })
  const cause = `${customer.name}, ${failed.step}: ${failed.seen}.`
  return findingOf(failed.result === 'left out' ? 'OWN-LEFT-1' : 'TGT-LOGIN-2', { cause })
}
