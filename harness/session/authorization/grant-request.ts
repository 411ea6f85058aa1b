import { NotReached } from '../../evidence/signals.ts'
import { recipeOf } from '../../profile/schema/authorization.ts'
import { pageRequest, unchanged, type Change } from '../http/request.ts'
import { createVerifier } from '../pkce.ts'
import { chance } from '../random.ts'
import { urlOf, type FlowContext } from '../target.ts'
import { codeQuery, freshState } from './code-request.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { Environment } from '../../profile/environment.ts'
import type { oauthOf } from '../../profile/oauth.ts'
import type { AccountProfile, ApplicationProfile, CustomerProfile, Profile } from '../../profile/schema.ts'
import type { TokenOwners } from '../token-owners.ts'
import type { Decision } from './customer-acts.ts'

/** Lets a customer authorize an application. */

/** The parts of an authorization request; a part that is left out gets a fresh valid value. */
export interface AuthorizationOptions {
  /** The consent of a TPP; if left out, one is created first. A FAC has none. */
  readonly consentId?: string
  readonly scope?: string
  readonly state?: string
  readonly verifier?: string
  readonly redirectUri?: string
  readonly decision?: Decision
  readonly customer?: CustomerProfile
  /**
   * The IBANs of the accounts that the customer shares (needs: account-choice); by default those that the profile calls
   * consented.
   */
  readonly accounts?: readonly string[]
  /** One change to the authorization request. */
  readonly change?: Change
}

/** A grant by the customer: an authorization code and the values that its exchange needs. */
export interface Grant {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
  readonly scope: string
  readonly consentId?: string
  readonly redirectResult: RedirectResult
}

/** What the grants of one application in one variant need. */
export interface GrantingContext extends FlowContext {
  readonly application: ApplicationProfile
  readonly oauth: ReturnType<typeof oauthOf>
  /** Learns whose the tokens are. */
  readonly owners?: TokenOwners
}

interface Purpose {
  /** Gives the consent of a request that names neither a consent nor a scope. */
  readonly createConsent: () => Promise<string | undefined>
  /** Whether the bank has no reason to refuse. */
  readonly isToBeGranted?: boolean | undefined
}

/** The authorization request, and the values in it that the code exchange needs. */
export const authorizationRequest = (context: GrantingContext, options: AuthorizationOptions) => {
  const { application, oauth, random = chance } = context
  const { consentId } = options
  const scope = options.scope ?? (consentId === undefined ? oauth.scope : `${oauth.scope}:${consentId}`)
  const verifier = options.verifier ?? createVerifier(random)
  const redirectUri = options.redirectUri ?? application.redirectUris[0]?.uri ?? ''
  const state = options.state ?? freshState(random)
  const query = codeQuery({ clientId: application.clientId, redirectUri, scope, state, verifier })
  const request = pageRequest('authorize', `${urlOf(context, oauth.authorize)}?${query.toString()}`)
  return { request, verifier, redirectUri, scope }
}

export const requestGrant = async (
  context: GrantingContext,
  options: AuthorizationOptions,
  { createConsent, isToBeGranted = false }: Purpose,
): Promise<Omit<Grant, 'code'>> => {
  const { profile, http, driver, application, owners } = context
  const consentId = options.consentId ?? (options.scope === undefined ? await createConsent() : undefined)
  const asked = { ...options, ...(consentId !== undefined && { consentId }) }
  const { request, verifier, redirectUri, scope } = authorizationRequest(context, asked)
  const { customer = context.customer, decision = 'grant', change = unchanged } = options
  const accounts = accountsOf(customer, profile.environment, options.accounts)
  const isPlain =
    decision === 'grant' &&
    [options.change, options.scope, options.consentId].every((part) => part === undefined) &&
    application.redirectUris.some(({ uri }) => uri === redirectUri)
  const redirectResult = await driver.authorize(
    { http, customer, accounts, decision, redirectUri, isPlain, ...(isToBeGranted && { isToBeGranted }) },
    change(request),
  )
  // Another choice of accounts gives other lists than those of this customer.
  if (options.accounts !== undefined) requireChoice(redirectResult, profile)
  else if (redirectResult.code !== undefined) owners?.note(redirectResult.code, customer)
  return { redirectResult, verifier, redirectUri, scope, ...(consentId !== undefined && { consentId }) }
}

/** The known accounts in an environment, with what the customer shares. @param shared IBANs, instead of what the profile says */
const accountsOf = (
  customer: CustomerProfile | undefined,
  environment: Environment,
  shared?: readonly string[],
): readonly AccountProfile[] =>
  (customer?.accounts ?? [])
    .filter(({ environments = [environment] }) => environments.includes(environment))
    .map((account) => ({ ...account, consented: shared?.includes(account.iban) ?? account.consented }))

/** @throws NotReached if the customer could not choose accounts, although the authorization gave a code. */
const requireChoice = ({ code, acted, exchange }: RedirectResult, { authorization }: Profile): void => {
  const pages = recipeOf(authorization)?.pages ?? []
  if (code === undefined || acted.some((at) => pages[at]?.tickAccounts !== undefined)) return
  throw new NotReached(
    `before ${exchange.id} no page asked which accounts are shared (authorization.pages[].tickAccounts)`,
  )
}
