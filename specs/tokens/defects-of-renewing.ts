import { defectsOfBearing } from './defects-of-renewing-bearer.ts'
import { defectsOfExpiry } from './defects-of-renewing-expiry.ts'
import { defectsOfBeingLate } from './defects-of-renewing-late.ts'
import { defectsOfReach } from './defects-of-renewing-reach.ts'
import { defectsOfRefreshing } from './defects-of-renewing-refresh.ts'
import { defectsOfRefusingRefreshes } from './defects-of-renewing-refusals.ts'
import { defectsOfRevocation } from './defects-of-renewing-revocation.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong when tokens are used, renewed and ended. */
export const defectsOfRenewing: readonly Defect[] = [
  ...defectsOfBearing,
  ...defectsOfRefreshing,
  ...defectsOfRefusingRefreshes,
  ...defectsOfExpiry,
  ...defectsOfBeingLate,
  ...defectsOfRevocation,
  ...defectsOfReach,
]
