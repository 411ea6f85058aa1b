import { defectsOfDetail } from './defects-of-detail.ts'
import { defectsOfInformation } from './defects-of-information.ts'
import { defectsOfIsolation } from './defects-of-isolation.ts'
import { defectsOfListing } from './defects-of-listing.ts'
import { defectsOfSharing } from './defects-of-sharing.ts'
import { defectsOfTokens } from './defects-of-tokens.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfListing,
  ...defectsOfDetail,
  ...defectsOfInformation,
  ...defectsOfIsolation,
  ...defectsOfTokens,
  ...defectsOfSharing,
]
