import { messageOf } from '../evidence/errors.ts'
import { readInputFile } from '../evidence/input-file.ts'
import { ConfigurationError } from './configuration-error.ts'
import { adviceToSeeMore, importModule } from './import-module.ts'
import { showKind } from './secrets.ts'
import { endOf, within } from './within.ts'
import type { Environment } from './environment.ts'

/** A payment request as it will be sent, for the module that `payments.signature` names. */
interface UnsignedRequest {
  readonly method: string
  /** Absolute, with its query. */
  readonly url: string
  /** Names in lower case. Those that the profile sends with every request (`headers`) are not among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty where there is none. */
  readonly body: string
  readonly environment: Environment
  /** The label of the profile, and the client id of this environment. */
  readonly application: { readonly name: string; readonly clientId: string }
  /** The target's time. */
  readonly now: Date
}

/**
 * What such a module exports as its default: the headers that are added to the request, or take the place of those with the
 * same name. Keys are best read from the environment. Its results are secrets in reports, where they look like one.
 */
export type Sign = (
  request: UnsignedRequest,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/**
 * Loads the module. @param file absolute.
 * @throws ConfigurationError if it cannot be loaded, or exports no function.
 */
export const loadSignature = async (file: string): Promise<Sign> => {
  try {
    readInputFile(file)
  } catch (error) {
    throw new ConfigurationError(
      `\`payments.signature\`: ${file} ${messageOf(error)}; the path begins at the folder of the profile`,
    )
  }
  let module: { readonly default?: unknown }
  try {
    module = (await importModule(file)) as typeof module
  } catch (error) {
    throw new ConfigurationError(
      `\`payments.signature\`: ${file} cannot be loaded: it ${endOf(error)}; ${adviceToSeeMore(file)}`,
    )
  }
  if (typeof module.default === 'function') return module.default as Sign
  throw new ConfigurationError(
    `\`payments.signature\`: the default export of ${file} is ${showKind(module.default)}; export a function such as \`export default ({ method, url, body }) => ({ Signature: … })\``,
  )
}

/** @throws Error without the text of what the module threw, if it fails, answers no headers, or nothing in that many ms. */
export const signedHeaders = async (
  sign: Sign,
  request: UnsignedRequest,
  ms: number,
): Promise<Readonly<Record<string, string>>> => {
  let headers: unknown
  try {
    headers = await within(ms, sign(request))
  } catch (error) {
    throw new Error(`the module of \`payments.signature\` ${endOf(error)}`)
  }
  const isHeaders =
    typeof headers === 'object' &&
    headers !== null &&
    Object.entries(headers).every(([, value]) => typeof value === 'string')
  if (isHeaders) return headers as Readonly<Record<string, string>>
  throw new Error(
    `the module of \`payments.signature\` answered ${showKind(headers)}; expected an object of headers, each a text`,
  )
}
