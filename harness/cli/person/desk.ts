import { randomUUID } from 'node:crypto'
import { Mutex } from 'async-mutex'
import { receivePrompts } from '../../session/authorization/prompt-channel.ts'
import { colorsFor } from '../../report/terminal/text.ts'
import { openListener } from './listener.ts'
import { promptForEnd } from './prompt.ts'
import { renderQuestion } from './render-question.ts'
import { purposeOf } from './purpose.ts'
import { refuseUnanswerable } from './answerable.ts'
import type { PersonProfile } from '../../profile/schema/authorization.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Question, Reply } from '../../session/authorization/prompt-channel.ts'
import type { Listener } from './listener.ts'
import type { Answer } from './prompt.ts'

/** The one place at which a person is asked: one question at a time, whoever asks. */

export interface Desk {
  /** How scenarios reach it. */
  readonly line: string
  close(): Promise<void>
}

export interface DeskOptions {
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
export const openDesk = async (options: DeskOptions): Promise<Desk> => {
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

interface Asking extends DeskOptions {
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
      because: `nobody can tell the end of the authorization at ${question.redirectUri}: there is no terminal to paste it into, and authorization.listen does not stand behind it`,
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
  output.write(found.handover.by === 'nobody' ? '  Left out.\n' : '  Thank you, the run goes on.\n')
  return found
}
