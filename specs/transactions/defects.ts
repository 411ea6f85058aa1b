import { defectsOfAccess } from './defects-of-access.ts'
import { defectsOfBookings } from './defects-of-bookings.ts'
import { defectsOfLaterPages } from './defects-of-later-pages.ts'
import { defectsOfLinkedPages } from './defects-of-links.ts'
import { defectsOfNumberedPages } from './defects-of-numbers.ts'
import { defectsOfRevocation } from './defects-of-revocation.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfLinkedPages,
  ...defectsOfNumberedPages,
  ...defectsOfBookings,
  ...defectsOfAccess,
  ...defectsOfRevocation,
  ...defectsOfLaterPages,
]
