import type { Members } from '../../evidence/json.ts'

/** Applications, customers and accounts, which are typed as words. */

const RESULT_SCREEN = 'result-screen'

export const wordsOf = (typed: string): readonly string[] => typed.split(/[\s,;]+/).filter(Boolean)

/** The word after a URI says how its code is delivered. */
export const redirectUrisIn = (words: readonly string[]) =>
  words.flatMap((uri, at) =>
    uri === RESULT_SCREEN
      ? []
      : [{ uri, delivery: words[at + 1] === RESULT_SCREEN ? RESULT_SCREEN : 'redirect' } as const],
  )

/** A name followed by an IBAN, which may contain spaces. */
export const namedAccount = (typed: string) => {
  const words = wordsOf(typed)
  const at = words.findIndex((each) => /^[A-Z]{2}\d{2}/i.test(each))
  return at === -1
    ? { name: typed.trim(), iban: '' }
    : { name: words.slice(0, at).join(' '), iban: words.slice(at).join('').toUpperCase() }
}

/** The words after an IBAN say what is known of the account. */
export const accountsIn = (words: readonly string[]): readonly Members[] => {
  const facts: Members = { other: { bank: 'other' }, unconsented: { consented: false } }
  return words.flatMap(wordsOf).reduce<readonly Members[]>((accounts, word) => {
    const fact = facts[word] ?? (/^\d+$/.test(word) ? { transactions: Number(word) } : undefined)
    return fact === undefined
      ? [...accounts, { iban: word.toUpperCase() }]
      : accounts.with(-1, { ...accounts.at(-1), ...fact })
  }, [])
}

/** The value may be the secret itself. */
export const variableProblem = (name: string): string | undefined =>
  /^[A-Za-z_]\w*$/.test(name)
    ? undefined
    : 'expected the name of an environment variable (letters, digits, _) such as BANK_CLIENT_ID; the given value is not one, and is not shown, since it may be the secret itself'

export const fromVariable = (name: string): string => `env:${name}`

/** Items of a list after the first one. The words from `at` on are the variables of these keys. */
export const further = (
  what: 'application' | 'customer',
  at: number,
  keys: readonly string[],
  othersIn: (words: readonly string[]) => Members,
) => {
  const variablesIn = (typed: string) => keys.map((_, index) => wordsOf(typed)[at + index] ?? '')
  const readIn = (typed: string): Members =>
    Object.fromEntries<unknown>(
      variablesIn(typed).map((name, index) => [keys[index] ?? '', fromVariable(name)]),
    )
  return {
    check: (typed: readonly string[]) => typed.flatMap(variablesIn).map(variableProblem).find(Boolean),
    written: (typed: readonly string[]) =>
      Object.fromEntries(
        typed.map((each, index) => [
          index + 1,
          { name: `${what} ${index + 2}`, ...readIn(each), ...othersIn(wordsOf(each)) },
        ]),
      ),
  }
}
