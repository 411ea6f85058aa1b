import { accessDefects } from './access.ts'
import { bookingDefects } from './bookings.ts'
import { linkedPageDefects } from './linked-pages.ts'
import { numberedPageDefects } from './numbered-pages.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...linkedPageDefects,
  ...numberedPageDefects,
  ...bookingDefects,
  ...accessDefects,
]
