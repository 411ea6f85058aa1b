import { randomUUID } from 'node:crypto'
import { Mutex } from 'async-mutex'
import { encode, renderUnicodeCompact } from 'uqr'
import { isOnLoopback, openListener, type Listener } from './listener.ts'
import { readPasted, type Pasted } from './pasted.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { onOneLine } from '../../report/run-observer.ts'
import { colorsFor, paragraph, type Colors } from '../../report/terminal/text.ts'
import { receivePrompts, type Question, type Reply } from '../../session/authorization/open-driver.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Profile } from '../../profile/schema.ts'
import type { PersonProfile } from '../../profile/schema/authorization.ts'

/** Where somebody sits who can answer. */
export interface Keyboard {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export type Answer = Exclude<Pasted, { readonly problem: string }> | { readonly interrupts: true }

/** Short enough for one line; nothing is shown of what is typed, since a code is a secret. */
const MESSAGE = 'Paste here, unseen (Enter: leave this one out; "stop": all the rest)'

/**
 * Asks until there is something that can be used.
 * @throws the reason of the signal, where it is no longer wanted.
 */
export const promptForEnd = async (
  question: Question,
  { input, output }: Keyboard,
  signal: AbortSignal,
): Promise<Answer> => {
  const { isCancel, password } = await import('@clack/prompts')
  // A terminal that gives each key away says nothing of Ctrl-C by itself.
  let interrupts = false
  const isInterrupted = (): boolean => interrupts
  const notice = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    interrupts ||= key?.ctrl === true && key.name === 'c'
  }
  input.on('keypress', notice)
  try {
    const typed = await password({
      message: MESSAGE,
      mask: '',
      clearOnError: true,
      validate: (text) => {
        const read = readPasted(text ?? '', question)
        return 'problem' in read ? read.problem : undefined
      },
      ...{ input, output, signal },
    })
    signal.throwIfAborted()
    if (isCancel(typed)) return isInterrupted() ? { interrupts: true } : { handover: { by: 'nobody' } }
    // Nothing typed at all is nothing, whatever the type says.
    const read = readPasted(typed || '', question)
    return 'problem' in read ? { handover: { by: 'nobody' } } : read
  } finally {
    input.off('keypress', notice)
  }
}

/**
 * A run that nobody could tell anything does not begin.
 * @throws ConfigurationError where there is neither a terminal nor a redirect that comes to this machine.
 */
export const refuseUnanswerable = (
  { applications }: Pick<Profile, 'applications'>,
  { listen }: PersonProfile,
  hasTerminal: boolean,
): void => {
  const uris = applications.flatMap(({ redirectUris }) => redirectUris)
  const heard = uris.filter(
    ({ uri, delivery }) => listen !== undefined && delivery === 'redirect' && isOnLoopback(uri, listen.port),
  )
  if (hasTerminal || heard.length > 0) return
  throw new ConfigurationError(
    listen === undefined
      ? '`authorization` has the kind person, and there is no terminal to paste the end of an authorization into; run it on a terminal, or register a redirect URI such as http://127.0.0.1:8765/callback at the bank and name its port with `authorization.listen`'
      : `\`authorization.listen\` has the port ${listen.port}, no redirect URI with delivery "redirect" leads there (${uris.map(({ uri }) => uri).join(', ')}), and there is no terminal to paste into; run it on a terminal, or register http://127.0.0.1:${listen.port}/callback at the bank and add it to \`applications.*.redirectUris\``,
  )
}

/** Readers want the code to have room around it. */
const WIDEST_BORDER = 4

/**
 * A link as a picture of so many columns at most, one line of text for two rows of it; nothing where it does not fit.
 * It is drawn light on dark: with colours whatever those of the terminal are, without them as most terminals are.
 */
export const qrCode = (link: string, columns: number, colors: Colors): readonly string[] => {
  const { size } = encode(link, { ecc: 'L', border: 0 })
  const border = Math.min(WIDEST_BORDER, Math.floor((columns - size) / 2))
  if (border < 1) return []
  return renderUnicodeCompact(link, { ecc: 'L', border })
    .split('\n')
    .map((line) => colors.bgBlack(colors.whiteBright(line)))
}

/** What a person reads who is asked to authorize. */

