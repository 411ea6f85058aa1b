import * as z from 'zod'

/** A key that can be guessed protects nothing. */
const SHORTEST_KEY = 16

/** Grants that scenarios share, kept between runs in an encrypted file. */
export const keep = z.strictObject({
  /** What the file is encrypted with: `env:NAME`, and never the key itself. At least 16 characters. */
  key: z
    .string()
    .min(
      SHORTEST_KEY,
      `a key has ${SHORTEST_KEY} characters at least, such as \`openssl rand -base64 32\` makes`,
    )
    .meta({ examples: ['env:BANK_TOKEN_KEY'] }),
  /** The file; left out, one below the user's own state folder. */
  file: z.string().min(1).optional(),
})

export type KeepProfile = z.output<typeof keep>
