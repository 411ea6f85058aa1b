import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import { errorOf } from '../../evidence/errors.ts'
import type { Handover } from '../../evidence/exchange.ts'
import type { Decision } from './customer-acts.ts'

/**
 * The channel between the threads that run scenarios and the thread with the terminal. BroadcastChannels of one
 * name reach all threads of a process.
 */

export interface Question {
  /** The id of the exchange that will result. */
  readonly id: string
  /** The authorization request, to be opened in a browser. */
  readonly link: string
  /** The customer who logs in, by the label in the profile. */
  readonly customer: string
  readonly decision: Decision
  readonly redirectUri: string
  /** Whether the bank shows the code on a page. */
  readonly isShown: boolean
}

/** The answer of the person, or why there is none. */
export type Reply = { readonly handover: Handover } | { readonly because: string }

/** Asks a person. Resolves with their answer, or when no answer is possible. */
export type Ask = (question: Question, ends: AbortSignal | undefined) => Promise<Reply>

/** A question, or the end of one that is no longer of interest. */
type ToPrompt = { readonly call: string; readonly question: Question } | { readonly call: string }
interface FromPrompt {
  readonly call: string
  readonly reply: Reply
}

/** Answers one question. The signal is aborted when the answer is no longer needed. */
type AnswerQuestion = (question: Question, isGivenUp: AbortSignal) => Promise<Reply>

interface Channel {
  close(): void
}

/** A listener alone does not keep the process alive. */
const open = (name: string): BroadcastChannel => {
  const channel = new BroadcastChannel(name)
  channel.unref()
  return channel
}

/** The end of the channel that receives questions. */
export const receivePrompts = (name: string, take: AnswerQuestion): Channel => {
  const channel = open(name)
  const calls = new Map<string, AbortController>()
  const answer = async (call: string, question: Question): Promise<void> => {
    const givenUp = new AbortController()
    calls.set(call, givenUp)
    const reply = await take(question, givenUp.signal)
    calls.delete(call)
    channel.postMessage({ call, reply } satisfies FromPrompt)
  }
  channel.onmessage = ({ data }) => {
    const message = data as ToPrompt | FromPrompt
    if ('question' in message) void answer(message.call, message.question)
    else if (!('reply' in message)) calls.get(message.call)?.abort()
  }
  return { close: () => channel.close() }
}

/** The end of the channel that asks, and waits for the reply or the end of the run. */
export const connectToPrompts = (name: string): Ask & Channel => {
  const channel = open(name)
  const waiting = new Map<string, (reply: Reply) => void>()
  channel.onmessage = ({ data }) => {
    const message = data as ToPrompt | FromPrompt
    if ('reply' in message) waiting.get(message.call)?.(message.reply)
  }
  const ask: Ask = (question, ends) =>
    new Promise((resolve, reject) => {
      const call = randomUUID()
      const giveUp = (): void => {
        waiting.delete(call)
        channel.postMessage({ call } satisfies ToPrompt)
        reject(errorOf(ends?.reason))
      }
      waiting.set(call, (reply) => {
        waiting.delete(call)
        ends?.removeEventListener('abort', giveUp)
        resolve(reply)
      })
      ends?.addEventListener('abort', giveUp, { once: true })
      channel.postMessage({ call, question } satisfies ToPrompt)
    })
  return Object.assign(ask, { close: () => channel.close() })
}
