import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory for one test, which takes it away again. */
export const scratch = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'report-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
