import { fieldOf, jsonOf, isAccepted } from '../session/answer.ts'
import { applicationFor } from './asking.ts'
import { find } from './finding.ts'
import { keysIn } from './fields.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'
import type { Findings, Visit } from './patient.ts'

/** Whether imported tokens are accepted, and whether the list that they open is what the profile says of it. */

export const examineTokens = async (visit: Visit, http: Http): Promise<Findings> => {
  const { profile } = visit.patient
  const { authorization, applications } = profile
  if (authorization.kind !== 'tokens') return []
  const examined = authorization.tokens.map(async ({ application: name, accessToken }, at) => {
    const owner = applications.find((each) => each.name === name)
    if (owner === undefined) return []
    const exchange = await applicationFor(visit, http, owner).listAccounts(accessToken)
    return judgeList(exchange, profile, `authorization.tokens.${at}`)
  })
  return (await Promise.all(examined)).flat()
}

const judgeList = (exchange: Exchange, profile: Profile, key: string): Findings => {
  const status = exchange.response?.status
  if (status === undefined || !isAccepted(exchange)) {
    const said = status ?? exchange.fault?.message ?? 'nothing'
    return [find('TGT-TOKEN-2', { cause: `The list of accounts answers ${said} to \`${key}\`.` })]
  }
  const accepted = find('TGT-TOKEN-1', { cause: `The list of accounts answers ${status} to \`${key}\`.` })
  return [accepted, ...judgeFields(exchange, profile)]
}

const judgeFields = (exchange: Exchange, { operations: { listAccounts } }: Profile): Findings => {
  const json = jsonOf(exchange)
  const status = exchange.response?.status ?? 0
  const accounts: unknown = fieldOf(json, listAccounts.accounts)
  const list: readonly unknown[] = Array.isArray(accounts) ? accounts : []
  const missing = [
    ...(listAccounts.success.includes(status) ? [] : [`\`operations.listAccounts.success\` lacks ${status}`]),
    ...(Array.isArray(accounts)
      ? []
      : [`\`operations.listAccounts.accounts\` names ${listAccounts.accounts}, where no list is`]),
    ...(list.every((account) => typeof fieldOf(account, listAccounts.iban) === 'string')
      ? []
      : [`\`operations.listAccounts.iban\` names ${listAccounts.iban}, which an account lacks`]),
  ]
  if (missing.length === 0)
    return [find('TGT-BIND-1', { cause: 'The list of accounts is as `operations.listAccounts` says.' })]
  const shows = keysIn(json)
  return [find('TGT-BIND-2', { cause: `${missing.join('; ')}.`, shows })]
}
