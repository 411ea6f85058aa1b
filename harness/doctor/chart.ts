import { createRedactor } from '../evidence/redaction.ts'
import { HeldBack, Inconclusive, NotReached } from '../evidence/signals.ts'
import { find } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Findings, Patient } from './patient.ts'

/** Where the findings of an examination are written down, as they come. */
export interface Chart {
  readonly findings: Findings
  /** Without a secret of the patient. */
  note(findings: Findings): void
  /**
   * Writes down what a step finds. One that could not be taken is left out, and one that fails by itself is a finding
   * of its own.
   * @throws the reason of `ends`, once that is aborted.
   */
  step(name: string, take: () => Promise<Findings>): Promise<void>
}

const isSignal = (error: unknown): error is Error =>
  error instanceof HeldBack || error instanceof NotReached || error instanceof Inconclusive

export const openChart = (
  { secrets }: Pick<Patient, 'secrets'>,
  ends: AbortSignal,
  onFinding: (finding: Finding) => void = () => undefined,
): Chart => {
  const redactor = createRedactor(secrets)
  const findings: Finding[] = []
  const hide = ({ cause, next, shows, ...rest }: Finding): Finding => ({
    ...rest,
    cause: redactor.text(cause),
    next: redactor.text(next),
    ...(shows && { shows: shows.map((line) => redactor.text(line)) }),
  })
  const note = (found: Findings): void => {
    for (const finding of found.map(hide)) {
      findings.push(finding)
      onFinding(finding)
    }
  }
  return {
    findings,
    note,
    async step(name, take) {
      try {
        note(await take())
      } catch (error) {
        ends.throwIfAborted()
        const said = error instanceof Error ? error.message : String(error)
        const code = isSignal(error) ? 'OWN-LEFT-1' : 'OWN-STEP-1'
        note([find(code, { cause: `${name}: ${said}` })])
      }
    },
  }
}
