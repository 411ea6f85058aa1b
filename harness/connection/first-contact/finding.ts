import { CODES, type Code, type Level } from './codes.ts'

export type Area = 'configuration' | 'network' | 'target' | 'harness'

export interface Finding {
  readonly code: Code
  readonly area: Area
  readonly level: Level
  readonly title: string
  readonly cause: string
  /** The next step, with the key of the profile. Empty where there is nothing to do. */
  readonly next: string
  /** Details of the observation, one a line. */
  readonly shows?: readonly string[]
  /** The file into which many details are written instead of to the terminal. */
  readonly file?: string
}

export type Findings = readonly Finding[]

const AREAS: Readonly<Record<string, Area>> = {
  CFG: 'configuration',
  NET: 'network',
  TGT: 'target',
  OWN: 'harness',
}

export const areaOf = (code: Code): Area => AREAS[code.slice(0, 3)] ?? 'harness'

type Details = Pick<Finding, 'cause'> & Partial<Pick<Finding, 'level' | 'next' | 'shows' | 'file'>>

/** A finding with this code. Level and next step are those of the code, unless the details have others. */
export const findingOf = (code: Code, details: Details): Finding => ({
  code,
  area: areaOf(code),
  ...CODES[code],
  ...details,
})

/** A step that was left out, because an earlier finding already explains what it would find. */
export const leftOut = (step: string, earlier: Findings): Finding => {
  const reason = earlier.find(({ level }) => level === 'error')
  const because = reason === undefined ? 'what it needs is missing' : `of ${reason.code} (${reason.title})`
  return findingOf('OWN-LEFT-1', { cause: `${step}: left out, because ${because}.` })
}
