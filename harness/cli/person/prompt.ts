import { randomUUID } from 'node:crypto'
import { Mutex } from 'async-mutex'
import { encode, renderUnicodeCompact } from 'uqr'
import { isOnLoopback, openListener, type Listener } from './listener.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { onOneLine } from '../../report/run-observer.ts'
import { colorsFor, paragraph, widthOf, type Colors } from '../../report/terminal/text.ts'
import { receivePrompts, type Question, type Reply } from '../../session/authorization/open-driver.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Profile } from '../../profile/schema.ts'
import type { PersonProfile } from '../../profile/schema/authorization.ts'
import { type Answer, promptForEnd } from './terminal-prompt.ts'

/**
 * Refuses a run in which no result of an authorization could be received.
 * @throws ConfigurationError if there is neither a terminal nor a redirect URI on this machine.
 */
export const refuseUnanswerable = (
  { applications }: Pick<Profile, 'applications'>,
  { listen }: PersonProfile,
  hasTerminal: boolean,
): void => {
  const uris = applications.flatMap(({ redirectUris }) => redirectUris)
  const received = uris.filter(
    ({ uri, delivery }) => listen !== undefined && delivery === 'redirect' && isOnLoopback(uri, listen.port),
  )
  if (hasTerminal || received.length > 0) return
  throw new ConfigurationError(
    listen === undefined
      ? '`authorization` has the kind person, and there is no terminal to paste the result of an authorization into; run it on a terminal, or register a redirect URI such as http://127.0.0.1:8765/callback at the bank and set its port in `authorization.listen`'
      : `\`authorization.listen\` has the port ${listen.port}, no redirect URI with delivery "redirect" has this port (${uris.map(({ uri }) => uri).join(', ')}), and there is no terminal to paste into; run it on a terminal, or register http://127.0.0.1:${listen.port}/callback at the bank and add it to \`applications.*.redirectUris\``,
  )
}

/** QR readers need an empty border. */
const WIDEST_BORDER = 4

/**
 * The link as a QR code, two rows per line of text; empty if it is wider than the columns. It is light on dark: with
 * colours on any terminal, and without colours on a dark terminal.
 */
export const qrCode = (link: string, columns: number, colors: Colors): readonly string[] => {
  const { size } = encode(link, { ecc: 'L', border: 0 })
  const border = Math.min(WIDEST_BORDER, Math.floor((columns - size) / 2))
  if (border < 1) return []
  return renderUnicodeCompact(link, { ecc: 'L', border })
    .split('\n')
    .map((line) => colors.bgBlack(colors.whiteBright(line)))
}

/** The text of a prompt. */

export interface PromptContext {
  /** The number of this prompt, from 1, and the expected number of prompts. */
  readonly at: number
  readonly of: number
  /** The scenario, and the number of its requirements. */
  readonly purpose: string
  readonly until: Date
  /** Whether the listener receives the redirect. */
  readonly isReceived: boolean
  /** Whether there is a terminal to paste into. */
  readonly canPaste: boolean
}

export interface Style {
  readonly columns: number
  readonly colors: Colors
  /** Whether a QR code can be shown. */
  readonly showsQrCode: boolean
}

const LABEL = 8

const row = (label: string, text: string, { columns, colors }: Style): readonly string[] =>
  paragraph(`  ${colors.dim(label.padEnd(LABEL))}`, text, columns)

const timeOf = (time: Date): string => time.toTimeString().slice(0, 8)

const taskOf = ({ customer, decision }: Question, colors: Colors): string =>
  decision === 'grant'
    ? `Log in as ${onOneLine(customer)} and ${colors.bold('AGREE')}.`
    : `Log in as ${onOneLine(customer)} and ${colors.bold('REFUSE')} what the bank asks for.`

const endOf = ({ redirectUri, isShown }: Question, { isReceived, canPaste }: PromptContext): string => {
  if (isReceived && !canPaste) return 'The redirect reaches this machine automatically.'
  if (isReceived)
    return 'If the browser is on this machine, the redirect is received automatically; from a phone, paste the URL of the last page.'
  return isShown
    ? 'The last page of the bank shows a code: paste it here.'
    : `The browser is finally redirected to ${onOneLine(redirectUri)} (it may show an error): paste the whole URL of that page here.`
}

/** The link is on its own line without a break, so that it can be clicked or copied. */
export const renderQuestion = (
  question: Question,
  context: PromptContext,
  style: Style,
): readonly string[] => {
  const { at, of, purpose, until } = context
  const { colors } = style
  const qr = style.showsQrCode ? qrCode(question.link, style.columns, colors) : []
  return [
    '',
    colors.bold(`Authorization ${at} of ${Math.max(at, of)}: a person is needed until ${timeOf(until)}`),
    ...row('who', taskOf(question, colors), style),
    ...row('for', onOneLine(purpose), style),
    ...row('end', endOf(question, context), style),
    ...row('link', 'open this in a private browser window:', style),
    '',
    onOneLine(question.link),
    '',
    ...qr,
    ...(qr.length === 0 ? [] : ['']),
  ]
}

/** The purpose of an authorization from the id of its exchange: `tokens/a-code-exchange@TPP/4`, or `…:grant/1`. */
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
  return isShared
    ? `a grant that scenarios share which only read (${requirements})`
    : `${scenario} (${requirements})`
}

