import type { Exchange, Operation } from '../evidence/exchange.ts'
import { inHeaders } from './schema/connection.ts'
import type { Profile } from './schema.ts'

export type HeaderPlaces = Readonly<Partial<Record<Operation, NonNullable<Exchange['inHeaders']>>>>

/** What a success may give in a header, by operation: that of the profile, and an id in the address of what was created. */
export const headerPlacesOf = ({ loans, inHeaders: own }: Profile): HeaderPlaces => {
  const created = inHeaders.parse({
    createConsent: { consentId: {} },
    ...(loans !== undefined && { applyForLoan: { [loans.submission.id]: {} } }),
  })
  return { ...created, ...own }
}
