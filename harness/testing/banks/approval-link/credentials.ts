import { APPLICATIONS, CUSTOMERS } from './seed-data.ts'

const applications = APPLICATIONS.flatMap(({ name, id, secret, signing }): [string, string][] => [
  [`${name.toUpperCase()}_ID`, id],
  [`${name.toUpperCase()}_SECRET`, secret],
  [`${name.toUpperCase()}_SIGNING`, signing],
])

const customers = CUSTOMERS.flatMap(({ name, pin }): [string, string][] => [
  [`${name.toUpperCase()}_NAME`, name],
  [`${name.toUpperCase()}_PIN`, pin],
])

/** The environment variables that a profile of this bank reads. */
export const credentials: Record<string, string> = Object.fromEntries([...applications, ...customers])
