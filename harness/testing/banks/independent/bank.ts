/** The bank as a whole: its clock, its environments, and who is asking. */

import { APPLICATIONS, type Application } from './people.ts'
import { lives, worldOf, type Token, type World } from './world.ts'
import { fault, type Answer, type Call } from './wire.ts'
import type { Choices } from './choices.ts'

export interface Settings {
  readonly enabled: boolean
  readonly endpoint: string
  readonly secureHeader: string
  /** When notifications begin. */
  readonly from: number
}

export interface Bank {
  readonly choices: Choices
  readonly settings: Map<string, Settings>
  readonly live: World
  readonly trial: World
  /** How far the clock was put forward, in milliseconds. */
  ahead: number
}

export const bankOf = (choices: Choices): Bank => ({
  choices,
  settings: new Map(),
  live: worldOf('production'),
  trial: worldOf('sandbox'),
  ahead: 0,
})

export const nowOf = (bank: Bank): number => Date.now() + bank.ahead

/** The application that the header names: the word Basic, one blank, base64 of id, colon and secret. */
export const applicationOf = (call: Call): Application | undefined => {
  const [, packed] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(call.headers.authorization ?? '') ?? []
  if (packed === undefined) return undefined
  const text = Buffer.from(packed, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return APPLICATIONS.find(({ id, secret }) => text === `${id}:${secret}`)
}

const challenge = (rest: string): Answer['headers'] => ({
  'WWW-AUTHENTICATE': `Bearer realm="saltmarsh accounts"${rest}`,
})

/** The token of a call for data, or the refusal. */
export const admitted = (bank: Bank, world: World, call: Call): Token | Answer => {
  const refused = (rest: string): Answer =>
    bank.choices.bareRefusals
      ? { status: 401, headers: challenge(rest), body: '' }
      : fault(401, 'NO_ENTRY', 'A token that is valid is needed.', challenge(rest))
  const header = call.headers.authorization
  if (header === undefined) return refused('')
  const [, value] = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header) ?? []
  const token = value === undefined ? undefined : world.access.get(value)
  return token !== undefined && lives(world, token, nowOf(bank)) ? token : refused(', error="invalid_token"')
}
