import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

const derive: (secret: string, salt: Buffer, bytes: number) => Promise<unknown> = promisify(scrypt)

/** Derives a key from secrets. Derivation is slow on purpose, against guessing. */
export const keyOf = async (secrets: readonly string[], salt: Buffer): Promise<Buffer> =>
  (await derive(JSON.stringify(secrets), salt, KEY_BYTES)) as Buffer

/**
 * Authenticated encryption of texts: only the holder of the key can read or write them.
 * @param context what the texts belong to: they cannot be decrypted with another one.
 */
export const createSeal = (key: Buffer, context: string) => {
  const bound = createHash('sha256').update(context).digest('hex')
  const placed = (place: number): Buffer => Buffer.from(`${bound} ${place}`)
  return {
    /** @param place the position of the text: an encrypted text cannot be moved. */
    close(text: string, place: number) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(placed(place))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64')
    },
    /** @throws Error if it was not encrypted with this key for this place. */
    open(sealed: string, place: number) {
      const bytes = Buffer.from(sealed, 'base64')
      const text = bytes.subarray(IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
        .setAAD(placed(place))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
  }
}
