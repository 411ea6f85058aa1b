import type { AccountProfile, CustomerProfile } from '../../profile/schema.ts'
import type { PageRecipe } from '../../profile/schema/authorization.ts'
import type { Decision } from './customer-acts.ts'
import type { Navigation } from './page-navigation.ts'
import type { Http } from '../http/http.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { HttpRequest } from '../http/request.ts'

/** One authorization: which customer, and what they decide. */
export interface AuthorizationRequest {
  readonly http: Http
  /** Undefined if the profile has no customer. */
  readonly customer: CustomerProfile | undefined
  readonly decision: Decision
  /** The known accounts, of which those with `consented` are shared; left out where no account is asked for. */
  readonly accounts?: readonly AccountProfile[]
  readonly redirectUri: string
  /** What a program follows as the customer; by default the pages of the profile's authorization. */
  readonly recipe?: PageRecipe
  /** Whether the bank has no reason to refuse: a page with an error status may then be of an intermediary, whatever the status. */
  readonly isToBeGranted?: boolean
  /** Whether nothing in the request is a reason to refuse a login: another server may then have refused it. */
  readonly isPlain?: boolean
}

/**
 * How customers authorize: with pages over HTTP, in a browser, by a person, or with imported tokens. A run has one
 * driver.
 */
export interface AuthorizationDriver {
  /**
   * Authorizes: from the authorization request to its redirect result.
   * @throws NotReached if the profile does not say how a customer authorizes, or a person did not do it.
   * @throws Inconclusive if the authorization has no end.
   */
  authorize(request: AuthorizationRequest, start: HttpRequest): Promise<RedirectResult>
  /** Goes through pages that have a recipe of their own, such as those that select the scenario of a loan. */
  walk(walk: Navigation, start: HttpRequest): Promise<RedirectResult>
  /** Closes what the driver has opened. */
  close(): Promise<void>
}

/** What a run gives to its driver. */
export interface DriverOptions {
  /** Aborted when the run is over. */
  readonly ends?: AbortSignal
  /** The folder for the traces of a browser that did not reach an end. */
  readonly folder?: string
  /** The name of the channel on which a person is asked; without it, no person is asked. */
  readonly promptChannel?: string
  /** So many refused logins in a row end those of a customer. */
  readonly mostRefusals?: number
}
