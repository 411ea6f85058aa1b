/**
 * Where the stranger truly differs from the interface, or from a standard that it invokes. Each one is expected:
 * a verdict beside these is a false alarm, and one of these that does not occur is a check that has gone blind.
 */
export interface Deviation {
  readonly verdict: 'fail' | 'warn'
  /** What the stranger does, and what it would have to do. */
  readonly because: string
}

export const deviations: Readonly<Record<string, Deviation>> = {}
