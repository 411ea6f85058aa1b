import * as z from 'zod'
import { OPERATIONS, type Operation } from '../../evidence/exchange.ts'
import { dotted, headerName, pattern, textSuchAs } from './primitives.ts'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }

/** How the target is reached, who is calling, and how many requests may be sent in one run. */

const proxyUrl = z.string().refine((text) => text === 'none' || /^https?:\/\/\S+$/.test(text), {
  message: 'the address of a proxy like http://proxy.example:3128, or none',
})

export const connection = z
  .strictObject({
    /** A file with certificates (PEM) that are trusted beside those that Node trusts: a private authority. */
    ca: textSuchAs('bank-ca.pem').optional(),
    /** Files with the client's certificate and its key (PEM), for mutual TLS; both or none. */
    certificate: textSuchAs('client.pem').optional(),
    key: textSuchAs('client-key.pem').optional(),
    /** What opens the key; best read with `env:NAME`. */
    passphrase: z.string().min(1).optional(),
    /** `false` accepts any certificate; the report says so. */
    verify: z.boolean().default(true),
    /** Left out, HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment hold; `none`: no proxy at all. */
    proxy: proxyUrl.optional().meta({ examples: ['http://proxy.example:3128'] }),
  })
  .refine(({ certificate, key }) => (certificate === undefined) === (key === undefined), {
    message: 'a client has a certificate and a key, or neither: name both files',
    path: ['key'],
  })

/** So that the owner of the target knows whose requests these are (RFC 9110 §10.1.5). */
const USER_AGENT = `${manifest.name}/${manifest.version}`

/** What is sent with every request: the headers of the profile, and the name of the caller where they give none. */
export const standingHeaders = (
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
    ? headers
    : { 'User-Agent': USER_AGENT, ...headers }

/** The operations of the requests that a run sends. */
const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]]

const limit = z.int().min(1)

/** A request above it is not sent; the check that needs it is not reached. */
export const budget = z.strictObject({
  /** Requests of all kinds in one run, with those that look whether the target is there and that clean up. `--budget` goes before it. */
  requests: limit.optional().meta({ examples: [5000] }),
  /** The largest answer that is read, in MiB: in one above 1 MiB long texts are abbreviated, with a digest of the whole. */
  answerMiB: z.int().min(1).max(256).default(16),
  /** Requests of one operation: `token: 200`. */
  perOperation: z.partialRecord(z.enum(OPERATION_NAMES), limit).default({}),
})

/** By operation: the place of a value in the JSON of an answer → the header that has it instead, and what of it. */
export const inHeaders = z.partialRecord(
  z.enum(OPERATION_NAMES),
  z.record(
    dotted,
    z.strictObject({
      header: headerName.default('Location'),
      /** The value is the first group, or the whole match; by default the end of a path. */
      pattern: pattern.default(String.raw`([^/?#]+)/?(?:[?#].*)?$`),
    }),
  ),
)
