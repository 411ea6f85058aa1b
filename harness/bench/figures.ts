import type { Figure } from './statistics.ts'

export interface Aim {
  readonly aim: string
  readonly unit: 's' | '×' | 'MB' | 'lost'
  readonly measured: number
  readonly limit: number
  readonly met: boolean
}

/** What a bench measures: the shape of `bench.json`. */

export interface Bench {
  readonly schema: 1
  readonly startedAt: string
  readonly durationMs: number
  readonly machine: Machine
  readonly rounds: number
  readonly wholeRun: WholeRun
  readonly parts: Parts
  readonly exchange: readonly Mode[]
  readonly newman: readonly Comparison[]
  readonly walks: readonly LongWalk[]
  readonly deliveries: Deliveries
  /** Present where the proof was asked for. */
  readonly proof?: ProofFigures
  readonly aims: readonly Aim[]
}

/** What else the machine did, since it stands in every figure. */
export interface Machine {
  readonly node: string
  readonly cores: number
  /** Processes that wanted a core in the minute before: at the start, and at the end with the bench itself. */
  readonly load: readonly [before: number, after: number]
}

/** A part of a run, in ms. */
export interface Phase {
  readonly name: string
  readonly ms: Figure
}

export interface WholeRun {
  readonly conclusion: string
  readonly exitCode: number
  readonly checks: number
  readonly exchanges: number
  /** `npm test`, from its start to its exit. */
  readonly command: { readonly ms: Figure; readonly phases: readonly Phase[] }
  /** The same program without npm around it. */
  readonly program: { readonly ms: Figure }
}

/** The command with a part of the catalogue, in turns with the whole of it. */
export interface Part {
  readonly name: string
  readonly checks: number
  readonly exchanges: number
  readonly ms: Figure
}

export interface Parts {
  readonly commands: readonly Part[]
  /** By how much the whole takes longer than all but payments, round by round. */
  readonly paymentsAddMs: Figure
}

/** One way of sending the repertoire; the ratios are to the first lane of its mode. */
export interface Lane {
  readonly name: string
  /** Wall time of one exchange, in µs: the answer of the bank is in it. */
  readonly us: Figure
  readonly ratio: Figure
  /** Processor time of this process alone for one exchange, in µs. */
  readonly cpuUs: Figure
  readonly cpuRatio: Figure
}

export interface Mode {
  readonly inFlight: number
  readonly exchangesPerRound: number
  readonly lanes: readonly Lane[]
}

/** A whole process of ours and one of newman, which sent the same number of requests. */
export interface Comparison {
  readonly ours: string
  readonly requests: number
  readonly oursMs: Figure
  readonly newmanMs: Figure
  readonly ratio: Figure
}

/** A walk over all pages of one account, 100 transactions a page. */
export interface LongWalk {
  readonly transactions: number
  readonly ms: Figure
  /** The most that its process held, in MB. */
  readonly residentMb: Figure
}

/** Webhook calls to the sink in a process of its own, each kept as evidence. */
export interface Deliveries {
  readonly sent: number
  /** In the worst round. */
  readonly lost: number
  readonly perSecond: Figure
  /** Processor time of the sink for one of them, in µs. */
  readonly cpuUs: Figure
}

export interface ProofFigures {
  readonly ms: number
  readonly trials: number
  readonly defects: number
  readonly variations: number
  readonly trialsPerSecond: number
}
