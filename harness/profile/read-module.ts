import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FileFault } from './file-fault.ts'
import { showKind } from './show.ts'
import type { Place } from './file-fault.ts'

/** Runs a profile written in TypeScript or JavaScript and gives its default export. */
export const readModule = async (file: string): Promise<unknown> => {
  const exported = unwrap(await importModule(file))
  if (exported === undefined) {
    throw new FileFault('it has no default export; write `export default defineProfile({ … })`')
  }
  if (typeof exported === 'function' || exported instanceof Promise) {
    throw new FileFault(`its default export is ${showKind(exported)}; export the profile itself`)
  }
  return exported
}

/** A module that was taken for CommonJS on the way carries its default export one level deeper. */
const unwrap = (module: unknown): unknown => {
  const exported = defaultOf(module)
  const inner = typeof exported === 'object' && exported !== null && '__esModule' in exported
  return inner ? defaultOf(exported) : exported
}

const defaultOf = (module: unknown): unknown =>
  typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined

const importModule = async (file: string): Promise<unknown> => {
  try {
    // A file in a folder without a package.json is taken for CommonJS.
    for (const loader of [await import('tsx/cjs/api'), await import('tsx/esm/api')]) loader.register()
    // The question is for Vite, which would look for the file at build time.
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (error) {
    throw await explain(error, file)
  }
}

/** What was thrown may quote the file, so that only its name and its place are told. */
const explain = async (error: unknown, file: string): Promise<FileFault> => {
  const name = basename(file)
  const trace = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : ''
  if (isSyntaxFault(error, trace)) {
    const place = placeIn(trace, name, trace.includes('[PARSE_ERROR]') ? 1 : 0) ?? (await placeOfCheck(file))
    const subject = place === undefined ? 'it, or a file that it imports, is' : 'it is'
    return new FileFault(`${subject} not valid TypeScript or JavaScript`, place)
  }
  const what = `it threw ${nameOf(error)} while it was read; run \`npx tsx ${name}\` in its folder to see more`
  return new FileFault(what, placeIn(trace, name, 1))
}

const nameOf = (error: unknown): string => {
  if (!(error instanceof Error) || !/^\w+$/.test(error.name)) return 'something'
  const code =
    'code' in error && typeof error.code === 'string' && /^[A-Z_]+$/.test(error.code) ? error.code : ''
  return code === '' ? error.name : `${error.name} ${code}`
}

const isSyntaxFault = (error: unknown, trace: string): boolean =>
  error instanceof SyntaxError || /^(Transform failed|Parse failure)/.test(trace)

/** `bank.ts:4:18`, as transformers and stacks write it. Their columns begin at 0 or at 1. */
const placeIn = (trace: string, name: string, firstColumn: 0 | 1): Place | undefined => {
  const found = [...trace.matchAll(/([^\s/\\()]+):(\d+):(\d+)/g)].find(([, file]) => file === name)
  return found === undefined
    ? undefined
    : { line: Number(found[2]), column: Number(found[3]) + 1 - firstColumn }
}

/** Node tells the place of a syntax error to its own standard error alone: a line number, the line, and a caret. */
const placeOfCheck = async (file: string): Promise<Place | undefined> => {
  const told = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--check', file], { env: {} }, (_, __, stderr) => resolve(stderr))
  })
  const [head = '', , caret = ''] = told.split('\n')
  const line = /:(\d+)$/.exec(head)?.[1]
  return line === undefined ? undefined : { line: Number(line), column: caret.indexOf('^') + 1 }
}
