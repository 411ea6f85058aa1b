import { createHmac, randomBytes } from 'node:crypto'

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
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const randomFrom = (bytes: (count: number) => Buffer): Random => ({
  bytes,
  uuid: () => uuidOf(bytes(16)),
  oneOf: (characters) => characters.charAt(bytes(4).readUInt32BE() % characters.length),
})

/** The randomness of the operating system. */
export const chance: Random = randomFrom((count) => randomBytes(count))

/** A digest of SHA-256. */
const BLOCK_BYTES = 32

/** A source that nobody can foretell without its key, and that gives the same again with it. */
export const keyedRandom = (key: Buffer): Random => {
  let blocks = 0
  const block = (): Buffer =>
    createHmac('sha256', key)
      .update(String((blocks += 1)))
      .digest()
  let left: Buffer = Buffer.alloc(0)
  return randomFrom((count) => {
    const missing = Math.ceil(Math.max(0, count - left.length) / BLOCK_BYTES)
    left = Buffer.concat([left, ...Array.from({ length: missing }, block)])
    const drawn = left.subarray(0, count)
    left = left.subarray(count)
    return drawn
  })
}
