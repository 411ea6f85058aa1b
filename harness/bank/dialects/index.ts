import { generatedDialect } from './generated.ts'
import type { Dialect } from '../defect.ts'

/** Dialects that are tried by themselves: together they have all forms of generated dialects. */
export const dialects: readonly Dialect[] = [0, 1, 2].map(generatedDialect)
