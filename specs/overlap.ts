/** For banks that are wrong about requests at the same moment, and about no others. */

/**
 * A meeting of two requests: whoever comes first waits until the other one has come, or for so many ms where none does.
 * Called once for each bank.
 */
export const meetingFor = (ms: number): (() => Promise<void>) => {
  let meet: (() => void) | undefined
  return () =>
    new Promise((resolve) => {
      if (meet !== undefined) {
        meet()
        return resolve()
      }
      const timer = setTimeout(() => meet?.(), ms)
      meet = () => {
        clearTimeout(timer)
        meet = undefined
        resolve()
      }
    })
}
