/** How a program ends whose exit code is a verdict. */

/** What Node ends with when nothing is left to wait for, by itself or because a module has not come to its end. */
const ENDS_OF_NOTHING = [0, 13]

/**
 * Ends the program with the exit code that its work comes to. Work that waits for what never comes would have the
 * program end as if all were well: nothing is left to do then, and nothing was judged.
 * @param forsaken what is said then; gives the exit code.
 */
export const endWith = async (work: Promise<number>, forsaken: () => number): Promise<never> => {
  const guard = (code: number): void => {
    if (ENDS_OF_NOTHING.includes(code)) process.exitCode = forsaken()
  }
  process.once('exit', guard)
  const code = await work
  process.off('exit', guard)
  return process.exit(code)
}
