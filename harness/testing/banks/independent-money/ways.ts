/** The freedoms of a bank that the command line of this bank selects (`--ways`). */
export const WAYS = [
  // Payment orders.
  'scope-names-the-order',
  'approval-without-a-code',
  'record-within',
  'empty-members',
  'patient-counter',
  'settled-at-once',
  'never-settled',
  'time-of-reading',
  'fine-time',
  'long-order-ids',
  'denial-rejects',
  'funds-at-the-door',
  // Loans.
  'ticks',
  'sluggish',
  'hasty',
  'withdrawn-while-new',
  'withdrawn-to-the-end',
  'chosen-anew',
  'midnight-sweep',
  'honest-statuses',
  'spelled-out',
  // Both.
  'refusals-are-403',
  'long-texts',
  'zipped',
  'own-date',
  'crowded',
  'one-call-a-connection',
] as const

export type Way = (typeof WAYS)[number]

const chosen = new Set<Way>()

const isWay = (text: string): text is Way => WAYS.some((way) => way === text)

/** @throws for an unknown name. */
export function choose(names: string[]): void {
  for (const name of names) {
    if (!isWay(name)) throw new Error(`--ways: ${name} is unknown; known are ${WAYS.join(', ')}`)
    chosen.add(name)
  }
}

export const has = (way: Way): boolean => chosen.has(way)
