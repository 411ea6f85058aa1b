import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'
import type { BrowserProfile } from './schema/authorization.ts'
import type { Profile } from './schema.ts'

/** Its usual program names, and the paths of installations without such a name. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = [
  '/usr/bin/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const ADVICE =
  'install one (Debian: apt-get install chromium), or name its program with `authorization.executable` or in the variable CHROMIUM_PATH'

const named = (key: string, path: string): string => {
  if (isProgram(path)) return path
  throw new ConfigurationError(
    `${key} names ${JSON.stringify(path)}; expected the program of a Chromium that is installed here; ${ADVICE}`,
  )
}

/**
 * The program of the browser: from the profile, the environment, or the usual places.
 * @throws ConfigurationError if there is none.
 */
export const chromiumOf = (
  { executable }: Pick<BrowserProfile, 'executable'>,
  env: NodeJS.ProcessEnv,
): string => {
  if (executable !== undefined) return named('`authorization.executable`', executable)
  const { CHROMIUM_PATH: variable = '', PATH: path = '' } = env
  if (variable !== '') return named('the variable CHROMIUM_PATH', variable)
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES]
  const found = candidates.find(isProgram)
  if (found !== undefined) return found
  throw new ConfigurationError(
    `\`authorization.kind\` is "browser", and no Chromium is found on this machine; ${ADVICE}`,
  )
}

/** @throws ConfigurationError if the profile needs a browser, and none is found. */
export const verifyBrowser = ({ authorization }: Profile, env: NodeJS.ProcessEnv): void => {
  if (authorization.kind === 'browser') chromiumOf(authorization, env)
}
