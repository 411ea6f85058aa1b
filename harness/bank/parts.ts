/** What one bank is made of. The routes are shared by all banks; these are not. */
import type { VirtualClock } from './clock.ts'
import type { Rules } from './rules.ts'
import type { Facts } from './rules/facts.ts'
import type { EnvironmentName, Ledger, World } from './world.ts'

export interface BankParts {
  readonly clock: VirtualClock
  readonly world: World
  /** A defect may hold in one environment alone. */
  readonly rules: Readonly<Record<EnvironmentName, Rules>>
  /** Whether the levers are there. */
  readonly levers: boolean
  /** How the bank calls an application. */
  readonly deliver: (request: Request) => Promise<Response>
  /** Whether time passes by itself: then nobody waits for a call to an application. */
  readonly runs: boolean
}

/** One environment of a bank, at work on its own: there is no request that it answers. */
export interface Branch extends Pick<BankParts, 'clock' | 'world' | 'deliver' | 'runs'> {
  readonly environment: EnvironmentName
  readonly rules: Rules
  readonly ledger: Ledger
}

export const branchOf = (parts: BankParts, environment: EnvironmentName): Branch => ({
  ...parts,
  environment,
  rules: parts.rules[environment],
  ledger: parts.world.ledgers[environment],
})

/** What a rule is told of work that no request asks for. */
export const factsAt = ({ environment, clock }: Branch): Facts => ({ environment, now: clock.now() })
