import * as z from 'zod'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { FileFault } from '../profile/read-file.ts'
import { nearest } from '../profile/nearest.ts'
import { readInputFile, UnreadableFile } from '../evidence/input-file.ts'
import { repeated } from './lists.ts'
import type { Requirement } from '../check/requirement.ts'

/**
 * Accepted exceptions: a requirement that is known to be broken, with the reason, the owner and the last day. A waiver
 * that no longer matches a violation must be removed, since it would hide the next fault.
 */

const waiver = z.strictObject({
  /** The id of a requirement: PAY-09. */
  requirement: z.string().min(1),
  /** Why it is accepted. */
  reason: z.string().trim().min(1),
  /** Who is responsible for it. */
  owner: z.string().trim().min(1),
  /** The last day on which it is valid, in UTC. */
  expires: z.iso.date(),
})

const waiverFile = z.strictObject({ waivers: z.array(waiver) })

export type Waiver = z.output<typeof waiver>

const SHAPE = 'waivers: [{requirement: PAY-09, reason: …, owner: …, expires: 2026-12-31}]'

const dataIn = async (file: string): Promise<unknown> => {
  const { readYaml } = await import('../profile/read-file.ts')
  try {
    return readYaml(readInputFile(file))
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw new ConfigurationError(`--waivers ${file}: the file ${error.message}`)
    if (error instanceof FileFault) throw new ConfigurationError(`--waivers ${file}: ${error.message}`)
    throw error
  }
}

/**
 * Reads a file of waivers, YAML or JSON.
 * @throws ConfigurationError with every problem of the file.
 */
export const readWaivers = async (file: string): Promise<readonly Waiver[]> => {
  const parsed = waiverFile.safeParse(await dataIn(file))
  if (parsed.success) return parsed.data.waivers
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'the file'}: ${message}`,
  )
  throw new ConfigurationError([...problems, `expected ${SHAPE}`], `--waivers ${file}`)
}

interface Facts {
  readonly rows: readonly Requirement[]
  readonly now: Date
}

const problemOf = ({ requirement, expires, owner }: Waiver, { rows, now }: Facts): string | undefined => {
  const row = rows.find(({ id }) => id === requirement)
  if (row === undefined) {
    const near = nearest(
      requirement,
      rows.map(({ id }) => id),
    )
    return `${requirement}: no requirement has this id${near === undefined ? '' : `; did you mean ${near}?`}`
  }
  if ((row.unchecked ?? row.pending) !== undefined)
    return `${requirement}: it has no check, so that there is nothing to waive; remove the waiver`
  if (expires > yearAfter(now))
    return `${requirement}: the waiver expires on ${expires}, more than a year from now; let ${owner} accept it for a year at most`
  if (expires < now.toISOString().slice(0, 10))
    return `${requirement}: the waiver expired on ${expires}; correct the target, or let ${owner} renew it`
  return undefined
}

const yearAfter = (now: Date): string => {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end.toISOString().slice(0, 10)
}

/** @throws ConfigurationError with each waiver that matches nothing, has expired, or lasts for more than a year. */
export const verifyWaivers = (file: string, waivers: readonly Waiver[], facts: Facts): void => {
  const problems = [
    ...waivers.flatMap((one) => problemOf(one, facts) ?? []),
    ...repeated(waivers.map(({ requirement }) => requirement)).map((id) => `${id}: waived twice`),
  ]
  if (problems.length > 0) throw new ConfigurationError(problems, `--waivers ${file}`)
}

export const describeWaiver = ({ reason, owner, expires }: Waiver): string =>
  `waived until ${expires} by ${owner}: ${reason}`
