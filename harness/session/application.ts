import { addressOf } from '../profile/operations.ts'
import { NotReached } from '../evidence/signals.ts'
import { anywhere, endOf, fieldOf, jsonOf, need, type RedirectResult } from '../evidence/record/answer.ts'
import { challengeOf, createVerifier } from './pkce.ts'
import { chance, type Random } from './random.ts'
import { createRefresh, taskIdIn, type RequestRefresh } from './accounts/refresh.ts'
import { basic, unchanged, type Change, type Fields, type HttpRequest } from './http/request.ts'
import { grantedVariants, oauthOf, type Variant } from '../profile/oauth.ts'
import { recipeOf } from '../profile/schema/authorization.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { RegisteredUri } from '../profile/redirect-uris.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Environment } from '../profile/environment.ts'
import type { AccountProfile, ApplicationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { Decision } from './authorization/page-navigation.ts'
import type { TokenOwners } from './token-owners.ts'
import type { Http } from './http/http.ts'
import type { Variants } from './accounts/variants.ts'
import type { AuthorizationDriver } from './authorization/driver.ts'

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

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** The tokens of a grant, with the answer of the token endpoint that issued them. */
export interface TokenSet extends Tokens {
  readonly scope: string
  readonly exchange: Exchange
  readonly consentId?: string
}

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
export interface Application {
  readonly profile: ApplicationProfile
  readonly kind: 'FAC' | 'TPP'
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
  /** Lets the customer authorize, and returns where the authorization ended. */
  authorize(options?: AuthorizationOptions): Promise<RedirectResult>
  /** An authorization that gave a code. @throws NotReached if it gave none. */
  grant(options?: AuthorizationOptions): Promise<Grant>
  /** The code exchange at the token endpoint. */
  exchangeCode(grant: Omit<Grant, 'redirectResult'>, change?: Change): Promise<Exchange>
  /** A fresh grant and its code exchange. */
  exchangeFreshCode(change?: Change): Promise<Exchange>
  /** The refresh at the token endpoint. */
  refresh(tokens: { readonly refreshToken: string }, change?: Change): Promise<Exchange>
  /** The refresh, whether it succeeds or not: for a claim that it succeeds. */
  renew(tokens: Tokens, change?: Change): Promise<Renewal>
  /** A fresh grant exchanged for tokens. */
  tokens(options?: AuthorizationOptions): Promise<TokenSet>
  /** The tokens that an answer of the token endpoint carries. */
  tokensOf(exchange: Exchange, previous?: { readonly scope: string; readonly consentId?: string }): TokenSet
  /** The tokens that an answer has; those that are missing are left out. For a claim about what an answer carries. */
  tokensIn(exchange: Exchange): Partial<Tokens>
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

interface ApplicationContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly accounts: Variants
  readonly http: Http
  readonly driver: AuthorizationDriver
  readonly customer: CustomerProfile | undefined
  readonly random?: Random
  /** Learns whose the tokens are. */
  readonly owners?: TokenOwners
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

const isToken = (value: unknown): value is string => typeof value === 'string' && value !== ''

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** @param variant the one that its grants open; they open both, unless each is granted by itself. */
export const createApplication = (
  profile: ApplicationProfile,
  context: ApplicationContext,
  variant: Variant = 'first',
): Application => {
  const { http, driver, baseUrl, random = chance } = context
  const { operations, secondVariant } = context.profile
  const oauth = oauthOf(context.profile, variant)
  const areSeparate = grantedVariants(context.profile).includes('second')
  const credentials = basic(profile.clientId, profile.clientSecret)

  const send = (
    request: Omit<HttpRequest, 'sender'>,
    change: Change,
    secrets?: (exchange: Exchange) => { name: string; value: string }[],
  ): Promise<Exchange> => http.send(change({ sender: 'scenario', ...request }), secrets)

  const token = (form: Fields, change: Change): Promise<Exchange> =>
    send(
      {
        operation: 'token',
        method: 'POST',
        url: baseUrl + addressOf(context.profile, oauth.token),
        headers: [
          ['Content-Type', FORM_TYPE],
          ['Authorization', credentials],
        ],
        form,
      },
      change,
      issuedTokens,
    )

  /** The profile names the field of the refresh token, so that the list of known secret names may lack it. */
  const issuedTokens = (exchange: Exchange): { name: string; value: string }[] => {
    const value = exchange.response && fieldOf(jsonOf(exchange), operations.token.refreshToken)
    return typeof value === 'string' ? [{ name: 'refresh_token', value }] : []
  }

  /** The tokens of an answer open the accounts of the same customer as what was exchanged for them. */
  const issuedFor = (secret: string, exchange: Exchange): Exchange => {
    if (exchange.response !== undefined) {
      const { accessToken, refreshToken } = application.tokensIn(exchange)
      context.owners?.follow(secret, [accessToken, refreshToken])
    }
    return exchange
  }

  const scopeOf = (consentId: string | undefined): string =>
    consentId === undefined ? oauth.scope : `${oauth.scope}:${consentId}`

  const [firstRedirect] = profile.redirectUris

  const application: Application = {
    profile,
    kind: profile.kind,
    opens: areSeparate || secondVariant === undefined ? [variant] : ['first', 'second'],

    for: (wanted) =>
      areSeparate && wanted !== variant ? createApplication(profile, context, wanted) : application,

    redirectUri(fits) {
      const registered = profile.redirectUris.find(fits)
      if (registered !== undefined) return registered.uri
      throw new NotReached(`the profile has no such redirect URI of ${profile.name}`)
    },

    createConsent: (change = unchanged) =>
      send(
        {
          operation: 'createConsent',
          method: 'POST',
          url: baseUrl + addressOf(context.profile, 'operations.createConsent'),
          headers: [
            [operations.createConsent.requestIdHeader, random.uuid()],
            ['Authorization', credentials],
          ],
        },
        change,
      ),

    async consent() {
      if (profile.kind === 'FAC' || !oauth.hasConsent) return undefined
      const exchange = await application.createConsent()
      const [consentId] = anywhere(jsonOf(exchange), 'consentId')
      return need(exchange, consentId, 'a consentId')
    },

    async authorize(options = {}) {
      return (await start(options)).redirectResult
    },

    async grant(options = {}) {
      const { redirectResult, ...request } = await start(options)
      if (redirectResult.code !== undefined) return { ...request, code: redirectResult.code, redirectResult }
      throw new NotReached(
        `the authorization ended at ${redirectResult.exchange.id} (${endOf(redirectResult)}) without a code`,
      )
    },

    exchangeCode: async (grant, change = unchanged) =>
      issuedFor(
        grant.code,
        await token(
          [
            ['grant_type', 'authorization_code'],
            ['code', grant.code],
            ['scope', grant.scope],
            ['code_verifier', grant.verifier],
            ['redirect_uri', grant.redirectUri],
          ],
          change,
        ),
      ),

    exchangeFreshCode: async (change) => application.exchangeCode(await application.grant(), change),

    refresh: async ({ refreshToken }, change = unchanged) =>
      issuedFor(
        refreshToken,
        await token(
          Object.entries(operations.token.refreshForm).map(([name, value]) => [
            name,
            value.replaceAll('{refresh_token}', () => refreshToken),
          ]),
          change,
        ),
      ),

    async renew({ accessToken, refreshToken }, change) {
      const exchange = await application.refresh({ refreshToken }, change)
      return { exchange, tokens: { accessToken, refreshToken, ...application.tokensIn(exchange) } }
    },

    async tokens(options) {
      const grant = await application.grant(options)
      return application.tokensOf(await application.exchangeCode(grant), grant)
    },

    tokensOf(exchange, previous) {
      const json = jsonOf(exchange)
      const refreshField = operations.token.refreshToken
      return {
        accessToken: need(exchange, fieldOf(json, 'access_token'), 'an access_token'),
        refreshToken: need(exchange, fieldOf(json, refreshField), `a refresh token (${refreshField})`),
        scope: previous?.scope ?? oauth.scope,
        exchange,
        ...(previous?.consentId !== undefined && { consentId: previous.consentId }),
      }
    },

    tokensIn(exchange) {
      const accessToken = fieldOf(jsonOf(exchange), 'access_token')
      const refreshToken = fieldOf(jsonOf(exchange), operations.token.refreshToken)
      return {
        ...(isToken(accessToken) && { accessToken }),
        ...(isToken(refreshToken) && { refreshToken }),
      }
    },

    async attemptGrant(options = {}, change) {
      const { redirectResult, ...request } = await start(options)
      if (redirectResult.code === undefined) return { redirectResult }
      return {
        redirectResult,
        exchange: await application.exchangeCode({ ...request, code: redirectResult.code }, change),
      }
    },

    accounts: context.accounts,
    refreshAccounts: createRefresh(context),
    taskIdIn,
    listAccounts: (accessToken, change) => context.accounts(variant).list(accessToken, change),
  }

  const start = async (options: AuthorizationOptions): Promise<Omit<Grant, 'code'>> => {
    const consentId =
      options.consentId ?? (options.scope === undefined ? await application.consent() : undefined)
    const scope = options.scope ?? scopeOf(consentId)
    const verifier = options.verifier ?? createVerifier(random)
    const redirectUri = options.redirectUri ?? firstRedirect?.uri ?? ''
    const query = new URLSearchParams({
      client_id: profile.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope,
      state: options.state ?? random.bytes(12).toString('base64url'),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    })
    const request: HttpRequest = {
      operation: 'authorize',
      sender: 'customer',
      method: 'GET',
      url: `${baseUrl}${addressOf(context.profile, oauth.authorize)}?${query.toString()}`,
      headers: [],
    }
    const { customer = context.customer, decision = 'grant', change = unchanged } = options
    const accounts = accountsOf(customer, context.profile.environment, options.accounts)
    const redirectResult = await driver.authorize(
      { http, customer, accounts, decision, redirectUri },
      change(request),
    )
    if (options.accounts !== undefined) requireChoice(redirectResult, context.profile)
    if (redirectResult.code !== undefined) context.owners?.note(redirectResult.code, customer)
    return { redirectResult, verifier, redirectUri, scope, ...(consentId !== undefined && { consentId }) }
  }

  return application
}
