import { inject } from 'vitest'
import { specFilesOf } from '../plan/plan.ts'
import { loadSpecFile } from './register-checks.ts'

/**
 * All spec files of a plan as one test file, for a target that all scenarios share: vitest runs files one after the
 * other, and scenarios of all chapters have to wait at the same time where waiting takes twenty minutes.
 */
for (const file of specFilesOf(inject('run').plan)) await loadSpecFile(file)
