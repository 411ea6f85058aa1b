import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { createSeal, keyOf } from '../../evidence/seal.ts'

/** The first line of a log: what the run is about, in clear. */

export const headerSchema = z.strictObject({
  format: z.literal(1),
  suite: z.strictObject({ name: z.string(), version: z.string(), catalogueDigest: z.string() }),
  profileDigest: z.string(),
  baseUrl: z.string(),
  seed: z.int(),
  /** The command line. */
  argv: z.array(z.string()),
  startedAt: z.iso.datetime(),
  /** How the target's time follows from that of this machine. */
  pace: z.strictObject({ origin: z.number(), speed: z.number().positive() }),
  /** What the key of all other lines is made with, beside the secrets of the profile. */
  salt: z.string(),
  /** A text that is known, sealed: it tells other secrets from a damaged log. */
  proof: z.string(),
})

export type Header = z.output<typeof headerSchema>

const KNOWN = 'conformance'

/** A header, and the key that belongs to it. */
export const createHeader = async (
  about: Omit<Header, 'format' | 'salt' | 'proof'>,
  secrets: readonly string[],
): Promise<{ readonly header: Header; readonly key: Buffer }> => {
  const salt = randomBytes(16)
  const key = await keyOf(secrets, salt)
  const proof = createSeal(key, KNOWN).close(KNOWN, 0)
  return { header: { format: 1, ...about, salt: salt.toString('base64'), proof }, key }
}

/** The key of a log; nothing where it was written with other secrets. */
export const keyFor = async (
  { salt, proof }: Header,
  secrets: readonly string[],
): Promise<Buffer | undefined> => {
  const key = await keyOf(secrets, Buffer.from(salt, 'base64'))
  try {
    createSeal(key, KNOWN).open(proof, 0)
    return key
  } catch {
    return undefined
  }
}
