import { alter, defectsOf, refuse } from '../../shared/changes.ts'
import { WEB } from '../requirements.ts'

/** Faults that show only at night, only for small amounts or only after a while. */

const DAY = 24 * 60 * 60 * 1000

const isUnderFive = ({ transaction }: { readonly transaction: { readonly amount: number } }): boolean =>
  Math.abs(transaction.amount) < 500

const neverAtNight = alter({
  webhookActiveFrom: (usual, { enabledAt }) =>
    enabledAt.getUTCHours() === 23 && enabledAt.getUTCMinutes() < 5
      ? new Date(enabledAt.getTime() + 1000 * DAY)
      : usual,
})

export const lifeDefects = [
  ...defectsOf([WEB.bookingIsNotified], {
    'Bookings of less than 5 EUR are not notified': refuse('bookingIsNotified', isUnderFive),
  }),
  ...defectsOf([WEB.webhooksAreActiveFromTheNextFullHour], {
    'Webhooks that are enabled in the first minutes after 23:00 are never active': neverAtNight,
  }),
]
