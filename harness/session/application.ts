import { NotReached } from '../evidence/signals.ts'
import { anywhere, endOf, jsonOf, need, type RedirectResult } from '../evidence/record/answer.ts'
import {
  authorizationRequest,
  requestGrant,
  type AuthorizationOptions,
  type Grant,
  type GrantingContext,
} from './authorization/grant-request.ts'
import {
  openTokenEndpoint,
  type TokenEndpoint,
  type Tokens,
  type TokenSet,
} from './authorization/token-endpoint.ts'
import { createRefresh, taskIdIn, type RequestRefresh } from './accounts/refresh.ts'
import { basic, unchanged, type Change } from './http/request.ts'
import { idAndAuthorization, sendingTo, urlOf } from './target.ts'
import { grantedVariants, oauthOf, type Variant } from '../profile/oauth.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { Variants } from './accounts/variants.ts'
import type { RegisteredUri } from '../profile/redirect-uris.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { ApplicationProfile } from '../profile/schema.ts'

/** An authorization, and its code exchange if there was a code. */
export interface GrantAttempt {
  readonly redirectResult: RedirectResult
  /** Undefined if no code was given. */
  readonly exchange?: Exchange
}

/** A refresh, and the tokens after it: the old ones if its answer has no new ones. */
export interface Renewal {
  readonly exchange: Exchange
  readonly tokens: Tokens
}

/**
 * One client application. Every method sends one valid request, or the same request with one change, and returns
 * the result. Methods that return more than an exchange throw NotReached if the target does not give what their
 * name says.
 */
export interface Application extends TokenEndpoint {
  readonly profile: ApplicationProfile
  readonly kind: ApplicationProfile['kind']
  /** The variants that its grants open. */
  readonly opens: readonly Variant[]
  /** The same application, with grants that open this variant: itself, unless each variant is granted by itself. */
  for(variant: Variant): Application
  /**
   * The first registered redirect URI that fits, for example one with the delivery `redirect`.
   * @throws NotReached if none fits.
   */
  redirectUri(fits: (registered: RegisteredUri) => boolean): string
  /** POST /v1/consents */
  createConsent(change?: Change): Promise<Exchange>
  /** Creates the consent of a TPP and returns its id; undefined where a grant has none, such as that of a FAC. */
  consent(): Promise<string | undefined>
  /** The request for an authorization alone, without a customer who goes on: whether the bank lets one begin. */
  askForAuthorization(options: Omit<AuthorizationOptions, 'change'>): Promise<Exchange>
  /** Lets the customer authorize, and returns where the authorization ended. */
  authorize(options?: AuthorizationOptions): Promise<RedirectResult>
  /** An authorization that gave a code. @throws NotReached if it gave none. */
  grant(options?: AuthorizationOptions): Promise<Grant>
  exchangeFreshCode(change?: Change): Promise<Exchange>
  /** The refresh, whether it succeeds or not: for a claim that it succeeds. */
  renew(tokens: Tokens, change?: Change): Promise<Renewal>
  /** A fresh grant exchanged for tokens. */
  tokens(options?: AuthorizationOptions): Promise<TokenSet>
  /** A fresh grant and its code exchange, whether they succeed or not: for a claim about that. */
  attemptGrant(options?: AuthorizationOptions, change?: Change): Promise<GrantAttempt>
  /** The account operations of one variant (the second needs: second-variant). */
  accounts(variant: Accounts['variant']): Accounts
  /** PUT /refresh, for the consent of the token. */
  refreshAccounts: RequestRefresh
  /** The taskId in the answer to a refresh, if there is one. */
  taskIdIn(refresh: Exchange): string | undefined
  /** The list of accounts in the first variant that its grants open: GET /v1/accounts. */
  listAccounts(accessToken: string, change?: Change): Promise<Exchange>
}

interface ApplicationContext extends Omit<GrantingContext, 'application' | 'oauth'> {
  readonly accounts: Variants
}

