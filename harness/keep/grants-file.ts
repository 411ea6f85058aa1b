import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { createSeal, keyOf } from '../resume/seal.ts'
import type { KeptGrant } from '../session/keeper.ts'

/** Grants in a file: which of them there are can be counted by anybody, and read by whoever has the key. */

const fileSchema = z.strictObject({
  format: z.literal(1),
  /** What the key is made with, beside the secret. */
  salt: z.string(),
  /** A text that is known, sealed: it tells another key from a damaged file. */
  proof: z.string(),
  /** By what they belong to, hashed: a sealed grant cannot be passed off as another one's. */
  grants: z.record(z.string(), z.string()),
})

type Contents = z.output<typeof fileSchema>

const grantSchema = z.strictObject({
  access: z.strictObject({ accessToken: z.string(), scope: z.string(), consentId: z.string().optional() }),
  refreshToken: z.string().optional(),
})

const KNOWN = 'conformance'

/** A file that can be read, and the key that opens it. */
export interface GrantsFile {
  readonly file: string
  readonly key: Buffer
}

const damaged = (file: string, what: string): ConfigurationError =>
  new ConfigurationError(
    `authorization.keep: ${file} is damaged (${what}); remove it to begin afresh, which costs each customer one more authorization`,
  )

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** @throws ConfigurationError where there is a file, and it is not one of these. */
const read = (file: string): Contents | undefined => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigurationError(
      `authorization.keep: ${file} cannot be read (${(error as Error).message}); name another file with authorization.keep.file`,
    )
  }
  const contents = fileSchema.safeParse(parsed(text))
  if (contents.success) return contents.data
  throw damaged(file, 'it is no file of kept grants')
}

/** As a whole or not at all, and for nobody else's eyes. */
const write = (file: string, contents: Contents): void => {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(contents, undefined, 1)}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new ConfigurationError(
      `authorization.keep: ${file} cannot be written (${(error as Error).message}); name another file with authorization.keep.file`,
    )
  }
}

const sealOf = (key: Buffer, { salt }: Contents, of: string) => createSeal(key, `${salt} ${of}`)

/**
 * Opens the file; makes it, where there is none yet.
 * @throws ConfigurationError where it was sealed with another key, is damaged, or cannot be written.
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

/** @throws ConfigurationError where what is kept there is not what was written. */
export const readGrant = ({ file, key }: GrantsFile, of: string): KeptGrant | undefined => {
  const contents = read(file)
  const sealed = contents?.grants[of]
  if (contents === undefined || sealed === undefined) return undefined
  try {
    const { access, refreshToken } = grantSchema.parse(parsed(sealOf(key, contents, of).open(sealed, 0)))
    const { accessToken, scope, consentId } = access
    return {
      access: { accessToken, scope, ...(consentId !== undefined && { consentId }) },
      ...(refreshToken !== undefined && { refreshToken }),
    }
  } catch {
    throw damaged(file, 'a grant in it is not what was written there')
  }
}

/** Puts a grant into the file, or takes it out: what others have written meanwhile stays. */
export const writeGrant = ({ file, key }: GrantsFile, of: string, grant: KeptGrant | undefined): void => {
  const contents = read(file)
  // Whoever has removed the file wants nothing to be kept.
  if (contents === undefined) return
  const others = Object.fromEntries(Object.entries(contents.grants).filter(([known]) => known !== of))
  const sealed = grant && sealOf(key, contents, of).close(JSON.stringify(grant), 0)
  write(file, { ...contents, grants: sealed === undefined ? others : { ...others, [of]: sealed } })
}
