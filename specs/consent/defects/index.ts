import type { Defect } from '../../../harness/bank/defect.ts'
import { creationDefects } from './creation.ts'
import { credentialDefects } from './credentials.ts'
import { scopeDefects } from './scope.ts'

/** Faults of a bank in consents. */
export const defects: readonly Defect[] = [...creationDefects, ...scopeDefects, ...credentialDefects]
