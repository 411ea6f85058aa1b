import { applicationsIn } from '../profile/applications.ts'
import { NotReached } from '../evidence/signals.ts'
import type { Place } from '../profile/schema/places.ts'
import type { Profile } from '../profile/schema.ts'

/**
 * The application that acts in a place, and the others there.
 * @param name by default the first one acts. @throws NotReached if there is none.
 */
export const actingApplication = (profile: Profile, place: Place, name: string | undefined) => {
  const applications = applicationsIn(profile, place)
  const application = name === undefined ? applications[0] : applications.find((one) => one.name === name)
  if (application !== undefined)
    return { application, others: applications.filter((one) => one !== application) }
  const [where, key] =
    place === 'loans' ? ['the loan sandbox', 'environments.loans'] : [place, 'environments']
  throw new NotReached(
    `the profile has no application ${name === undefined ? '' : `${name} `}in ${where} (applications[].${key})`,
  )
}
