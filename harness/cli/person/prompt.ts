import { randomUUID } from 'node:crypto'
import { Mutex } from 'async-mutex'
import { isOnLoopback, openListener, type Listener } from './listener.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { colorsFor, widthOf } from '../../report/terminal/text.ts'
import { receivePrompts, type Question, type Reply } from '../../session/authorization/thread-channel.ts'
import { purposeOf, renderQuestion } from './prompt-text.ts'
import { promptForEnd, type Answer } from './terminal-prompt.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Profile } from '../../profile/schema.ts'
import type { PersonProfile } from '../../profile/schema/authorization.ts'

/** Asks a person one question at a time, for all worker threads. */

/**
 * Refuses a run in which no result of an authorization could be received.
 * @throws ConfigurationError if there is neither a terminal nor a redirect URI on this machine.
 */
const refuseUnanswerable = (
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

export interface Prompt {
  /** The name of the channel to the worker threads. */
  readonly line: string
  close(): Promise<void>
}

interface PromptOptions {
  readonly profile: Profile
  readonly way: PersonProfile
  readonly plan: Plan
  readonly expected: number
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Stops other output on the terminal until the returned function is called. */
  readonly pause: () => () => void
  readonly interruption: AbortSignal
  readonly interrupt: () => void
}

/** A QR code must not be wider than the terminal, which may be narrower than the lines of other commands. */
const NARROWEST = 40

const columnsOf = (output: { readonly isTTY?: boolean; readonly columns?: number }): number =>
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
