import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Where the project's modules are, as they are loaded: in source, or translated by launch.mjs. */

/** The project's root directory. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folder of the translated modules; none, where a loader translates each as it is imported. */
const translated = (): string | undefined => process.env['CONFORMANCE_MODULES']

/** The file from which a module is loaded by its path. @param source absolute, ending in `.ts`. */
export const moduleFile = (source: string): string => {
  const folder = translated()
  return folder === undefined ? source : join(folder, relative(ROOT, source)).replace(/\.ts$/, '.mjs')
}

/** The module in which launch.mjs puts all spec files. To load them one by one takes twice as long. */
const EVERY_SPEC_FILE = 'specs/every.mjs'

/** Loads spec files, by their names from the root on. */
export const loadSpecFiles = async (files: readonly string[]): Promise<void> => {
  const folder = translated()
  const modules =
    folder === undefined ? files.map((file) => join(ROOT, file)) : [join(folder, EVERY_SPEC_FILE)]
  await Promise.all(modules.map((module) => import(/* @vite-ignore */ pathToFileURL(module).href)))
}

/** What a child process of Node needs to run such a module, and to trace what goes wrong in it. */
export const nodeArguments = (): readonly string[] => [
  '--import',
  translated() === undefined
    ? createRequire(import.meta.url).resolve('tsx')
    : new URL('./trace.mjs', import.meta.url).href,
]
