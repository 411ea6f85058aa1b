/** What a file system says that takes nothing more: of a run, nothing can be kept from then on. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'a file may not grow any further'],
  ['EROFS', 'the file system can only be read'],
])

/** Why nothing more can be written, where an error says so; of any other error, nothing. */
export const unkeptBecause = (error: unknown): string | undefined => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const reason = REASONS.get(code)
  return reason === undefined ? undefined : `${reason} (${String(code)})`
}
