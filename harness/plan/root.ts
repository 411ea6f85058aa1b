import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The project's root directory, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** The Node options with which a child process runs the project's TypeScript sources. */
export const TYPESCRIPT_LOADER: readonly string[] = [
  '--import',
  createRequire(import.meta.url).resolve('tsx'),
]
