import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { childEnvironment } from '../profile/child-environment.ts'
import { ROOT } from './root.ts'

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...words], {
    encoding: 'utf8',
    env: childEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 10_000,
  }).trim()

/**
 * The git revision of the suite, with `+changes` if files differ from it; its version if it is not in a repository of its
 * own: a package is installed in the repository of its user.
 */
export const revisionOf = (folder: string = ROOT, version: string = manifest.version): string => {
  try {
    if (realpathSync(git(folder, 'rev-parse', '--show-toplevel')) !== realpathSync(folder)) return version
    const revision = git(folder, 'rev-parse', 'HEAD')
    return git(folder, 'status', '--porcelain', '--untracked-files=no') === ''
      ? revision
      : `${revision}+changes`
  } catch {
    return version
  }
}
