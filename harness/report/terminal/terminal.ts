import type { Report } from '../schema.ts'
import type { Audience } from '../../run/conduct.ts'

export const createTerminal = (out: string): Audience & { concludes(report: Report): void } => ({
  begins: () => undefined,
  hears: () => undefined,
  warns: (s) => console.error(s),
  concludes: (report) => console.log(report.conclusion, out, report.counts),
})
