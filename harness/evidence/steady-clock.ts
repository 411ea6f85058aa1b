/**
 * This machine's time in ms since 1970, which does not go back when somebody sets its clock back. While the machine is
 * suspended only its clock goes on, so that the later of both is right.
 */
export const steadyNow = (): number => Math.max(Date.now(), performance.timeOrigin + performance.now())
