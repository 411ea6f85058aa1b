import { StringDecoder } from 'node:string_decoder'
import { codeOf, printable } from '../run-observer.ts'

/**
 * The one place where text goes to the terminal, or to the log of a CI job. What a target, a profile or a person wrote
 * is in many of our lines, and a CI server searches the lines of a job for its commands: a status, an output or a
 * variable of the job that a bank has set would be a way around the verdict.
 */

/** Servers written in .NET find a command also between characters that nobody sees. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}*`
const visible = (text: string): string => text.replaceAll(/(?!^)(?=.)/g, UNSEEN)

/** Blanks, and sequences that a terminal does not show, before the first character of a line. */
const BEFORE_A_LINE = String.raw`(?:[\s\u0085\p{Default_Ignorable_Code_Point}]|\u001b\[[\d;?]*[A-Za-z])*`

/**
 * What CI servers read as commands. The last character of each is the one that is written as its code.
 * - `##vso[`, `##[` (Azure Pipelines, GitHub Actions) and `##teamcity[`, anywhere in a line;
 * - `section_start:` and `section_end:` (GitLab);
 * - `::error::` (GitHub Actions), at the beginning of a line, and with its end anywhere.
 */
const COMMANDS = [
  String.raw`${visible('##')}${UNSEEN}(?:[\w-]${UNSEEN})*\[`,
  `${visible('section_')}${UNSEEN}(?:${visible('start')}|${visible('end')})${UNSEEN}:`,
  String.raw`${visible('::')}(?<=^${BEFORE_A_LINE}${visible('::')})`,
  String.raw`${visible('::')}(?:${UNSEEN}[\w-])+${UNSEEN}(?: [^\r\n]*?)?${visible('::')}`,
].map((pattern) => new RegExp(pattern, 'gimu'))

/** @param before what stands before the text, which is written already. */
export const withoutCommands = (text: string, before = ''): string =>
  COMMANDS.reduce(
    (line, command) =>
      line.replaceAll(command, (found, at: number) =>
        at + found.length > before.length ? found.slice(0, -1) + codeOf(found.slice(-1)) : found,
      ),
    before + text,
  ).slice(before.length)

/** What moves the cursor and sets colours (CSI). Titles, links and the clipboard are set by other sequences. */
const CURSOR = /(\u001b\[[\d;?]*[A-Za-z]|\r)/

/** In a pipe no control character is ours; on a terminal only those that draw. */
const withoutControls = (text: string, isTerminal: boolean): string =>
  isTerminal
    ? text
        .split(CURSOR)
        .map((part, at) => (at % 2 === 1 ? part : printable(part)))
        .join('')
    : printable(text.replaceAll('\r\n', '\n'))

/** As much of the current line as a command can begin in. */
const LONGEST_KEPT = 1000

type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
type Write = Output['write']
type Callback = (error?: Error | null) => void

/** How to write what is meant as a command. */
const writes = new WeakMap<Output, Write>()

/**
 * Makes everything harmless that is written to the stream from now on: by us, by libraries that draw, and by the threads
 * of a run, whose output Node passes on.
 */
export const guardOutput = (stream: Output): void => {
  const write = stream.write.bind(stream)
  const decoder = new StringDecoder('utf8')
  let before = ''
  writes.set(stream, write)
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | Callback,
    done: Callback | undefined = typeof encoding === 'function' ? encoding : undefined,
  ): boolean => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))
    const shown = withoutCommands(withoutControls(text, stream.isTTY), before)
    before = (before + shown).replace(/^.*[\n\r]/s, '').slice(-LONGEST_KEPT)
    return write(shown, done)
  }
}

/** Writes a line that is a command of the CI server, and is ours. */
export const writeCommand = (line: string, stream: Output = process.stdout): void =>
  void (writes.get(stream) ?? stream.write.bind(stream))(`${line}\n`)
