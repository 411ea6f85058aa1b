import { onOneLine } from '../printable.ts'
import { clip } from './layout.ts'
import type { Ora } from 'ora'
import type { CheckResult } from '../../check/result.ts'

export interface Progress {
  ended(result: Pick<CheckResult, 'verdict' | 'title'>): void
  /** Writes lines above the progress line. */
  above(text: string): void
  /** Takes the line away. */
  stop(): void
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** Counts nothing; what is written above a line is still written. */
export const silentProgress = (stream: Output): Progress => ({
  ended: () => undefined,
  above: (text) => void stream.write(`${text}\n`),
  stop: () => undefined,
})

const WIDTH = 78

/** A line that counts the checks, on a terminal; in a pipe nothing, since nobody watches a log grow. */
export const startProgress = (total: number, stream: Output = process.stderr): Progress => {
  if (stream.isTTY !== true) return silentProgress(stream)
  let line: Ora | undefined
  let stopped = false
  let done = 0
  let broken = 0
  let text = `0 of ${total} checks`
  // Loaded only where there is a terminal; the first results do not wait for it.
  void import('ora').then(({ default: ora }) => {
    if (!stopped) line = ora({ text, stream, discardStdin: false }).start()
  })
  return {
    ended: ({ verdict, title }) => {
      done += 1
      if (verdict === 'fail') broken += 1
      const failures = broken === 0 ? '' : `, ${broken} failed`
      text = clip(`${done} of ${total} checks${failures}  ${onOneLine(title)}`, WIDTH)
      if (line !== undefined) line.text = text
    },
    above: (above) => {
      line?.clear()
      stream.write(`${above}\n`)
      line?.render()
    },
    stop: () => {
      stopped = true
      line?.stop()
    },
  }
}
