import { randomUUID } from 'node:crypto'

/** The consents that each client has created. They do not end. */
export interface Consents {
  create(clientId: string): string
  of(clientId: string): readonly string[]
}

export const createConsents = (): Consents => {
  const consents = new Map<string, readonly string[]>()
  const of = (clientId: string): readonly string[] => consents.get(clientId) ?? []
  return {
    of,
    create(clientId) {
      const consentId = randomUUID()
      consents.set(clientId, [...of(clientId), consentId])
      return consentId
    },
  }
}
