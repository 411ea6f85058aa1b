import { CONFIGURATION_CODES } from './configuration-codes.ts'
import { HARNESS_CODES } from './harness-codes.ts'
import { NETWORK_CODES } from './network-codes.ts'
import { TARGET_CODES } from './target-codes.ts'

/** What an examination finds: each finding has a code that is never reused, so that others can look it up. */

export type Area = 'configuration' | 'network' | 'target' | 'harness'

/** `error`: a run would come to nothing. `warning`: it would come to less, or to something else. */
export type Level = 'ok' | 'notice' | 'warning' | 'error'

/** What a code stands for. */
export interface Described {
  readonly level: Level
  readonly title: string
  /** The next step; empty where there is nothing to do. */
  readonly next: string
}

export interface Finding {
  readonly code: Code
  readonly area: Area
  readonly level: Level
  readonly title: string
  /** What was seen. */
  readonly cause: string
  /** The next step, with the key of the profile; empty where there is nothing to do. */
  readonly next: string
  /** What it was seen by, a line each. */
  readonly shows?: readonly string[]
}

export const CODES = {
  ...CONFIGURATION_CODES,
  ...NETWORK_CODES,
  ...TARGET_CODES,
  ...HARNESS_CODES,
} as const satisfies Readonly<Record<string, Described>>

export type Code = keyof typeof CODES

const AREAS: Readonly<Record<string, Area>> = {
  CFG: 'configuration',
  NET: 'network',
  TGT: 'target',
  OWN: 'harness',
}

/** The area that the first letters of a code stand for. */
export const areaOf = (code: Code): Area => AREAS[code.slice(0, 3)] ?? 'harness'

type Said = Pick<Finding, 'cause'> & Partial<Pick<Finding, 'level' | 'next' | 'shows'>>

/** A finding of that code; its level and its next step are those of the code, where nothing else is said. */
export const find = (code: Code, said: Said): Finding => {
  const { level, title, next }: Described = CODES[code]
  return { code, area: areaOf(code), level, title, next, ...said }
}
