import { createHash } from 'node:crypto'
import { decode, keepBody, KEPT_BYTES } from '../evidence/recorder.ts'
import type { Hash } from 'node:crypto'
import type { Body, HeaderFields } from '../evidence/exchange.ts'

/** Bodies on their way in: whoever sends much, or sends at the same time as many others, costs no more than the budget. */

/** What all bodies under way may hold together, in bytes. */
export interface Budget {
  left: number
}

export const createBudget = (bytes: number): Budget => ({ left: bytes })

/** One body under way. */
export interface Intake {
  add(chunk: Buffer): void
  /** The body as far as it came. Its share of the budget is free again. */
  end(headers: HeaderFields): Body
}

export const createIntake = (budget: Budget): Intake => {
  const chunks: Buffer[] = []
  let held = 0
  let bytes = 0
  let hash: Hash | undefined

  const hold = (chunk: Buffer): void => {
    const part = chunk.subarray(0, Math.max(0, Math.min(KEPT_BYTES - held, budget.left)))
    held += part.length
    budget.left -= part.length
    if (part.length > 0) chunks.push(part)
  }

  return {
    add(chunk) {
      bytes += chunk.length
      if (hash === undefined) {
        hold(chunk)
        if (held === bytes) return
        // From here on the head alone is held; what was held so far is the beginning of what is hashed.
        hash = createHash('sha256')
        for (const part of chunks) hash.update(part)
        hash.update(chunk.subarray(chunk.length - (bytes - held)))
      } else hash.update(chunk)
    },
    end(headers) {
      budget.left += held
      const head = Buffer.concat(chunks)
      if (hash === undefined) return keepBody(decodedOrAsItIs(head, headers))
      return { text: head.toString('utf8'), bytes, sha256: hash.digest('hex') }
    },
  }
}

/** A coding that cannot be undone leaves what came, for a reader to see. */
const decodedOrAsItIs = (bytes: Buffer, headers: HeaderFields): Buffer => {
  try {
    return decode(bytes, headers)
  } catch {
    return bytes
  }
}
