/** How many transactions a page shall hold: what the request asks for, within the bounds of the variant. */
import { Refusal, type Call } from './call.ts'
import type { AccountFacts } from './rules/account-rules.ts'

/** `pageSize` is a text of the query or a value of the body; undefined where the request names none. */
export const pageSizeOf = (call: Call, facts: AccountFacts, pageSize: unknown): number => {
  const { rules } = call
  if (pageSize === undefined) return rules.defaultPageSize(facts)
  const asked = rules.pageSizeAskedFor({ ...facts, pageSize })
  if (asked !== undefined) return within(call, facts, asked)
  if (rules.pageSizeMalformed({ ...facts, pageSize }) === 'left out') return rules.defaultPageSize(facts)
  throw new Refusal('invalid_request', 'The pageSize must be an integer.')
}

const within = ({ rules }: Call, facts: AccountFacts, asked: number): number => {
  const floor = rules.pageSizeFloor(facts)
  const ceiling = rules.pageSizeCeiling(facts)
  const bound = asked < floor ? 'floor' : asked > ceiling ? 'ceiling' : undefined
  if (bound === undefined) return asked
  if (rules.pageSizeBeyond({ ...facts, asked, bound }) === 'clamped') {
    return bound === 'floor' ? floor : ceiling
  }
  throw new Refusal('invalid_request', `The pageSize must be from ${floor} to ${ceiling}.`)
}
