/** What the chapters accounts and transactions judge on the first accounts variant: a bank without it has none of it. */
const numbered = (chapter: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${chapter}-${String(from + at).padStart(2, '0')}`)

export const FIRST_VARIANT_ROWS: readonly string[] = [
  ...numbered('ACC', 1, 13),
  ...numbered('ACC', 23, 27),
  // It compares both.
  'ACC-36',
  ...numbered('TRX', 1, 13),
  ...numbered('TRX', 27, 32),
  'TRX-41',
]
