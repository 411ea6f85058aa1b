import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What was typed for npm itself: the words before a bare `--`. npm drops an option that has the name of one of its settings
 * and a value that this setting does not take, such as `--only TOK-05`, and no variable has it: only the log of npm does.
 */

const wordsIn = (log: string): readonly string[] => {
  const [, line = ''] = /^\d+ verbose argv (.*)$/m.exec(log) ?? []
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word)
}

/**
 * What the npm that runs this program was given: its log is about the same folder and the same script (`npm t` is
 * `npm test`), and has no end. Another npm may run in that folder at the same time.
 */
const wordsFor = ({ npm_config_local_prefix: folder = '', ...env }: NodeJS.ProcessEnv): readonly string[] => {
  const logs = env['npm_config_logs_dir'] ?? join(env['npm_config_cache'] ?? '', '_logs')
  const script = env['npm_lifecycle_event'] ?? ''
  return (
    readdirSync(logs)
      .map((name) => join(logs, name))
      .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
      .map((file) => readFileSync(file, 'utf8'))
      .filter(
        (log) =>
          log.includes(`config load:file:${join(folder, '.npmrc')}\n`) && !/^\d+ verbose exit /m.test(log),
      )
      .map(wordsIn)
      .find((words) => words.some((word) => word !== '' && script.startsWith(word))) ?? []
  )
}

export const typedForNpm = (env: NodeJS.ProcessEnv): readonly string[] => {
  if (env['npm_command'] === undefined || env['npm_command'] === 'exec') return []
  try {
    const words = wordsFor(env)
    const end = words.indexOf('--')
    return end === -1 ? words : words.slice(0, end)
  } catch {
    // npm may be configured to write no log.
    return []
  }
}
