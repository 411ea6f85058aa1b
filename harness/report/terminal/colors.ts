import pc from 'picocolors'

export type Colors = ReturnType<typeof pc.createColors>

/** For pipes, files and tests. */
export const PLAIN: Colors = pc.createColors(false)

/** Colours for a terminal that shows them; never in a pipe, and never where NO_COLOR asks for none. */
export const colorsFor = (
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Colors =>
  pc.createColors(
    stream.isTTY === true && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb',
  )
