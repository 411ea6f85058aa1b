import { isIP } from 'node:net'
import type { SubjectAltNameEntry } from 'selfsigned'

/**
 * A self-signed certificate for a sink without one: the caller must be configured to trust it. Its key is not
 * written to any file.
 */

export interface KeyPair {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

/** Longer than any run. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000
/** The caller's clock may be behind. */
const BEHIND_MS = 24 * 60 * 60 * 1000

const entryOf = (host: string): SubjectAltNameEntry =>
  isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }

/** @param hosts the names and addresses at which the sink is called. */
export const makeCertificate = async (hosts: readonly string[], now: Date): Promise<KeyPair> => {
  // Loaded only when needed.
  const { generate } = await import('selfsigned')
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'webhook sink' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - BEHIND_MS),
    notAfterDate: new Date(now.getTime() + LIFETIME_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...new Set(hosts)].map(entryOf) },
    ],
  })
  return { cert, key }
}
