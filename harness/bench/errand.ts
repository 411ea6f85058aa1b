import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAUNCH, timed } from './child.ts'
import { cycle } from './repertoire.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import type { HttpRequest } from '../session/http/request.ts'
import type { Rehearsed, Whom } from './repertoire.ts'

/** A number of requests for a process of ours, which starts, sends them one after the other, and ends. */

export interface Errand {
  readonly baseUrl: string
  readonly requestMs: number
  readonly secrets: readonly KnownSecret[]
  readonly evidenceFile: string
  readonly requests: readonly HttpRequest[]
  /** After so many requests another scenario begins. */
  readonly perScenario: number
}

const SENDER = 'harness/bench/sender.ts'

/** Gives what sends that number of requests and says how long it took, in ms. */
export const prepareErrand = (
  { baseUrl, profile, secrets }: Whom,
  repertoire: readonly Rehearsed[],
  count: number,
  scratch: string,
): (() => Promise<number>) => {
  const file = join(scratch, `errand-${count}.json`)
  const errand: Errand = {
    baseUrl,
    requestMs: profile.deadlines.requestMs,
    secrets,
    evidenceFile: join(scratch, `errand-${count}.jsonl`),
    requests: cycle(
      repertoire.map(({ request }) => request),
      count,
    ),
    perScenario: repertoire.length,
  }
  writeFileSync(file, JSON.stringify(errand))
  return async () => {
    const { ms, exitCode, stderr } = await timed([...LAUNCH, SENDER, file])
    if (exitCode !== 0) throw new Error(`the errand ended with ${exitCode}\n${stderr}`)
    return ms
  }
}
