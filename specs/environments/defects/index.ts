import type { Defect } from '../../../harness/bank/defect.ts'
import { operationDefects, servingDefects } from './operations.ts'
import { separationDefects } from './separation.ts'

/** Faults of a bank in the separation of its environments, interfaces and versions. */
export const defects: readonly Defect[] = [...servingDefects, ...separationDefects, ...operationDefects]
