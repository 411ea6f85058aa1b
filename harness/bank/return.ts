/** How the outcome of an authorization reaches the application: by redirect, or on the bank's result screen. */
import { page, redirect } from './answers.ts'
import { errorPage, resultPage } from './authorization-pages.ts'
import { factsOf, type Call, type Refusal } from './call.ts'
import type { Ending } from './rules/authorization-rules.ts'
import type { Client } from './world.ts'

/** Where an answer goes, and what the client wants to see again in it. */
export interface Return {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
}

export const returnToClient = async (
  call: Call,
  { client, redirectUri, state }: Return,
  ending: Ending,
  outcome: Readonly<Record<string, string>>,
): Promise<Response> => {
  const facts = { ...factsOf(call), client, redirectUri, ending }
  const carried = call.rules.stateCarriedBack({ ...facts, state })
  const wanted = { ...outcome, ...(carried === undefined ? {} : { state: carried }) }
  const parameters = call.rules.returnParameters({ ...facts, parameters: wanted })
  if (call.rules.resultIsShown(facts))
    return page(ending === 'refused' ? 400 : 200, resultPage(client, parameters))
  return redirect(call.rules.returnStatus(facts), call.rules.returnLocation({ ...facts, parameters }))
}

/** The bank says no, to a client whose redirect URI is proved. */
export const refuseToClient = async (
  call: Call,
  destination: Return,
  refusal: Refusal,
): Promise<Response> => {
  const { client, redirectUri } = destination
  const { error, message } = refusal
  if (!call.rules.errorIsRedirected({ ...factsOf(call), client, redirectUri, error })) {
    return page(400, errorPage(error, message))
  }
  return returnToClient(call, destination, 'refused', { error, error_description: message })
}