export interface Circumstances {
  /** Which of how many it is. */
  readonly at: number
  readonly of: number
  /** The scenario, and how many requirements are judged by it. */
  readonly purpose: string
  readonly until: Date
  /** Whether the redirect comes to this machine by itself. */
  readonly isHeard: boolean
  /** Whether something can be pasted. */
  readonly canPaste: boolean
}

export interface Style {
  readonly columns: number
  readonly colors: Colors
  /** Whether a picture can be shown. */
  readonly pictures: boolean
}

const LABEL = 8

const row = (label: string, text: string, { columns, colors }: Style): readonly string[] =>
  paragraph(`  ${colors.dim(label.padEnd(LABEL))}`, text, columns)

const timeOf = (time: Date): string => time.toTimeString().slice(0, 8)

const taskOf = ({ customer, decision }: Question, colors: Colors): string =>
  decision === 'grant'
    ? `Log in as ${onOneLine(customer)} and ${colors.bold('AGREE')}.`
    : `Log in as ${onOneLine(customer)} and ${colors.bold('REFUSE')} what the bank asks for.`

const endOf = ({ redirectUri, isShown }: Question, { isHeard, canPaste }: Circumstances): string => {
  if (isHeard && !canPaste) return 'The redirect arrives at this machine without your help.'
  if (isHeard)
    return 'The last page comes here by itself where the browser is on this machine; from a phone, paste its address.'
  return isShown
    ? 'At the end the bank shows a code: paste it here.'
    : `At the end the browser is sent to ${onOneLine(redirectUri)} (it may show an error): paste the whole address of that page here.`
}

/** The link stands on a line of its own, unbroken, so that it can be clicked on or copied. */
export const renderQuestion = (
  question: Question,
  circumstances: Circumstances,
  style: Style,
): readonly string[] => {
  const { at, of, purpose, until } = circumstances
  const { colors } = style
  const picture = style.pictures ? qrCode(question.link, style.columns, colors) : []
  return [
    '',
    colors.bold(`Authorization ${at} of ${Math.max(at, of)}: a person is needed until ${timeOf(until)}`),
    ...row('who', taskOf(question, colors), style),
    ...row('for', onOneLine(purpose), style),
    ...row('end', endOf(question, circumstances), style),
    ...row('link', 'open this in a private browser window:', style),
    '',
    onOneLine(question.link),
    '',
    ...picture,
    ...(picture.length === 0 ? [] : ['']),
  ]
}

/** What an authorization is for, by the id of its exchange: `tokens/a-code-exchange@TPP/4`, or `…:grant/1`. */
export const purposeOf = ({ checks }: Plan, id: string): string => {
  const of = id.replace(/\/\d+$/, '')
  const isShared = of.endsWith(':grant')
  const scenario = of
    .replace(/:grant$/, '')
    .replace(/~\d+$/, '')
    .replace(/\.\d+$/, '')
  const served = checks.filter(
    (check) => check.heldBack === undefined && (isShared ? check.sharesGrant : check.scenario === scenario),
  )
  const count = new Set(served.map(({ requirement }) => requirement)).size
  const requirements = `${count} ${count === 1 ? 'requirement' : 'requirements'}`
  return isShared ? `a grant that all share who only read (${requirements})` : `${scenario} (${requirements})`
}

/** The one place at which a person is asked: one question at a time, whoever asks. */

export interface Prompt {
  /** How scenarios reach it. */
  readonly line: string
  close(): Promise<void>
}

export interface PromptOptions {
  readonly profile: Profile
  readonly way: PersonProfile
  readonly plan: Plan
  /** How many authorizations are asked for. */
  readonly expected: number
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Takes the terminal from whoever writes on it, until the result is called. */
  readonly pause: () => () => void
  readonly interruption: AbortSignal
  /** Ctrl-C at a prompt. */
  readonly interrupt: () => void
}

const NARROWEST = 40
const WIDEST = 80

const STOPPED = 'the person who was asked wanted to be asked no more'

