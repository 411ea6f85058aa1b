import type { Effect, Exchange, Handover } from '../../../evidence/exchange.ts'
import type { KnownSecret } from '../../../evidence/redaction.ts'
import type { HttpRequest } from '../request.ts'

/** Secrets that only the recipe or the profile identifies, such as the code on a result screen. */
export type SecretsOf = (exchange: Exchange) => readonly KnownSecret[]

/**
 * Replaces the network if a person sends the request, and returns their answer.
 * @param id of the exchange. @param ends aborted at the end of the run, with its reason.
 */
export type BringAnswer = (id: string, ends: AbortSignal | undefined) => Promise<Handover>

/** Further options of a request by a browser or a person. */
export interface Delivery {
  /** Receives the whole body of the answer, without its content coding. */
  readonly onBody?: (bytes: Buffer) => void
  /** Receives the function that writes the exchange, to be called when its secrets are known. */
  readonly deferWrite?: (write: () => void) => void
  /** Whether the request is only for the appearance of a page: it is not an exchange of the scenario, and is not recorded. */
  readonly isUnrecorded?: boolean
  /** Lets a person send it. */
  readonly bring?: BringAnswer
}

/** A request on its way to the network. */
export interface Sending extends Delivery {
  readonly request: HttpRequest
  readonly effect: Effect
  readonly secretsOf?: SecretsOf | undefined
  /** Whether a second one does no harm, so that it may go over a connection that the server may be about to close. */
  readonly isRepeatable: boolean
  /** The id of its exchange: each attempt has its own. */
  readonly id: string
}

/** The layers below, down to the network. */
export type Next = (sending: Sending) => Promise<Exchange>

/** Does one thing about a request, and has it sent by the layers below: not at all, once, or repeatedly. */
export type Layer = (sending: Sending, next: Next) => Promise<Exchange>

/** @param layers the first one receives the request first. */
export const throughLayers = (layers: readonly Layer[], network: Next): Next =>
  layers.reduceRight<Next>((next, layer) => (sending) => layer(sending, next), network)
