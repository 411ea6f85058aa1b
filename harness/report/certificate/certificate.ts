import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { crypto, dsse } from '@sigstore/core'
import * as z from 'zod'
import { MOST_OF_A_RUN, readInputFile } from '../../evidence/input-file.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { printable } from '../run-observer.ts'
import { sha256Of } from '../evidence-file.ts'
import { writeWhole } from '../output-folder.ts'
import { readInputs, type Inputs } from './inputs-file.ts'
import { changesSince, digestFolder, writeManifest } from './manifest.ts'
import {
  differencesOfStatements,
  statementOf,
  statementSchema,
  STATEMENT_MEDIA_TYPE,
  type Statement,
} from './statement.ts'
import type { Report } from '../schema.ts'

/**
 * `certificate.json`: a statement (in-toto) about a run in an envelope (DSSE), signed with Ed25519 if there is a key. Only a
 * named scope that was judged completely gets one, whether the target conforms to it or not.
 */

/** The variable with the private key, in PEM (PKCS #8). */
const SIGNING_KEY = 'CONFORMANCE_SIGNING_KEY'

const envelopeSchema = z.strictObject({
  payloadType: z.literal(STATEMENT_MEDIA_TYPE),
  /** In base64. */
  payload: z.base64(),
  /** Empty if there was no key. */
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64() })),
})

type Envelope = z.output<typeof envelopeSchema>

/** SHA-256 of the public key (SPKI, DER), in hex. */
const keyIdOf = (key: KeyObject): string => sha256Of(key.export({ type: 'spki', format: 'der' }))

/** In a variable, line ends may be written as `\n`. */
const pemIn = (text: string): string => text.replaceAll(String.raw`\n`, '\n')

/** @throws ConfigurationError with the problem: the error of the library may quote the key. */
const ed25519 = (create: () => KeyObject, problem: string): KeyObject => {
  try {
    const key = create()
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below.
  }
  throw new ConfigurationError(problem)
}

/**
 * The key that signs certificates; undefined without one.
 * @throws ConfigurationError if the variable holds no private key of Ed25519.
 */
export const signingKeyOf = (env: NodeJS.ProcessEnv): KeyObject | undefined => {
  const { [SIGNING_KEY]: text = '' } = env
  if (text.trim() === '') return undefined
  return ed25519(
    () => createPrivateKey(pemIn(text)),
    `${SIGNING_KEY}: not a private key of Ed25519 in PEM; make one with: openssl genpkey -algorithm ed25519`,
  )
}

const seal = (statement: Statement, key: KeyObject | undefined): Envelope => {
  const payload = Buffer.from(JSON.stringify(statement))
  const signed = dsse.preAuthEncoding(STATEMENT_MEDIA_TYPE, payload)
  return {
    payloadType: STATEMENT_MEDIA_TYPE,
    payload: payload.toString('base64'),
    signatures:
      key === undefined
        ? []
        : [{ keyid: keyIdOf(createPublicKey(key)), sig: sign(null, signed, key).toString('base64') }],
  }
}

const isCertified = ({ scope, conclusion }: Report): boolean =>
  scope.name !== 'partial' && (conclusion === 'conforms' || conclusion === 'nonconforming')

/** Writes the manifest of a folder, and a certificate if the run gets one. To be called when all other files are written. */
export const sealFolder = (outDir: string, report: Report, key: KeyObject | undefined): void => {
  const manifest = writeManifest(outDir)
  if (!isCertified(report)) return
  const statement = statementOf(report, readInputs(outDir), manifest)
  writeWhole(join(outDir, OUTPUT.certificate), `${JSON.stringify(seal(statement, key), null, 2)}\n`)
}

interface CertificateState {
  /** What was changed, one sentence each. */
  readonly problems: readonly string[]
  /** What the certificate says, and who signed it; undefined if there is none. */
  readonly sentence?: string
}

const readEnvelope = (file: string) => {
  try {
    const envelope = envelopeSchema.parse(JSON.parse(readInputFile(file, MOST_OF_A_RUN)))
    const payload: unknown = JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8'))
    return { envelope, statement: statementSchema.parse(payload) }
  } catch {
    return undefined
  }
}

const signatureState = ({ signatures, payload }: Envelope, pem: string | undefined): CertificateState => {
  const isSigned = signatures.length > 0
  if (pem === undefined)
    return { problems: [], sentence: isSigned ? 'signed; verify it with --public-key FILE' : 'not signed' }
  if (!isSigned) return { problems: [`${OUTPUT.certificate} is not signed`], sentence: 'not signed' }
  const signed = dsse.preAuthEncoding(STATEMENT_MEDIA_TYPE, Buffer.from(payload, 'base64'))
  const key = ed25519(() => createPublicKey(pemIn(pem)), '--public-key: not a public key of Ed25519 in PEM')
  const valid = signatures.find(({ sig }) => crypto.verify(signed, key, Buffer.from(sig, 'base64')))
  if (valid === undefined)
    return {
      problems: [`${OUTPUT.certificate}: the signature is not one of this public key`],
      sentence: 'signed with another key',
    }
  const id = keyIdOf(key)
  return {
    problems:
      valid.keyid === id ? [] : [`${OUTPUT.certificate}: its key id is not that of this public key, ${id}`],
    sentence: `signed, key ${id.slice(0, 16)}: the signature is valid`,
  }
}

/**
 * Compares the certificate with the folder and with the statement that follows from the report that was judged again, and
 * verifies its signature if there is a public key.
 */
export const verifyCertificate = (
  { folder, inputs }: { readonly folder: string; readonly inputs: Inputs },
  report: Report,
  publicKey: string | undefined,
): CertificateState => {
  const file = join(folder, OUTPUT.certificate)
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
    return isCertified(report)
      ? { problems: [`${OUTPUT.certificate} is missing: a run of the scope ${report.scope.name} has one`] }
      : { problems: publicKey === undefined ? [] : [`there is no ${OUTPUT.certificate} to verify`] }
  const read = readEnvelope(file)
  if (read === undefined) return { problems: [`${OUTPUT.certificate} is damaged, or of another version`] }
  const { envelope, statement } = read
  const signature = signatureState(envelope, publicKey)
  const listed = statement.subject.map(({ name, digest }) => ({ path: name, sha256: digest.sha256 }))
  const derived = statementOf(report, inputs, { format: 1, files: [...digestFolder(folder)] })
  const { result, conformance } = derived.predicate
  const { scope, target } = conformance
  const conforms = result === 'FAILED' ? 'does not conform' : 'conforms'
  return {
    problems: [
      ...(isCertified(report)
        ? []
        : [`${OUTPUT.certificate} is about a run that gets none: it covers ${report.scope.name}`]),
      ...changesSince(folder, listed, OUTPUT.certificate),
      ...differencesOfStatements(statement, derived),
      ...signature.problems,
    ],
    sentence: printable(
      `certificate: ${target.name} ${conforms} to ${scope.name} (version ${scope.version}); ${signature.sentence ?? ''}`,
    ),
  }
}