/** @throws ConfigurationError where nobody could answer: then nothing has been sent. */
export const openPrompt = async (options: PromptOptions): Promise<Prompt> => {
  const { profile, way, input } = options
  refuseUnanswerable(profile, way, input.isTTY)
  const listener = way.listen && (await openListener(way.listen))
  const turns = new Mutex()
  const standing: Standing = { asked: 0, stopped: undefined }
  const line = randomUUID()
  const open = receivePrompts(line, (question, isGivenUp) =>
    turns.runExclusive(() => answer({ ...options, listener, standing }, question, isGivenUp)),
  )
  return {
    line,
    async close() {
      open.close()
      await listener?.close()
    },
  }
}

interface Standing {
  asked: number
  /** Why nobody is asked any more. */
  stopped: string | undefined
}

interface Asking extends PromptOptions {
  readonly listener: Listener | undefined
  readonly standing: Standing
}

const answer = async (asking: Asking, question: Question, isGivenUp: AbortSignal): Promise<Reply> => {
  const { standing, output, interruption, way, listener, input } = asking
  if (standing.stopped !== undefined) return { because: standing.stopped }
  if (isGivenUp.aborted || interruption.aborted)
    return { because: 'the run was over before anybody was asked' }
  if (standing.asked >= way.most)
    return { because: `it would take more authorizations by a person than ${way.most} (authorization.most)` }
  const isHeard = !question.isShown && listener?.hears(question.redirectUri) === true
  const canPaste = input.isTTY
  if (!isHeard && !canPaste)
    return {
      because: `the result of the authorization cannot be read at ${question.redirectUri}: there is no terminal to paste it into, and authorization.listen does not receive it`,
    }
  const resume = asking.pause()
  standing.asked += 1
  const late = AbortSignal.timeout(way.deadlineMs)
  try {
    show(asking, question, { isHeard, canPaste })
    const ends = AbortSignal.any([late, isGivenUp, interruption])
    const found = await first(asking, question, { isHeard, canPaste, ends })
    return settle(asking, found)
  } catch (error) {
    const isOver = [isGivenUp, interruption].some(({ aborted }) => aborted)
    if (!late.aborted && !isOver) throw error
    const because = late.aborted
      ? `nobody authorized within ${Math.ceil(way.deadlineMs / 1000)} s (authorization.deadlineMs)`
      : 'the run was over before somebody had authorized'
    output.write(`  ${because}\n`)
    return { because }
  } finally {
    resume()
  }
}

interface Ears {
  readonly isHeard: boolean
  readonly canPaste: boolean
}

const show = ({ output, plan, standing, expected, way }: Asking, question: Question, ears: Ears): void => {
  const columns = output.isTTY ? Math.min(WIDEST, Math.max(NARROWEST, output.columns)) : WIDEST
  const circumstances = {
    ...{ at: standing.asked, of: expected, ...ears },
    purpose: purposeOf(plan, question.id),
    until: new Date(Date.now() + way.deadlineMs),
  }
  const style = { columns, colors: colorsFor(output), pictures: output.isTTY }
  output.write(`${renderQuestion(question, circumstances, style).join('\n')}\n`)
}

/** The redirect or what is pasted, whichever comes first; the other is waited for no longer. */
const first = async (
  { listener, input, output }: Asking,
  question: Question,
  { isHeard, canPaste, ends }: Ears & { readonly ends: AbortSignal },
): Promise<Answer> => {
  const done = new AbortController()
  const signal = AbortSignal.any([ends, done.signal])
  const heard = async (from: Listener): Promise<Answer> => ({
    handover: await from.next(question.redirectUri, signal),
  })
  const ways = [
    ...(isHeard && listener !== undefined ? [heard(listener)] : []),
    ...(canPaste ? [promptForEnd(question, { input, output }, signal)] : []),
  ]
  try {
    return await Promise.race(ways)
  } finally {
    done.abort()
    await Promise.allSettled(ways)
  }
}

const settle = ({ standing, output, interrupt }: Asking, found: Answer): Reply => {
  if ('interrupts' in found) {
    interrupt()
    return { because: 'the run was interrupted before this was done' }
  }
  if ('stops' in found) {
    standing.stopped = STOPPED
    output.write('  Nobody is asked any more; what needs an authorization is not reached.\n')
    return { because: STOPPED }
  }
  output.write(found.handover.by === 'nobody' ? '  Skipped.\n' : '  Thank you, the run continues.\n')
  return found
}
