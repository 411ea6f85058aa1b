/**
 * Banks that are right, and say everything in their own way that the interface leaves open: names and nesting,
 * addresses and statuses, paging, refusals, pages, and how a scenario is chosen.
 */
import type { Dialect } from '../defect.ts'
import { compact } from './compact.ts'
import { nested } from './nested.ts'

export const dialects: readonly Dialect[] = [compact, nested]
