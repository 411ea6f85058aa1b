import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { appendLine } from './journal-line.ts'

/**
 * A file of lines as a hash chain: each line is a JSON object that begins with the SHA-256 of the line before it, over
 * its bytes as written, with the line end. A line that was changed, removed, added or moved breaks the chain.
 */

/** What the first line of a chain has in place of the digest of a line before it. */
export const CHAIN_START = '0'.repeat(64)

const BEGINNING = /^\{"prev":"([0-9a-f]{64})"[,}]/
const BEGINNING_BYTES = 80

const LINE_END = 0x0a

const digestOf = (line: Buffer): Buffer => createHash('sha256').update(line).update('\n').digest()

/** The digest of a line, in hex. @param line without its end. */
export const digestOfLine = (line: Buffer): string => digestOf(line).toString('hex')

/** The digest that a line carries; undefined if it carries none. */
export const linkOf = (line: Buffer): string | undefined =>
  BEGINNING.exec(line.subarray(0, BEGINNING_BYTES).toString('latin1'))?.[1]

/** The place of a line in its file, in bytes, without the line end. */
export interface LinePosition {
  readonly start: number
  readonly length: number
}

// -- All threads of a run append to the same chain: its end is in memory that they share.

const LOCK_BYTES = 8
const SIZE_BYTES = 8
const DIGEST_BYTES = 32

interface SharedEnd {
  /** 1 while a thread appends. */
  readonly lock: Int32Array
  /** The size of the file after the last line of the chain. */
  readonly size: Float64Array
  readonly digest: Uint8Array
}

/** The threads that are started later receive the memory from the thread that opens the chain first. */
const sharedEndOf = (file: string): SharedEnd => {
  const key = `end of the chain in ${resolve(file)}`
  const known = getEnvironmentData(key)
  const memory =
    known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(LOCK_BYTES + SIZE_BYTES + DIGEST_BYTES)
  if (memory !== known) setEnvironmentData(key, memory)
  return {
    lock: new Int32Array(memory, 0, 1),
    size: new Float64Array(memory, LOCK_BYTES, 1),
    digest: new Uint8Array(memory, LOCK_BYTES + SIZE_BYTES, DIGEST_BYTES),
  }
}

/** A thread that was ended while it appended never releases the lock. */
const LONGEST_APPEND_MS = 5_000

const locked = <Value>({ lock }: SharedEnd, work: () => Value): Value => {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0)
    if (Atomics.wait(lock, 0, 1, LONGEST_APPEND_MS) === 'timed-out') break
  try {
    return work()
  } finally {
    Atomics.store(lock, 0, 0)
    Atomics.notify(lock, 0, 1)
  }
}

export const readAt = (handle: number, { start, length }: LinePosition): Buffer => {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(handle, bytes, 0, length, start))
}

const BLOCK_BYTES = 64 * 1024

/** The last line of a file that ends with a line end; undefined for an empty file. */
const lastLineOf = (handle: number, size: number): Buffer | undefined => {
  if (size === 0) return undefined
  for (let length = BLOCK_BYTES; ; length *= 2) {
    const start = Math.max(0, size - length)
    const block = readAt(handle, { start, length: size - start }).subarray(0, -1)
    const before = block.lastIndexOf(LINE_END)
    if (before >= 0 || start === 0) return block.subarray(before + 1)
  }
}

/** Opens a chain for appending. Several threads may append to the same file. */
export const openChain = (file: string) => {
  const handle = openSync(file, 'a+')
  const end = sharedEndOf(file)

  /** A file that another process has written, or that replaces an earlier one, is read. */
  const catchUp = (size: number): void => {
    if (size === end.size[0]) return
    const last = lastLineOf(handle, size)
    end.digest.set(last === undefined ? Buffer.alloc(DIGEST_BYTES) : digestOf(last))
  }

  return {
    /** @param json a JSON object with a member. @throws the error of the file system, such as ENOSPC. */
    append: (json: string): LinePosition =>
      locked(end, () => {
        const start = fstatSync(handle).size
        catchUp(start)
        const line = `{"prev":"${Buffer.from(end.digest).toString('hex')}",${json.slice(1)}`
        const bytes = Buffer.from(line)
        appendLine(handle, bytes)
        end.digest.set(digestOf(bytes))
        end.size[0] = start + bytes.length + 1
        return { start, length: bytes.length }
      }),
    read: (position: LinePosition) => readAt(handle, position),
    close: () => closeSync(handle),
  }
}

// -- Examining a chain

export interface ChainState {
  readonly lines: number
  /** The digest of the last line; empty without lines. */
  readonly heads: readonly string[]
  /** The first line that does not follow the line before it. */
  readonly broken?: {
    /** From 1. */
    readonly line: number
    /** The line that it follows by its digest, if that is in the file. */
    readonly follows?: number
  }
}

/** @param lines without their ends. */
export const examineChain = (lines: Iterable<Buffer>): ChainState => {
  const digests: string[] = []
  const links: (string | undefined)[] = []
  for (const line of lines) {
    digests.push(digestOfLine(line))
    links.push(linkOf(line))
  }
  const heads = digests.slice(-1)
  const at = links.findIndex((link, index) => link !== (digests[index - 1] ?? CHAIN_START))
  if (at < 0) return { lines: digests.length, heads }
  const followed = digests.indexOf(links[at] ?? '')
  return {
    lines: digests.length,
    heads,
    broken: { line: at + 1, ...(followed >= 0 && { follows: followed + 1 }) },
  }
}
