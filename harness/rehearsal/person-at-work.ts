import { stripVTControlCharacters } from 'node:util'
import { createRedactor } from '../evidence/redaction.ts'
import { noJournal } from '../evidence/journal.ts'
import { walkPages } from '../session/customer.ts'
import { createHttp } from '../session/http.ts'
import { openConnections } from '../target/connections.ts'
import type { PageRecipe, Profile } from '../profile/schema.ts'
import type { Landing } from '../session/landing.ts'

/** A person in front of the terminal: reads what it asks for, and does it on the bank's pages. */

/** What the terminal has asked for. */
export interface Asked {
  readonly link: string
  readonly customer: string
  readonly decision: 'grant' | 'deny'
}

const BEGINNING = /^Authorization \d+ of \d+/m

/** Each whole question of a terminal's output, in order. */
export const questionsIn = (output: string): readonly Asked[] =>
  stripVTControlCharacters(output)
    .replaceAll('\r', '')
    .split(BEGINNING)
    .slice(1)
    .flatMap((text) => {
      const [, customer, word] = /Log in as (.+?) and (AGREE|REFUSE)/s.exec(text) ?? []
      const link = /^(https?:\/\/\S+)\n/m.exec(text)?.[1]
      if (customer === undefined || link === undefined) return []
      return [{ link, customer, decision: word === 'REFUSE' ? ('deny' as const) : ('grant' as const) }]
    })

const RECIPE: PageRecipe = {
  pages: [
    {
      when: 'input[name=username]',
      fill: { 'input[name=username]': '{username}', 'input[name=password]': '{password}' },
      press: 'button[type=submit]',
    },
    { when: 'button[value=grant]', fill: {}, press: 'button[value=grant]', refuse: 'button[value=deny]' },
  ],
  code: '#code',
  limit: 20,
}

/** Opens the link and walks the pages; where the bank sends the browser at the end is not requested yet. */
export const authorize = async (
  { link, customer: name, decision }: Asked,
  profile: Profile,
): Promise<Landing> => {
  const customer = profile.customers.find((one) => one.name === name)
  if (customer === undefined) throw new Error(`nobody is called ${name}`)
  const connections = openConnections(profile)
  const http = createHttp({
    ...{ scenario: 'a person', headers: {}, requestMs: 20_000, allowed: ['consent', 'pay', 'read'] },
    dispatcher: connections.dispatcher,
    origins: [new URL(link).origin],
    now: () => new Date(),
    redactor: createRedactor([]),
    journal: noJournal,
    onExchange: () => undefined,
  })
  try {
    const redirectUri = new URL(link).searchParams.get('redirect_uri') ?? ''
    return await walkPages(
      { http, recipe: RECIPE, customer, decision, redirectUri },
      { operation: 'authorize', sender: 'customer', method: 'GET', url: link, headers: [] },
    )
  } finally {
    await connections.close()
  }
}
