import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'
import { FileFault } from './file-fault.ts'
import { nearest } from './nearest.ts'
import { readJson } from './read-json.ts'
import { readModule } from './read-module.ts'

const MODULES = ['.ts', '.js', '.mjs']
const readYaml = async (text: string): Promise<unknown> => (await import('./read-yaml.ts')).readYaml(text)

const TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  '.json': readJson,
  '.yaml': readYaml,
  '.yml': readYaml,
}

/** Whether a profile is a program, which may have its secrets from elsewhere. */
export const isModule = (file: string): boolean => MODULES.includes(extname(file).toLowerCase())

/** What stands in the file of a profile, unchecked. @throws ConfigurationError */
export const readProfileFile = async (file: string): Promise<unknown> => {
  const text = await readText(file)
  const parse = TEXTS[extname(file).toLowerCase()]
  if (parse === undefined && !isModule(file)) throw new ConfigurationError(wrongExtension(file))
  try {
    const content = await (parse === undefined ? readModule(resolve(file)) : parse(text))
    if (content === null || content === undefined)
      throw new FileFault('it is empty; write at least name and applications')
    return content
  } catch (error) {
    if (error instanceof FileFault)
      throw new ConfigurationError(`the profile ${file} cannot be read: ${error.message}`)
    if (error instanceof RangeError) throw new ConfigurationError(`the profile ${file} is nested too deep`)
    throw error
  }
}

const wrongExtension = (file: string): string =>
  `the profile ${file} is of no known kind; its name ends with one of ${[...MODULES, ...Object.keys(TEXTS)].join(', ')}`

const readText = async (file: string): Promise<string> => {
  try {
    const text = await readFile(file, 'utf8')
    return text.replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigurationError(`the profile ${file} ${await whyUnread(file, error)}`)
  }
}

const whyUnread = async (file: string, error: unknown): Promise<string> => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `does not exist (looked for ${resolve(file)})${await neighbour(file)}`
    case 'EISDIR':
      return 'is a folder; name the file in it'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read; allow your user to read it'
    default:
      return `cannot be read (${code})`
  }
}

const neighbour = async (file: string): Promise<string> => {
  const names = await readdir(dirname(resolve(file))).catch(() => [])
  const near = nearest(
    basename(file),
    names.filter((name) => isModule(name) || extname(name) in TEXTS),
  )
  return near === undefined ? '; check the path' : `; did you mean ${near}?`
}
