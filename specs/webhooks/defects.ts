import { defectsOfAccountEvents } from './defects-of-account-events.ts'
import { defectsOfActivation } from './defects-of-activation.ts'
import { defectsOfCalling } from './defects-of-calling.ts'
import { defectsOfSettings } from './defects-of-settings.ts'
import { defectsOfSharing } from './defects-of-sharing.ts'
import { defectsOfTransactionEvents } from './defects-of-transaction-events.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfSettings,
  ...defectsOfActivation,
  ...defectsOfCalling,
  ...defectsOfTransactionEvents,
  ...defectsOfSharing,
  ...defectsOfAccountEvents,
]
