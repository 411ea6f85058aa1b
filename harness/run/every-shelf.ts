import { pathToFileURL } from 'node:url'
import { handedOut } from './certification.ts'
import { specFilesOf } from './spec-files.ts'

/**
 * All spec files of a run as one, on a target that all scenarios share: so that scenarios of every chapter are under way
 * at once, and wait at the same time.
 */
for (const file of specFilesOf(handedOut().plan)) await import(/* @vite-ignore */ pathToFileURL(file).href)
