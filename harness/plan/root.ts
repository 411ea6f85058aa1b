import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The project's root directory, without a slash at its end. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** What a child process of Node needs to run the project's TypeScript from its sources. */
export const TYPESCRIPT_LOADER: readonly string[] = [
  '--import',
  createRequire(import.meta.url).resolve('tsx'),
]
