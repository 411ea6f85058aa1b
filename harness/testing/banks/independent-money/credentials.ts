import { CLIENTS, CUSTOMERS } from './seed-data.ts'

const applications = ['QUAY_TPP', 'QUAY_TPP2', 'QUAY_FAC'].flatMap((name, at): [string, string][] => [
  [`${name}_ID`, CLIENTS[at]?.id ?? ''],
  [`${name}_SECRET`, CLIENTS[at]?.secret ?? ''],
])

const customers = ['', '2'].flatMap((number, at): [string, string][] => [
  [`QUAY_USER${number}`, CUSTOMERS()[at]?.name ?? ''],
  [`QUAY_PASSWORD${number}`, CUSTOMERS()[at]?.password ?? ''],
])

/** The environment variables that the profile of this bank reads. */
export const credentials: Record<string, string> = Object.fromEntries([...applications, ...customers])
