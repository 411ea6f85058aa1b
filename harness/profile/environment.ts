import type { Profile } from './schema.ts'

/** The environments of a target (interface, Versioning, 2). */

export type Environment = Profile['environment']

export const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly Environment[]

export const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** The environments in which the credentials and customers of the profile are valid. */
export const heldEnvironments = ({ environment, environments }: Profile): readonly Environment[] =>
  environments ?? [environment]
