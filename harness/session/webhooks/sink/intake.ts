import { createHash, type Hash } from 'node:crypto'
import { KEPT_BYTES, keepBody, decode } from '../../../evidence/recorder.ts'
import { headerOf, type HeaderFields, type Body } from '../../../evidence/exchange.ts'

/** Receives bodies. All bodies under way together use at most the memory of the budget. */

/** The memory that all bodies under way may still use, in bytes. */
export interface Budget {
  left: number
}

/** A body that is being received. */
export const createIntake = (budget: Budget) => {
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
    add(chunk: Buffer) {
      bytes += chunk.length
      if (hash === undefined) {
        hold(chunk)
        if (held === bytes) return
        // From here on only the head is kept, and the whole is hashed, beginning with the parts that are kept.
        hash = createHash('sha256')
        for (const part of chunks) hash.update(part)
        hash.update(chunk.subarray(chunk.length - (bytes - held)))
      } else hash.update(chunk)
    },
    /** The body as far as it arrived. Its part of the budget is free again. */
    end(headers: HeaderFields): Body {
      budget.left += held
      const head = Buffer.concat(chunks)
      if (hash === undefined) return keepBody(inUtf8(decodedOrAsItIs(head, headers), headers))
      return { text: head.toString('utf8'), bytes, sha256: hash.digest('hex') }
    },
  }
}

/** If the content coding cannot be decoded, the bytes are kept as they are. */
const decodedOrAsItIs = (bytes: Buffer, headers: HeaderFields): Buffer => {
  try {
    return decode(bytes, headers)
  } catch {
    return bytes
  }
}

const UTF_16LE = Buffer.from([0xff, 0xfe])
const UTF_16BE = Buffer.from([0xfe, 0xff])

/** A body in UTF-16, by its byte order mark or its media type, in UTF-8. */
const inUtf8 = (bytes: Buffer, headers: HeaderFields): Buffer => {
  const mark = bytes.subarray(0, 2)
  const [, named] = /charset="?(utf-16(?:le|be)?)/i.exec(headerOf(headers, 'content-type') ?? '') ?? []
  const isBigEndian = mark.equals(UTF_16BE) || (!mark.equals(UTF_16LE) && /^utf-16(be)?$/i.test(named ?? ''))
  if (named === undefined && !isBigEndian && !mark.equals(UTF_16LE)) return bytes
  return Buffer.from(new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le').decode(bytes))
}
