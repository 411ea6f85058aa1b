import { headerOf } from '../evidence/exchange.ts'
import type { CustomerProfile, Profile } from '../profile/schema.ts'
import type { Http } from './http/http.ts'

export type TokenOwners = ReturnType<typeof createTokenOwners>

const isWithoutAccounts = ({ hasAccounts }: CustomerProfile): boolean => hasAccounts === false

/** Whose accounts a token opens: the list of a customer without an account is empty, which is no refusal. */
export const createTokenOwners = ({ customers }: Pick<Profile, 'customers'>) => {
  const owners = new Map<string, CustomerProfile>()
  // A token of an unknown owner is one of theirs.
  const hasNobody = customers.length > 0 && customers.every(isWithoutAccounts)
  // A scenario may begin with another customer, and so the places in the list do not say who it is.
  const names = customers.map(({ name }) => name).sort()
  const note = (secret: string, customer: CustomerProfile | undefined): void => {
    if (customer !== undefined) owners.set(secret, customer)
  }
  return {
    /** Notes the customer of a code, or of a token. */
    note,
    /** Notes that a code or a refresh token was exchanged for these tokens. */
    follow: (secret: string, issued: readonly (string | undefined)[]) => {
      for (const token of issued) if (token !== undefined) note(token, owners.get(secret))
    },
    /** Whether the customer is known to have no account. */
    hasNoAccount: (accessToken: string) => {
      const owner = owners.get(accessToken)
      return owner === undefined ? hasNobody : isWithoutAccounts(owner)
    },
    /** Notes of each request whose access token it has. */
    named: (http: Http): Http => ({
      ...http,
      send: (request, ...rest) => {
        const [, token = ''] = /^Bearer (.*)$/.exec(headerOf(request.headers, 'Authorization') ?? '') ?? []
        const customer = names.indexOf(owners.get(token)?.name ?? '')
        return http.send({ ...request, ...(customer >= 0 && { customer }) }, ...rest)
      },
    }),
  }
}
