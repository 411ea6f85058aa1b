import { sourceOf } from '../sources.mjs'
import type { Requirement } from './requirement.ts'
import type { Observed } from './observe.ts'
import type { Property, Scenario } from './scenario.ts'

/** A pure function from the record of a scenario to a verdict: it returns, or it throws a violation. */
export type Judge<Record, Value = undefined> = (record: Observed<Record>, value: Value) => void

/** One check: a judge of one requirement over one scenario. */
export interface Check {
  readonly requirement: Requirement
  readonly scenario: Scenario | Property
  readonly judge: Judge<unknown, unknown>
  /** The spec file that states it: `specs/tokens/exchange.spec.ts`. */
  readonly specFile: string
  /** The file with the line: `specs/tokens/exchange.spec.ts:12`. It is looked up when somebody asks for it. */
  readonly file: string
}

type Registrar = (check: Check) => void

let registrar: Registrar | undefined

/** Calls `load`, which imports spec files, and gives each check that they state to `onCheck`. */
export const collecting = async (onCheck: Registrar, load: () => Promise<void>): Promise<void> => {
  const outer = registrar
  registrar = onCheck
  try {
    await load()
  } finally {
    registrar = outer
  }
}

/** A folder above the project may be called `specs` as well. */
const SPEC_FILE = /specs\/[^/]+\/[^/?#]+\.spec(?=\.(?:ts|mjs)\b)/

/** The spec file that a module is, or was translated from: `specs/tokens/exchange.spec.ts`. */
export const specFileIn = (module: string): string | undefined => {
  const [file] = SPEC_FILE.exec(module.replaceAll('\\', '/')) ?? []
  return file === undefined ? undefined : `${file}.ts`
}

/** Deep enough for what a spec file calls to state its checks. */
const MOST_CALLS = 50

/** The calls that led here, the last one first. Their text would have each of them traced back to its source. */
const callsUpToHere = (): readonly NodeJS.CallSite[] => {
  const usual = Object.assign({ prepareStackTrace: undefined }, Error)
  Object.assign(Error, {
    prepareStackTrace: (_: Error, calls: unknown) => calls,
    stackTraceLimit: MOST_CALLS,
  })
  const { stack } = new Error()
  Object.assign(Error, usual)
  return stack as unknown as readonly NodeJS.CallSite[]
}

let loading: string | undefined

/** Says which file is loaded from here on. It stands before each file of specs/ that launch.mjs puts into one module. */
export const loadingFrom = (file: string | undefined): void => void (loading = file)

interface Place {
  readonly file: string
  readonly line: number
}

const placeOf = (call: NodeJS.CallSite): Place => {
  const [file, line, column] = [
    call.getFileName() ?? '',
    call.getLineNumber() ?? 1,
    call.getColumnNumber() ?? 1,
  ]
  return sourceOf(file, line, column) ?? { file, line }
}

type Site = Pick<Check, 'specFile' | 'file'>

/** What this file itself calls on the way to its callers. */
const OWN_CALLS = 3

const siteOf = (): Site => {
  const calls = callsUpToHere().slice(OWN_CALLS)
  const told =
    loading ?? calls.map((call) => specFileIn(call.getFileName() ?? '')).find((file) => file !== undefined)
  const specFile = told ?? 'unknown'
  return {
    specFile,
    // eslint-disable-next-line no-restricted-syntax -- checks are there for as long as the program
    get file() {
      for (const call of calls) {
        const { file, line } = placeOf(call)
        if (specFileIn(file) === specFile) return `${specFile}:${line}`
      }
      return specFile
    },
  }
}

/** How a check is known on both sides of a process boundary: by its place among those of its spec file, from 1 on. */
export const keyOf = (specFile: string, ordinal: number): string => `${specFile}#${ordinal}`

interface StateCheck {
  <Record>(requirement: Requirement, scenario: Scenario<Record>, judge: Judge<Record>): void
  <Record, Value>(
    requirement: Requirement,
    scenario: Property<Value, Record>,
    judge: Judge<Record, Value>,
  ): void
}

/**
 * States that the judge decides the requirement from the record of the scenario. Any number of checks may judge one
 * scenario, and any number of scenarios may serve one requirement.
 */
export const check: StateCheck = (
  requirement: Requirement,
  scenario: Scenario | Property,
  judge: unknown,
): void => {
  registrar?.(Object.assign(siteOf(), { requirement, scenario, judge: judge as Judge<unknown, unknown> }))
}
