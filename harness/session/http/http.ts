import { setTimeout as sleep } from 'node:timers/promises'
import { OPERATIONS, type Exchange } from '../../evidence/exchange.ts'
import {
  backingOff,
  refusalsAskedAgain,
  redialed,
  repeatedAfterFirewall,
  repeatedAfterServerErrors,
  type BackOff,
  type Pause,
} from './layers/repetitions.ts'
import { unlessUnanswered, type Breaking } from './layers/breaker.ts'
import { withFormEncodedCredentials, type KnownCredentials } from './layers/form-encoded.ts'
import { withStandingHeaders } from './layers/headers.ts'
import { throughLayers, type Delivery, type Layer, type SecretsOf } from './layers/layer.ts'
import { logged, type Logging } from './layers/logged.ts'
import { paced, type Pace } from './layers/paced.ts'
import { broughtByPerson } from './layers/person.ts'
import { asNamed, atReachedOrigin, type PublicOrigin } from './layers/public-origin.ts'
import { recorded, type Recording } from './layers/recorded.ts'
import { sendOnce, type Network } from './network.ts'
import { budgeted, permitted, type Permitting, type Spending } from './permissions.ts'
import { isSafe } from './repeatable.ts'
import type { Redactor } from '../../evidence/redaction.ts'
import type { HttpRequest } from './request.ts'

export type { BringAnswer, Delivery, SecretsOf } from './layers/layer.ts'

/** Sends requests, one exchange each. Every request that is sent is in the journal. */
export interface Http {
  /**
   * @throws HeldBack if the effect of the request is not allowed, or its origin is not one of the target.
   * @throws NotReached if it is meant for the sandbox and its address could be one of production.
   */
  send(request: HttpRequest, secretsOf?: SecretsOf, delivery?: Delivery): Promise<Exchange>
  /** The origins to which requests may be sent, and the public one, which stands for that of the target. */
  readonly origins: readonly string[]
  /** The address as the target names it, to which cookies belong; left out, it is the same. */
  readonly named?: (url: string) => string
  /** Lets time pass, in ms, until a page is reloaded. */
  readonly wait?: Pause
  /** Knows the secrets of all exchanges, for other output about them. */
  readonly redactor: Redactor
}

export interface HttpOptions
  extends BackOff, Breaking, Logging, Network, Pace, Permitting, Recording, Spending {
  /** If the target writes another origin into its addresses than that at which it is reached. */
  readonly publicOrigin?: PublicOrigin
  readonly credentials?: KnownCredentials
}

/** What happens to a request, in order: each layer has it sent by the next ones, and the last one by the network. */
const layersOf = (options: HttpOptions): readonly Layer[] => {
  const log = logged(options)
  const { credentials = { pairs: [], isUnknownClient: () => false } } = options
  return [
    // First: whether a request may be sent depends on the address to which it is really sent.
    atReachedOrigin(options.publicOrigin),
    // Before anything waits, is counted or is recorded.
    permitted(options),
    // Around the repetitions: what they end with is the bank's refusal.
    refusalsAskedAgain(credentials),
    // Around all that follows, so that repetitions and control requests are limited and recorded like any other.
    repeatedAfterServerErrors(options),
    // Within a repetition: that page is no server error.
    repeatedAfterFirewall,
    withFormEncodedCredentials(credentials),
    // Counts each of these repetitions; what the next two repeat is one request for it.
    unlessUnanswered(options),
    // Around a dropped connection, which has no answer that asks for a pause.
    backingOff(options),
    redialed,
    // From here on it is one attempt with an id. One that is replayed from the log takes no turn and costs no budget.
    recorded(options),
    // Neither does one by a person.
    broughtByPerson(options, log),
    // Before the budget is spent: the run may end while the request waits.
    paced(options),
    // What cannot be sent costs no budget.
    withStandingHeaders(options),
    budgeted(options),
    // Last, since a request in the log may have been sent.
    log,
  ]
}

export const createHttp = (options: HttpOptions): Http => {
  const { publicOrigin, origins, redactor } = options
  const send = throughLayers(layersOf(options), sendOnce(options))
  return {
    origins: publicOrigin === undefined ? origins : [...origins, publicOrigin.named],
    redactor,
    wait: options.pause ?? ((ms) => sleep(ms)),
    ...(publicOrigin !== undefined && { named: (url: string) => asNamed(publicOrigin, url) }),
    send: async (request, secretsOf, delivery = {}) => {
      const { effect } = OPERATIONS[request.operation]
      return send({ ...delivery, request, effect, secretsOf, isRepeatable: isSafe(request), id: '' })
    },
  }
}
