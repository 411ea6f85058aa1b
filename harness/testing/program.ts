import { built } from '../plan/root.ts'

/** The arguments with which Node runs a program of the project. @param source relative to the root. */
export const program = (source: string, ...args: readonly string[]): readonly string[] => [
  '--enable-source-maps',
  built(source),
  ...args,
]

/** The same for a command of the suite. */
export const suite = (...args: readonly string[]): readonly string[] =>
  program('harness/cli/main.ts', ...args)
