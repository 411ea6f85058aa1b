import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** A file that is not a program: it is read where it is, and not in `dist`. @param path relative to the root of the package. */
export const packageFile = (path: string): string =>
  join(dirname(resolve('bank-interface-conformance/package.json')), path)
