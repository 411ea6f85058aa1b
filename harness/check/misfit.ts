/** A key of the profile that does not fit what the target sends: a finding about the configuration, and no verdict. */
export interface Misfit {
  /** `operations.listTransactions.transactions` */
  readonly key: string
  /** What the profile has there. */
  readonly bound: string
  /** What was looked for, as words behind "no": "array". */
  readonly expected: string
  /** What came, as words of a sentence: keys and types, never values. */
  readonly shown: string
  /** The id of the exchange that shows it. */
  readonly exchange: string
}

/** The one place where a misfit becomes a sentence. */
export const renderMisfit = ({ key, bound, expected, shown, exchange }: Misfit): string =>
  `\`${key}\` of the profile is "${bound}": no ${expected} there; ${shown} (${exchange})`

/** One for each key: the first of each is enough to mend it. */
export const byKey = (misfits: readonly Misfit[]): readonly Misfit[] =>
  [...new Map([...misfits].reverse().map((misfit) => [misfit.key, misfit])).values()].sort((one, other) =>
    one.key.localeCompare(other.key),
  )
