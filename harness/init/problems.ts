import { ConfigurationError } from '../profile/configuration-error.ts'
import { resolveProfile } from '../profile/load.ts'
import { neededVariables } from './answers.ts'
import { profileInput } from './profile-input.ts'
import type { LoadedProfile } from '../profile/load.ts'
import type { Answers } from './answers.ts'

/** As a user of a target would be called in an environment where nothing is set yet. */
const standIn = (name: string): string => `the-value-of-${name}`

/** The profile of the answers, with stand-ins for the values of its variables. @throws ConfigurationError */
export const draftProfile = (answers: Answers): LoadedProfile => {
  const env = Object.fromEntries(neededVariables(answers).map((name) => [name, standIn(name)]))
  return resolveProfile(profileInput(answers), env, 'the answers')
}

/** What is wrong with the answers, in the words in which the profile would be complained of. */
export const problemsOf = (answers: Answers): readonly string[] => {
  try {
    draftProfile(answers)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}
