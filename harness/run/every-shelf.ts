import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import { specFilesOf } from './spec-files.ts'

/**
 * All spec files of a run as one, on a target that all scenarios share: so that scenarios of every chapter are under way
 * at once, and wait at the same time.
 */
for (const file of specFilesOf(inject('certification').plan))
  await import(/* @vite-ignore */ pathToFileURL(file).href)
