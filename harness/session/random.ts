import { createCipheriv, createHash, randomBytes } from 'node:crypto'

/** What is random in an act: fresh for each act, and the same when an act is done again from its log. */
export interface Random {
  bytes(count: number): Buffer
  /** A random UUID (RFC 9562 §5.4). */
  uuid(): string
  /** One of the characters. */
  oneOf(characters: string): string
}

const uuidOf = (bytes: Buffer): string => {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const randomFrom = (bytes: (count: number) => Buffer): Random => ({
  bytes,
  uuid: () => uuidOf(bytes(16)),
  oneOf: (characters) => characters.charAt(bytes(4).readUInt32BE() % characters.length),
})

/** The randomness of the operating system. */
export const chance: Random = randomFrom((count) => randomBytes(count))

/** So much of a stream is made at once: a draw is a few bytes. */
const AHEAD_BYTES = 256

const randomFromStream = (next: (count: number) => Buffer): Random => {
  let ahead = Buffer.alloc(0)
  return randomFrom((count) => {
    if (ahead.length < count) ahead = Buffer.concat([ahead, next(Math.max(count, AHEAD_BYTES))])
    const drawn = ahead.subarray(0, count)
    ahead = ahead.subarray(count)
    return drawn
  })
}

/** Of a block of AES. A key is good for one source, so that the counter may begin at any number. */
const COUNTER = Buffer.alloc(16)

/**
 * A source that nobody can foretell without its key, and that gives the same again with it: the stream of AES-256 in
 * counter mode (NIST SP 800-38A §6.5).
 * @param key of 32 bytes.
 */
export const keyedRandom = (key: Buffer): Random => {
  const stream = createCipheriv('aes-256-ctr', key, COUNTER)
  return randomFromStream((count) => stream.update(Buffer.alloc(count)))
}

/**
 * A source that gives the same again with the same seed, and that whoever knows the seed can foretell: blocks of
 * SHAKE256 (FIPS 202). Made in no time, for whoever needs thousands.
 */
export const seededRandom = (seed: string): Random => {
  let block = 0
  return randomFromStream((outputLength) => {
    block += 1
    return createHash('shake256', { outputLength }).update(`${block} ${seed}`).digest()
  })
}
