import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

/** What reports show of the specs, besides the rows and checks of the catalogue. */

export { consequenceOf } from '../../specs/shared/consequences.ts'
export { descriptive } from '../../specs/shared/descriptive.ts'

export const interfaceText = (): string => readFileSync(join(ROOT, 'specs/interface.md'), 'utf8')
