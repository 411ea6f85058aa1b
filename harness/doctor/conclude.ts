import type { Area, Finding } from './finding.ts'

/** What an examination comes to, for scripts. */

export const EXIT = { ok: 0, configuration: 3, unreachable: 4, harness: 5 } as const

const CODE_OF: Readonly<Record<Area, number>> = {
  harness: EXIT.harness,
  configuration: EXIT.configuration,
  network: EXIT.unreachable,
  target: EXIT.unreachable,
}

/** What is ours says nothing about the rest; what stands in the profile is corrected first. */
const ORDER: readonly number[] = [EXIT.harness, EXIT.configuration, EXIT.unreachable]

export const exitCodeOf = (findings: readonly Finding[]): number => {
  const codes = findings.filter(({ level }) => level === 'error').map(({ area }) => CODE_OF[area])
  return ORDER.find((code) => codes.includes(code)) ?? EXIT.ok
}
