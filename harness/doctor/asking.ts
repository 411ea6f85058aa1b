import { createApplication } from '../session/application.ts'
import { chance } from '../session/random.ts'
import { createVariants } from '../session/variants.ts'
import { openWay } from '../session/way.ts'
import type { ApplicationProfile } from '../profile/schema.ts'
import type { Application } from '../session/application.ts'
import type { Http } from '../session/http.ts'
import type { Visit } from './patient.ts'

/** Who asks the target: one of the applications of the profile. */

/** An application with the key under which the profile names it. */
export interface Named {
  readonly profile: ApplicationProfile
  readonly key: string
}

/** An application that asks. */
export const applicationFor = ({ patient }: Visit, http: Http, profile: ApplicationProfile): Application =>
  createApplication(profile, {
    profile: patient.profile,
    http,
    way: openWay(patient.profile),
    accountBase: patient.baseUrl + patient.profile.basePaths[patient.profile.environment],
    accounts: createVariants({ profile: patient.profile, baseUrl: patient.baseUrl, http, random: chance }),
    customer: patient.profile.customers[0],
  })
