import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'

/** The project's root directory, without a trailing slash. */
export const ROOT = dirname(createRequire(import.meta.url).resolve('bank-interface-conformance/package.json'))

/** The file that is built from a source. @param source relative to the root. */
export const built = (source: string): string => join(ROOT, 'dist', source.replace(/\.ts$/, '.js'))

/** The file to load for a source: the built one, unless the sources themselves run, in vitest. @param source relative to the root. */
export const moduleOf = (source: string): string =>
  import.meta.url.endsWith('.ts') ? join(ROOT, source) : built(source)

/** The source of a file that is loaded, relative to the root; the reverse of `moduleOf`. */
export const sourceOf = (file: string): string =>
  relative(ROOT, file)
    .replaceAll(sep, '/')
    .replace(/^dist\/(.*)\.js$/, '$1.ts')
