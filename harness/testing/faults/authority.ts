import { generate } from 'selfsigned'

/** Creates certificates for tests. */

export interface Pair {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

interface Wanted {
  readonly name?: string
  readonly issuer?: Pair
  readonly isAuthority?: boolean
  readonly from?: Date
  readonly until?: Date
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The time in this number of days; a negative number gives a time in the past. */
export const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS)

/** @param wanted default: a self-signed certificate for this machine that is valid for years, also by a shifted clock. */
export const makePair = async (wanted: Wanted = {}): Promise<Pair> => {
  const { name = 'localhost', issuer, isAuthority = issuer === undefined } = wanted
  const altNames = [
    { type: 2 as const, value: name },
    ...(name === 'localhost' ? [{ type: 7 as const, ip: '127.0.0.1' }] : []),
  ]
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: wanted.from ?? inDays(-1_000),
    notAfterDate: wanted.until ?? inDays(1_000),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority },
      { name: 'subjectAltName', altNames },
    ],
    ...(issuer && { ca: { key: issuer.key, cert: issuer.cert } }),
  })
  return { cert, key }
}
