import { APPLICATIONS, CUSTOMERS } from './seed.ts'

const applications = ['TERRACE', 'BALCONY', 'PATIO'].flatMap((name, index): [string, string][] => [
  [`${name}_ID`, APPLICATIONS[index]?.id ?? ''],
  [`${name}_SECRET`, APPLICATIONS[index]?.secret ?? ''],
])

const customers = ['FIRST', 'SECOND'].flatMap((name, index): [string, string][] => [
  [`${name}_NAME`, CUSTOMERS[index]?.contractNumber ?? ''],
  [`${name}_PASSWORD`, CUSTOMERS[index]?.passphrase ?? ''],
])

/** The environment variables that a profile of this bank reads. */
export const credentials: Record<string, string> = Object.fromEntries([...applications, ...customers])
