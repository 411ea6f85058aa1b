import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { ConfigurationError } from '../profile/configuration-error.ts'

/** The file that the profile becomes. */
export const DEFAULT_FILE = 'bank.yaml'

interface Wanted {
  readonly out?: string
  readonly force: boolean
}

/** Asked before any question, so that nobody answers them for nothing. @throws ConfigurationError */
export const settleFile = ({ out = DEFAULT_FILE, force }: Wanted): string => {
  const problem = problemOf(out, force)
  if (problem !== undefined) throw new ConfigurationError(`--out: ${problem}`)
  return out
}

const problemOf = (file: string, force: boolean): string | undefined => {
  if (/\p{Cc}/u.test(file)) return `expected one line of text, received ${JSON.stringify(file)}`
  if (!['.yaml', '.yml'].includes(extname(file).toLowerCase()))
    return `${file} is of no kind that is written here; its name ends with .yaml or .yml`
  if (!existsSync(dirname(resolve(file))))
    return `the folder of ${file} does not exist (looked for ${dirname(resolve(file))}); make it first`
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    return `${file} is a folder; name a file in it`
  if (existsSync(file) && !force)
    return `${file} is there already, and is not written over without --force; name another file, or add --force`
  return undefined
}

/** Whoever has made the file meanwhile keeps it. @throws ConfigurationError */
export const writeProfile = (file: string, text: string, force: boolean): void => {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ConfigurationError(`--out: ${file} cannot be written (${code}); name another file`)
  }
}
