import { AsyncLocalStorage } from 'node:async_hooks'
import { createCipheriv, createHash, randomBytes as bytesOfSystem } from 'node:crypto'

/**
 * The random values of the bank: those of the operating system, or within `withSeed` the same ones each time, so that the
 * proof can compare two banks.
 */

type Stream = (count: number) => Buffer

/** Bytes that are drawn at once, since each request for them is slow. */
const AHEAD = 2048

const drawnAhead = (next: Stream): Stream => {
  let ahead = Buffer.alloc(0)
  return (count) => {
    if (ahead.length < count) ahead = Buffer.concat([ahead, next(Math.max(count, AHEAD))])
    const drawn = ahead.subarray(0, count)
    ahead = ahead.subarray(count)
    return drawn
  }
}

const system = drawnAhead(bytesOfSystem)

/** AES-256 in counter mode (NIST SP 800-38A, section 6.5). */
const streamOf = (seed: string): Stream => {
  const cipher = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16))
  return drawnAhead((count) => cipher.update(Buffer.alloc(count)))
}

const seeded = new AsyncLocalStorage<Stream>()

/** Draws all random values of the banks in `act` from this seed. */
export const withSeed = <Result>(seed: string, act: () => Result): Result => seeded.run(streamOf(seed), act)

/** @param count the number of bytes. */
export const randomBytes = (count: number): Buffer => (seeded.getStore() ?? system)(count)

/** @param end an integer up to 2 ** 47, which is not drawn any more. */
export const randomInt = (end: number): number => randomBytes(6).readUIntBE(0, 6) % end

/** RFC 9562, section 5.4. */
export const randomUUID = (): string => {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
