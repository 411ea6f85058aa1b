import { randomBytes } from 'node:crypto'
import { writeFileSync, chmodSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import * as z from 'zod'
import { makeFolder } from '../../evidence/make-folder.ts'
import { messageOf } from '../../evidence/errors.ts'
import { readInputFile, UnreadableFile } from '../../evidence/input-file.ts'
import { jsonIn } from '../../evidence/json.ts'
import { createSeal, keyOf } from '../../evidence/seal.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'

/** Grants in an encrypted file: only their number is visible without the key. */

const accessSchema = z.strictObject({
  accessToken: z.string(),
  scope: z.string(),
  /** The consent of a TPP. */
  consentId: z.string().exactOptional(),
})

const grantSchema = z.strictObject({ access: accessSchema, refreshToken: z.string().exactOptional() })

/** An access token, and what it was granted for. */
export type Access = Readonly<z.output<typeof accessSchema>>

/** A grant that is kept after a run, with its refresh token. */
export type StoredGrant = Readonly<z.output<typeof grantSchema>>

const fileSchema = z.strictObject({
  format: z.literal(1),
  /** The salt of the key derivation. */
  salt: z.string(),
  /** A known text, encrypted: it distinguishes a wrong key from a damaged file. */
  proof: z.string(),
  /** Keyed by a hash of what the grant depends on: an encrypted grant cannot be moved to another key. */
  grants: z.record(z.string(), z.string()),
})

type Contents = z.output<typeof fileSchema>

const KNOWN = 'conformance'

export interface GrantsFile {
  readonly file: string
  readonly key: Buffer
}

const damaged = (file: string, what: string): ConfigurationError =>
  new ConfigurationError(
    `authorization.keep: ${file} is damaged (${what}); remove it to begin afresh, which costs each customer one more authorization`,
  )

/** @throws ConfigurationError if the file exists and is not a file of kept grants. */
const read = (file: string): Contents | undefined => {
  let text: string
  try {
    text = readInputFile(file)
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return undefined
    throw new ConfigurationError(
      `authorization.keep: ${file} ${messageOf(error)}; name another file with authorization.keep.file`,
    )
  }
  const contents = fileSchema.safeParse(jsonIn(text))
  if (contents.success) return contents.data
  throw damaged(file, 'it is not a file of stored grants')
}

/** Writes the file atomically, readable for the owner only. */
const write = (file: string, contents: Contents): void => {
  const draft = `${file}.${process.pid}`
  try {
    makeFolder(dirname(file), 0o700)
    writeFileSync(draft, `${JSON.stringify(contents, undefined, 1)}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new ConfigurationError(
      `authorization.keep: ${file} cannot be written (${messageOf(error)}); name another file with authorization.keep.file`,
    )
  }
}

const sealOf = (key: Buffer, { salt }: Contents, of: string) => createSeal(key, `${salt} ${of}`)

/**
 * Opens the file, or creates it.
 * @throws ConfigurationError if it was encrypted with another key, is damaged, or cannot be written.
 */
export const openGrantsFile = async (file: string, secret: string): Promise<GrantsFile> => {
  const known = read(file)
  const salt = known?.salt ?? randomBytes(16).toString('base64')
  const key = await keyOf([secret], Buffer.from(salt, 'base64'))
  if (known === undefined) {
    const empty: Contents = { format: 1, salt, proof: '', grants: {} }
    write(file, { ...empty, proof: sealOf(key, empty, KNOWN).close(KNOWN, 0) })
    return { file, key }
  }
  try {
    sealOf(key, known, KNOWN).open(known.proof, 0)
  } catch {
    throw new ConfigurationError(
      `authorization.keep.key: ${file} was sealed with another key; set the variable that the key is read from to that one, or remove the file to begin afresh, which costs each customer one more authorization`,
    )
  }
  return { file, key }
}

/** @throws ConfigurationError if the content was changed. */
export const readGrant = ({ file, key }: GrantsFile, of: string): StoredGrant | undefined => {
  const contents = read(file)
  const sealed = contents?.grants[of]
  if (contents === undefined || sealed === undefined) return undefined
  try {
    return grantSchema.parse(jsonIn(sealOf(key, contents, of).open(sealed, 0)))
  } catch {
    throw damaged(file, 'a grant in it is not what was written there')
  }
}

/** Writes or removes a grant; grants that other processes wrote meanwhile stay. */
export const writeGrant = ({ file, key }: GrantsFile, of: string, grant: StoredGrant | undefined): void => {
  const contents = read(file)
  // If the file was removed, nothing is stored.
  if (contents === undefined) return
  const others = Object.fromEntries(Object.entries(contents.grants).filter(([known]) => known !== of))
  const sealed = grant && sealOf(key, contents, of).close(JSON.stringify(grant), 0)
  write(file, { ...contents, grants: sealed === undefined ? others : { ...others, [of]: sealed } })
}
