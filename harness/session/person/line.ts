import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import type { Ask, Question, Reply } from './question.ts'

/**
 * The line between the threads in which scenarios act and the one that has the terminal. Channels of one name hear one
 * another within a process, whichever thread they are in.
 */

/** Asked, or no longer of interest. */
type ToDesk = { readonly call: string; readonly question: Question } | { readonly call: string }
interface FromDesk {
  readonly call: string
  readonly reply: Reply
}

/** What a desk that takes questions hears: one call each, whose signal says that nobody waits any more. */
export type Take = (question: Question, isGivenUp: AbortSignal) => Promise<Reply>

export interface Line {
  close(): void
}

/** Whoever only listens keeps no process alive. */
const open = (name: string): BroadcastChannel => {
  const channel = new BroadcastChannel(name)
  channel.unref()
  return channel
}

/** The end of the line on which questions come in. */
export const openDeskLine = (name: string, take: Take): Line => {
  const channel = open(name)
  const calls = new Map<string, AbortController>()
  const answer = async (call: string, question: Question): Promise<void> => {
    const givenUp = new AbortController()
    calls.set(call, givenUp)
    const reply = await take(question, givenUp.signal)
    calls.delete(call)
    channel.postMessage({ call, reply } satisfies FromDesk)
  }
  channel.onmessage = ({ data }) => {
    const message = data as ToDesk | FromDesk
    if ('question' in message) void answer(message.call, message.question)
    else if (!('reply' in message)) calls.get(message.call)?.abort()
  }
  return { close: () => channel.close() }
}

/** The other end: asks, and waits for the reply or for the end of the run, whichever is first. */
export const openAskingLine = (name: string): Ask & Line => {
  const channel = open(name)
  const waiting = new Map<string, (reply: Reply) => void>()
  channel.onmessage = ({ data }) => {
    const message = data as ToDesk | FromDesk
    if ('reply' in message) waiting.get(message.call)?.(message.reply)
  }
  const ask: Ask = (question, ends) =>
    new Promise((resolve, reject) => {
      const call = randomUUID()
      const giveUp = (): void => {
        waiting.delete(call)
        channel.postMessage({ call } satisfies ToDesk)
        reject(ends?.reason as Error)
      }
      waiting.set(call, (reply) => {
        waiting.delete(call)
        ends?.removeEventListener('abort', giveUp)
        resolve(reply)
      })
      ends?.addEventListener('abort', giveUp, { once: true })
      channel.postMessage({ call, question } satisfies ToDesk)
    })
  return Object.assign(ask, { close: () => channel.close() })
}
