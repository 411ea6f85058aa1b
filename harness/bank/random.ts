import { AsyncLocalStorage } from 'node:async_hooks'
import { createCipheriv, createHash, randomBytes as bytesOfSystem } from 'node:crypto'

/**
 * The random values of the bank: those of the operating system, or within `withSeed` the same ones each time, so that the
 * proof can compare two banks.
 */

type Stream = (count: number) => Buffer

/** Bytes that are drawn from the operating system at once, since each request for them is slow. */
const AHEAD = 2048

let ahead = Buffer.alloc(0)

const bytesDrawnAhead: Stream = (count) => {
  if (ahead.length < count) ahead = bytesOfSystem(Math.max(count, AHEAD))
  const drawn = ahead.subarray(0, count)
  ahead = ahead.subarray(count)
  return drawn
}

/** AES-256 in counter mode (NIST SP 800-38A, section 6.5). */
const streamOf = (seed: string): Stream => {
  const cipher = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16))
  return (count) => cipher.update(Buffer.alloc(count))
}

/** Values of each size have their own stream: one more of another size changes none of them. */
interface Source {
  readonly seed: string
  readonly bySize: Map<number, Stream>
}

const seeded = new AsyncLocalStorage<Source>()

/** Draws all random values of the banks in `act` from this seed. */
export const withSeed = <Result>(seed: string, act: () => Result): Result =>
  seeded.run({ seed, bySize: new Map() }, act)

/** Within `withSeed`: the random values in `act` do not depend on how many were drawn before. */
export const withOwnValues = <Result>(name: string, act: () => Result): Result => {
  const outer = seeded.getStore()
  return outer === undefined ? act() : withSeed(`${outer.seed} ${name}`, act)
}

/** @param count the number of bytes. */
export const randomBytes = (count: number): Buffer => {
  const source = seeded.getStore()
  if (source === undefined) return bytesDrawnAhead(count)
  const stream = source.bySize.get(count) ?? streamOf(`${source.seed} ${count}`)
  source.bySize.set(count, stream)
  return stream(count)
}

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
