import { interfaceDefects } from './interfaces.ts'
import { separationDefects } from './separation.ts'
import { servingDefects } from './serving.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Faults of a bank in the separation of its environments, interfaces and versions. */
export const defects: readonly Defect[] = [...servingDefects, ...separationDefects, ...interfaceDefects]
