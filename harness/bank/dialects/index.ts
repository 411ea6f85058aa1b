/**
 * Lawful banks with other wire formats where the interface leaves them open: names and nesting, addresses and statuses,
 * paging, refusals, pages, and the selection of a scenario.
 */
import type { Dialect } from '../defect.ts'
import { compact } from './compact.ts'
import { nested } from './nested.ts'

export const dialects: readonly Dialect[] = [compact, nested]
