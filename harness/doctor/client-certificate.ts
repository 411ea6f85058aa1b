import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SOON_MS } from './certificates.ts'
import { find } from './finding.ts'
import type { Profile } from '../profile/schema.ts'
import type { Findings } from './patient.ts'

/** Whether the certificate of the client can still be shown. Its key is not looked at. */
export const untimelyCertificate = (
  { certificate }: Pick<Profile['connection'], 'certificate'>,
  now: Date,
): Findings => {
  if (certificate === undefined) return []
  const { validFrom, validTo } = new X509Certificate(readFileSync(certificate))
  const isTimely = Date.parse(validFrom) <= now.getTime() && now.getTime() + SOON_MS < Date.parse(validTo)
  const cause = `${certificate} is valid from ${validFrom} until ${validTo}.`
  return isTimely ? [] : [find('CFG-CONN-2', { cause })]
}