/** @param variant the one that its grants open; they open both, unless each is granted by itself. */
export const createApplication = (
  profile: ApplicationProfile,
  context: ApplicationContext,
  variant: Variant = 'first',
): Application => {
  const areSeparate = grantedVariants(context.profile).includes('second')
  const opensOne = areSeparate || context.profile.secondVariant === undefined
  const granting = { ...context, application: profile, oauth: oauthOf(context.profile, variant) }
  const endpoint = openTokenEndpoint(granting)

  const createConsent: Application['createConsent'] = (change) => requestConsent(granting, change)
  const consent = async (): Promise<string | undefined> => {
    if (profile.kind === 'FAC' || !granting.oauth.hasConsent) return undefined
    const exchange = await createConsent()
    const [consentId] = anywhere(jsonOf(exchange), 'consentId')
    return need(exchange, consentId, 'a consentId')
  }

  const application: Application = {
    profile,
    kind: profile.kind,
    opens: opensOne ? [variant] : ['first', 'second'],

    for: (wanted) =>
      areSeparate && wanted !== variant ? createApplication(profile, context, wanted) : application,

    redirectUri(fits) {
      const registered = profile.redirectUris.find(fits)
      if (registered !== undefined) return registered.uri
      throw new NotReached(`the profile has no such redirect URI of ${profile.name}`)
    },

    createConsent,
    consent,
    askForAuthorization: (options) =>
      sendingTo(context.http)(authorizationRequest(granting, options).request, unchanged),
    ...endpoint,
    ...grantsOf(endpoint, (options, isToBeGranted) =>
      requestGrant(granting, options, { createConsent: consent, isToBeGranted }),
    ),

    accounts: context.accounts,
    refreshAccounts: createRefresh(context),
    taskIdIn,
    listAccounts: (accessToken, change) => context.accounts(variant).list(accessToken, change),
  }
  return application
}

const requestConsent = (context: GrantingContext, change = unchanged): Promise<Exchange> => {
  const { profile, application, http } = context
  const { clientId, clientSecret } = application
  const { requestIdHeader } = profile.operations.createConsent
  return sendingTo(http)(
    {
      operation: 'createConsent',
      method: 'POST',
      url: urlOf(context, 'operations.createConsent'),
      headers: idAndAuthorization(context, requestIdHeader, basic(clientId, clientSecret)),
    },
    change,
  )
}

type Grants = Pick<
  Application,
  'authorize' | 'grant' | 'exchangeFreshCode' | 'renew' | 'tokens' | 'attemptGrant'
>

/** What follows from an authorization and the token endpoint. */
const grantsOf = (
  { exchangeCode, refresh, tokensIn, tokensOf }: TokenEndpoint,
  start: (options: AuthorizationOptions, isToBeGranted?: boolean) => Promise<Omit<Grant, 'code'>>,
): Grants => {
  const grant = async (options: AuthorizationOptions = {}): Promise<Grant> => {
    const { redirectResult, ...request } = await start(options, true)
    if (redirectResult.code !== undefined) return { ...request, code: redirectResult.code, redirectResult }
    throw new NotReached(
      `the authorization ended at ${redirectResult.exchange.id} (${endOf(redirectResult)}) without a code`,
    )
  }

  return {
    grant,
    authorize: async (options = {}) => (await start(options)).redirectResult,
    exchangeFreshCode: async (change) => exchangeCode(await grant(), change),

    async renew({ accessToken, refreshToken }, change) {
      const exchange = await refresh({ refreshToken }, change)
      return { exchange, tokens: { accessToken, refreshToken, ...tokensIn(exchange) } }
    },

    async tokens(options) {
      const granted = await grant(options)
      return tokensOf(await exchangeCode(granted), granted)
    },

    async attemptGrant(options = {}, change) {
      const { redirectResult, ...request } = await start(options)
      const { code } = redirectResult
      if (code === undefined) return { redirectResult }
      return { redirectResult, exchange: await exchangeCode({ ...request, code }, change) }
    },
  }
}
