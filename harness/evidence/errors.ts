/** Whether it has a message, as an error of another thread or process, which is no instance of Error here. */
const isLikeAnError = (thrown: unknown): thrown is { readonly message: string; readonly code?: unknown } =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string'

/** What an error says: whatever was thrown, since JavaScript allows any value. */
export const messageOf = (error: unknown): string => (isLikeAnError(error) ? error.message : String(error))

/** The code of the system or of Node, such as ENOENT; undefined if it has none. */
export const systemCodeOf = (error: unknown): string | undefined =>
  isLikeAnError(error) && typeof error.code === 'string' ? error.code : undefined

/** As an error, to pass it on where only an error may be passed on. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown })
