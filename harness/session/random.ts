import { createCipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * A source of random values: fresh for each run of a scenario, and the same when the scenario is repeated from a
 * log.
 */
export interface Random {
  bytes(count: number): Buffer
  /** A random UUID (RFC 9562 §5.4). */
  uuid(): string
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

/** Random values of the operating system. */
export const chance: Random = randomFrom((count) => randomBytes(count))

/** How many bytes are drawn from a stream at once. */
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

/** The initial counter block. A key is used for one source only, so that any counter is safe. */
const COUNTER = Buffer.alloc(16)

/**
 * A source that is unpredictable without its key and repeatable with it: AES-256 in counter mode (NIST SP 800-38A
 * §6.5).
 * @param key 32 bytes.
 */
export const keyedRandom = (key: Buffer): Random => {
  const stream = createCipheriv('aes-256-ctr', key, COUNTER)
  return randomFromStream((count) => stream.update(Buffer.alloc(count)))
}

/**
 * A source that is repeatable, and predictable for anybody who knows the seed: SHAKE256 (FIPS 202). It is faster to
 * create than `keyedRandom`.
 */
export const seededRandom = (seed: string): Random => {
  let block = 0
  return randomFromStream((outputLength) => {
    block += 1
    return createHash('shake256', { outputLength }).update(`${block} ${seed}`).digest()
  })
}
