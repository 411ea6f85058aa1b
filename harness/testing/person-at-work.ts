import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { request } from 'undici'
import { createRedactor } from '../evidence/redaction.ts'
import { noJournal } from '../evidence/journal.ts'
import { ROOT } from '../plan/root.ts'
import { navigatePages } from '../session/authorization/page-navigation.ts'
import { createHttp } from '../session/http/http.ts'
import { permitsAnywhere } from '../session/http/permissions.ts'
import { openConnections } from '../target/connections.ts'
import { RUN_DEADLINE_MS } from './certify.ts'
import type { Profile } from '../profile/schema.ts'
import type { PageRecipe } from '../profile/schema/authorization.ts'
import type { Landing } from '../evidence/record/answer.ts'

/** A person in front of the terminal: reads what it asks for, and does it on the bank's pages. */

/** What the terminal has asked for. */
export interface Asked {
  /** Whether it waits for somebody to type. */
  readonly isReady: boolean
  readonly link: string
  readonly customer: string
  readonly decision: 'grant' | 'deny'
}

/** What the terminal says when it waits for somebody to type. */
const READY = 'Paste here'

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
      const decision = word === 'REFUSE' ? ('deny' as const) : ('grant' as const)
      return [{ isReady: text.includes(READY), link, customer, decision }]
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
    ...{
      scenario: 'a person',
      headers: {},
      requestMs: 20_000,
      permits: permitsAnywhere(['consent', 'pay', 'read']),
    },
    dispatcher: connections.dispatcher,
    origins: [new URL(link).origin],
    now: () => new Date(),
    redactor: createRedactor([]),
    journal: noJournal,
    onExchange: () => undefined,
  })
  try {
    const redirectUri = new URL(link).searchParams.get('redirect_uri') ?? ''
    return await navigatePages(
      { http, recipe: RECIPE, customer, decision, redirectUri },
      { operation: 'authorize', sender: 'customer', method: 'GET', url: link, headers: [] },
    )
  } finally {
    await connections.close()
  }
}

/** What the person does once the bank is through: opens the last page, or types something. */
export interface Hands {
  browse(address: string): Promise<void>
  type(text: string): void
}

export interface Performance {
  readonly args: readonly string[]
  readonly credentials: NodeJS.ProcessEnv
  /** Whether there is a terminal; without one nobody can type. */
  readonly isOnTerminal: boolean
  /** Is told of each question, as it comes. */
  readonly act: (asked: Asked, hands: Hands, at: number) => Promise<void>
}

export interface Performed {
  readonly exitCode: number | undefined
  /** All that stood on the terminal. */
  readonly output: string
  readonly asked: number
}

const quoted = (argument: string): string => `'${argument.replaceAll("'", String.raw`'\''`)}'`

/** Runs the suite as a user does, with somebody in front of it. */
export const perform = async ({ args, credentials, isOnTerminal, act }: Performance): Promise<Performed> => {
  const command = [process.execPath, '--import', 'tsx', 'harness/cli/run.ts', ...args]
  const [program, ...rest] = isOnTerminal
    ? ['script', '-qefc', `stty cols 80 rows 50; ${command.map(quoted).join(' ')}`, '/dev/null']
    : command
  const child = execa(program ?? '', rest, {
    ...{ cwd: ROOT, env: credentials, extendEnv: false, reject: false, buffer: false },
    ...{ stdin: isOnTerminal ? ('pipe' as const) : ('ignore' as const), timeout: RUN_DEADLINE_MS },
  })
  let output = ''
  let asked = 0
  let turn: Promise<void> = Promise.resolve()
  const hands: Hands = {
    async browse(address) {
      const { body } = await request(address)
      await body.dump()
    },
    type: (text) => void child.stdin?.write(`${text}\r`),
  }
  const look = async (): Promise<void> => {
    const questions = questionsIn(output)
    const next = questions[asked]
    if (next === undefined || (isOnTerminal && !next.isReady)) return
    asked += 1
    await act(next, hands, asked)
  }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      turn = turn.then(look)
    })
  const { exitCode } = await child
  await turn
  return { exitCode, output: stripVTControlCharacters(output), asked }
}
