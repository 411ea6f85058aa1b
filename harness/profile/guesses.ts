import type { Profile } from './schema.ts'

/** What a profile marks as a guess: a verdict does not rest on it. */

/** Whether a key, or one above it, is marked. */
export const isGuess = ({ guesses }: Pick<Profile, 'guesses'>, key: string): boolean =>
  guesses.some((guess) => key === guess || key.startsWith(`${guess}.`))

/** The keys that can be marked: with any other one, an answer of the target shows whether it fits. */
const MARKABLE = ['payments.facts', 'payments.provocations', 'payments.rejectedAtSubmission'] as const

export const guessProblems = ({ guesses }: Pick<Profile, 'guesses'>): readonly string[] =>
  guesses
    .filter((guess) => !MARKABLE.some((key) => guess === key || guess.startsWith(`${key}.`)))
    .map(
      (guess) =>
        `\`guesses\` has ${JSON.stringify(guess)}; expected keys below ${MARKABLE.map((key) => `\`${key}\``).join(', ')}`,
    )
