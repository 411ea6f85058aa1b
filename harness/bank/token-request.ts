/** What every step at the token endpoint knows. */
import { ledgerOf, type Call } from './call.ts'
import type { Client, Code, Grant, RefreshToken } from './world.ts'

export interface TokenRequest {
  readonly call: Call
  /** Proved by its secret. */
  readonly client: Client
  readonly form: URLSearchParams
}

/** The grant from which a code or a refresh token descends. */
export const grantOf = (call: Call, record: Code | RefreshToken): Grant => {
  const grant = ledgerOf(call, record).grants.get(record.grantId)
  if (!grant) throw new Error(`a code or token without its grant: ${record.grantId}`)
  return grant
}
