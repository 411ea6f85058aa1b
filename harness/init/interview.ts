import { askAddress, askBasePath, askName } from './address-questions.ts'
import { askAuthorization, askKind, askRedirectUris, askVariables } from './application-questions.ts'
import { askCreditor, askDebtor, askOffers, askVariant, askWebhook } from './offer-questions.ts'
import type { Given } from './given.ts'
import type { Interview, Progress, Step } from './question.ts'

/** In the order in which the owner of a target knows the answers. */
const STEPS: readonly Step[] = [
  askBasePath,
  askName,
  askKind,
  askRedirectUris,
  askAuthorization,
  askVariables,
  askVariant,
  askOffers,
  // It puts an address in the place of what stands for one until then.
  askWebhook,
  askDebtor,
  askCreditor,
]

/**
 * Asks for what was not said yet. Each answer is checked at once.
 * @throws Cancelled at Ctrl-C.
 */
export const conductInterview = async (given: Given, interview: Interview): Promise<Progress> => {
  let progress = await askAddress(given, interview)
  for (const step of STEPS) progress = { ...progress, given: await step(progress, interview) }
  return progress
}
