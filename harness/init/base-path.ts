import { profileSchema } from '../profile/schema.ts'
import type { Answers, Environment } from './answers.ts'

/** What the profile puts between base URL and path unless it says otherwise, without its last slash. */
export const defaultBasePaths = (): Readonly<Record<Environment, string>> =>
  profileSchema.shape.basePaths.parse(undefined)

/** What will stand between base URL and path in the environment of the answers; empty for nothing. */
export const basePathOf = ({ basePath, environment }: Pick<Answers, 'basePath' | 'environment'>): string =>
  (basePath ?? defaultBasePaths()[environment]).replace(/\/+$/, '')
