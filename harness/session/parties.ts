import { NotReached } from '../evidence/signals.ts'
import type { CustomerProfile, Profile } from '../profile/schema.ts'
import type { Application } from './application.ts'
import type { Webhook } from './webhook.ts'

export interface PartiesOptions {
  readonly profile: Pick<Profile, 'customers'>
  /** Of the applications that act. */
  readonly kind: 'FAC' | 'TPP' | 'any'
  /** Opens the scenario's address on the sink, for an application that acts. */
  readonly webhook?: (acting: () => Application) => Webhook
}

/** @throws NotReached where the profile names nobody. */
export const named = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new NotReached(`the profile names no ${what}`)
  return value
}

/** Who acts in a scenario, and where it is called: whom the profile does not name is missed when somebody asks. */
export class Parties {
  readonly #options: PartiesOptions
  readonly #applications: readonly Application[]
  readonly #webhook: Webhook | undefined

  /** @param applications of that kind, in the order of the profile. */
  constructor(applications: readonly Application[], options: PartiesOptions) {
    this.#options = options
    this.#applications = applications
    this.#webhook = options.webhook?.(() => this.app)
  }

  get app(): Application {
    return named(this.#applications[0], `application of the kind ${this.#options.kind}`)
  }

  get other(): Application {
    const [first, ...others] = this.#applications
    const second = others.find(({ kind }) => kind === first?.kind)
    return named(second, `second application of the kind ${this.#options.kind}`)
  }

  get customer(): CustomerProfile {
    return named(this.#options.profile.customers[0], 'customer')
  }

  get otherCustomer(): CustomerProfile {
    return named(this.#options.profile.customers[1], 'second customer')
  }

  get webhook(): Webhook {
    if (this.#webhook !== undefined) return this.#webhook
    throw new Error('a scenario with webhook calls declares that it needs "webhook" or "webhook-settings"')
  }
}