/** Asks a person one question at a time, for all worker threads. */

export interface Prompt {
  /** The name of the channel to the worker threads. */
  readonly line: string
  close(): Promise<void>
}

export interface PromptOptions {
  readonly profile: Profile
  readonly way: PersonProfile
  readonly plan: Plan
  /** The expected number of authorizations. */
  readonly expected: number
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Stops other output on the terminal until the returned function is called. */
  readonly pause: () => () => void
  readonly interruption: AbortSignal
  /** Ctrl-C at a prompt. */
  readonly interrupt: () => void
}

/** A QR code must not be wider than the terminal, which may be narrower than the lines of other commands. */
const NARROWEST = 40

/** The columns of the terminal of the prompt. */
export const columnsOf = (output: { readonly isTTY?: boolean; readonly columns?: number }): number =>
  output.isTTY === true ? Math.max(NARROWEST, output.columns ?? NARROWEST) : widthOf(output)

const STOPPED = 'the person wanted no further prompts'

/** @throws ConfigurationError if no answer could be received; then nothing has been sent. */
export const openPrompt = async (options: PromptOptions): Promise<Prompt> => {
  const { profile, way, input } = options
  refuseUnanswerable(profile, way, input.isTTY)
  const listener = way.listen && (await openListener(way.listen))
  const turns = new Mutex()
  const state: PromptState = { asked: 0, stopped: undefined }
  const line = randomUUID()
  const open = receivePrompts(line, (question, isGivenUp) =>
    turns.runExclusive(() => answer({ ...options, listener, state }, question, isGivenUp)),
  )
  return {
    line,
    async close() {
      open.close()
      await listener?.close()
    },
  }
}

interface PromptState {
  asked: number
  /** Why there are no further prompts. */
  stopped: string | undefined
}

interface Asking extends PromptOptions {
  readonly listener: Listener | undefined
  readonly state: PromptState
}

const answer = async (asking: Asking, question: Question, isGivenUp: AbortSignal): Promise<Reply> => {
  const { state, output, interruption, way, listener, input } = asking
  if (state.stopped !== undefined) return { because: state.stopped }
  if (isGivenUp.aborted || interruption.aborted) return { because: 'the run ended before the prompt' }
  if (state.asked >= way.most)
    return { because: `the run needs more than ${way.most} authorizations by a person (authorization.most)` }
  const isReceived = !question.isShown && listener?.receives(question.redirectUri) === true
  const canPaste = input.isTTY
  if (!isReceived && !canPaste)
    return {
      because: `the result of the authorization cannot be read at ${question.redirectUri}: there is no terminal to paste it into, and authorization.listen does not receive it`,
    }
  const resume = asking.pause()
  state.asked += 1
  const late = AbortSignal.timeout(way.deadlineMs)
  try {
    show(asking, question, { isReceived, canPaste })
    const ends = AbortSignal.any([late, isGivenUp, interruption])
    const found = await firstAnswer(asking, question, { isReceived, canPaste, ends })
    return toReply(asking, found)
  } catch (error) {
    const isOver = [isGivenUp, interruption].some(({ aborted }) => aborted)
    if (!late.aborted && !isOver) throw error
    const because = late.aborted
      ? `no authorization within ${Math.ceil(way.deadlineMs / 1000)} s (authorization.deadlineMs)`
      : 'the run ended before the authorization'
    output.write(`  ${because}\n`)
    return { because }
  } finally {
    resume()
  }
}

interface AnswerChannels {
  readonly isReceived: boolean
  readonly canPaste: boolean
}

const show = (
  { output, plan, state, expected, way }: Asking,
  question: Question,
  channels: AnswerChannels,
): void => {
  const context = {
    at: state.asked,
    of: expected,
    ...channels,
    purpose: purposeOf(plan, question.id),
    until: new Date(Date.now() + way.deadlineMs),
  }
  const style = { columns: columnsOf(output), colors: colorsFor(output), showsQrCode: output.isTTY }
  output.write(`${renderQuestion(question, context, style).join('\n')}\n`)
}

/** Resolves to the redirect or the pasted text, whichever comes first, and cancels the other. */
const firstAnswer = async (
  { listener, input, output }: Asking,
  question: Question,
  { isReceived, canPaste, ends }: AnswerChannels & { readonly ends: AbortSignal },
): Promise<Answer> => {
  const done = new AbortController()
  const signal = AbortSignal.any([ends, done.signal])
  const received = async (from: Listener): Promise<Answer> => ({
    handover: await from.next(question.redirectUri, signal),
  })
  const ways = [
    ...(isReceived && listener !== undefined ? [received(listener)] : []),
    ...(canPaste ? [promptForEnd(question, { input, output }, signal)] : []),
  ]
  try {
    return await Promise.race(ways)
  } finally {
    done.abort()
    await Promise.allSettled(ways)
  }
}

const toReply = ({ state, output, interrupt }: Asking, found: Answer): Reply => {
  if ('interrupts' in found) {
    interrupt()
    return { because: 'the run was interrupted before the authorization' }
  }
  if ('isStop' in found) {
    state.stopped = STOPPED
    output.write('  There are no further prompts; checks that need an authorization are not reached.\n')
    return { because: STOPPED }
  }
  output.write(found.handover.by === 'skipped' ? '  Skipped.\n' : '  Thank you, the run continues.\n')
  return found
}
