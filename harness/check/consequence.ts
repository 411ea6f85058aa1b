/**
 * `critical`: somebody may gain access to the data or the money of others, or money may be moved without the customer's will.
 * `major`: a customer or a client application that relies on the interface gets a wrong result or none. `minor`: a
 * recommendation is not followed.
 */
export const SEVERITIES = ['critical', 'major', 'minor'] as const

export type Severity = (typeof SEVERITIES)[number]

/** What a violation means for people who do not know the interface. */
export interface Consequence {
  /** Of a broken MUST. */
  readonly severity: Severity
  readonly customers: string
}
