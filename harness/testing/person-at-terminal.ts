import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { request } from 'undici'
import { createRedactor } from '../evidence/redaction.ts'
import { noJournal } from '../evidence/journal.ts'
import { ROOT } from '../plan/root.ts'
import { suite } from './program.ts'
import { navigatePages } from '../session/authorization/page-navigation.ts'
import { createHttp } from '../session/http/http.ts'
import { permitsAnywhere } from '../session/http/permissions.ts'
import { openConnections } from '../connection/connections.ts'
import { RUN_DEADLINE_MS } from './certify.ts'
import type { Profile } from '../profile/schema.ts'
import type { PageRecipe } from '../profile/schema/authorization.ts'
import type { RedirectResult } from '../evidence/record/answer.ts'

/** Simulates a person who reads the questions on the terminal and authorizes on the bank's pages. */

/** One question on the terminal. */
export interface Question {
  /** Whether the terminal waits for input. */
  readonly isReady: boolean
  readonly link: string
  readonly customer: string
  readonly decision: 'grant' | 'deny'
}

/** The terminal shows this text when it waits for input. */
const READY = 'Paste here'

const HEADING = /^Authorization \d+ of \d+/m

/** Each complete question in the output of a terminal, in order. */
const questionsIn = (output: string): readonly Question[] =>
  stripVTControlCharacters(output)
    .replaceAll('\r', '')
    .split(HEADING)
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

/** Opens the link and completes the pages. The final redirect of the bank is not requested. */
export const authorize = async (
  { link, customer: name, decision }: Question,
  profile: Profile,
): Promise<RedirectResult> => {
  const customer = profile.customers.find((one) => one.name === name)
  if (customer === undefined) throw new Error(`no customer is called ${name}`)
  const connections = openConnections(profile)
  const http = createHttp({
    scenario: 'a person',
    headers: {},
    requestMs: 20_000,
    permits: permitsAnywhere(['consent', 'pay', 'read']),
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

/** What the person can do after the pages: open the last address, or type into the terminal. */
export interface PersonActions {
  browse(address: string): Promise<void>
  type(text: string): void
}

interface PersonRun {
  readonly args: readonly string[]
  readonly credentials: NodeJS.ProcessEnv
  /** Whether the command has a terminal; without one there is no input. */
  readonly isOnTerminal: boolean
  /** Called for each question. @param number counted from 1. */
  readonly answer: (question: Question, actions: PersonActions, number: number) => Promise<void>
}

interface PersonRunResult {
  readonly exitCode: number | undefined
  /** The whole output of the terminal. */
  readonly output: string
  /** The number of questions. */
  readonly asked: number
}

const quoted = (argument: string): string => `'${argument.replaceAll("'", String.raw`'\''`)}'`

/** Runs the suite as a user does, with a person who answers its questions. */
export const runWithPerson = async ({
  args,
  credentials,
  isOnTerminal,
  answer,
}: PersonRun): Promise<PersonRunResult> => {
  const command = [process.execPath, ...suite('run', ...args)]
  const [program, ...rest] = isOnTerminal
    ? ['script', '-qefc', `stty cols 80 rows 50; ${command.map(quoted).join(' ')}`, '/dev/null']
    : command
  const child = execa(program ?? '', rest, {
    cwd: ROOT,
    env: credentials,
    extendEnv: false,
    reject: false,
    buffer: false,
    stdin: isOnTerminal ? 'pipe' : 'ignore',
    timeout: RUN_DEADLINE_MS,
  })
  let output = ''
  let asked = 0
  let answering: Promise<void> = Promise.resolve()
  const actions: PersonActions = {
    async browse(address) {
      const { body } = await request(address)
      await body.dump()
    },
    type: (text) => void child.stdin?.write(`${text}\r`),
  }
  const answerNext = async (): Promise<void> => {
    const questions = questionsIn(output)
    const next = questions[asked]
    if (next === undefined || (isOnTerminal && !next.isReady)) return
    asked += 1
    await answer(next, actions, asked)
  }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      answering = answering.then(answerNext)
    })
  const { exitCode } = await child
  await answering
  return { exitCode, output: stripVTControlCharacters(output), asked }
}
