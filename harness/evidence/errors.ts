/** What an error says: whatever was thrown, since JavaScript allows any value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of the system or of Node, such as ENOENT; undefined if it has none. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** As an error, to pass it on where only an error may be passed on. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
