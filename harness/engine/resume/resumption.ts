import { ConfigurationError } from '../../profile/configuration-error.ts'
import { appendTo, createHeader, entriesOf, keyFor, readLog, startLog, type Header } from './log-file.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Pace } from '../../target/wall-clock.ts'
import type { Entry } from './run-log.ts'

/** What a run that waits is gone on with. */

/** What has to be the same for a run to be gone on with. */
export type Subject = Pick<Header, 'suite' | 'profileDigest' | 'baseUrl'>

export interface Continuation {
  readonly log: { readonly file: string; readonly key: string }
  readonly pace: Pace
  /** When the run was started first. */
  readonly startedAt: Date
  /** How often it has been gone on with. */
  readonly resumed: number
}

/** What a run has come to when somebody goes on with it. */
export interface Standing {
  readonly results: readonly CheckResult[]
  /** From when on a check can be judged that had to wait, by the checks' ids. */
  readonly waits: ReadonlyMap<string, Date>
  readonly resumed: number
}

/** Whoever has the secrets of the applications can go on with the run; nobody else can read its log. */
const secretsOf = ({ applications }: Pick<Profile, 'applications'>): readonly string[] =>
  applications.flatMap(({ clientId, clientSecret }) => [clientId, clientSecret])

const inBase64 = (key: Buffer): string => key.toString('base64')

export const startContinuation = async (
  file: string,
  about: Omit<Header, 'format' | 'salt' | 'proof'>,
  profile: Profile,
): Promise<Continuation> => {
  const { header, key } = await createHeader(about, secretsOf(profile))
  startLog(file, header)
  const startedAt = new Date(about.startedAt)
  return { log: { file, key: inBase64(key) }, pace: about.pace, startedAt, resumed: 0 }
}

/** All in which the log and the run of today differ, in words. */
const differences = (header: Header, now: Subject): readonly string[] => {
  const pairs = [
    [
      'the version of the suite',
      `${header.suite.name} ${header.suite.version}`,
      `${now.suite.name} ${now.suite.version}`,
    ],
    ['the catalogue', header.suite.catalogueDigest, now.suite.catalogueDigest],
    ['the profile', header.profileDigest, now.profileDigest],
    ['the base URL', header.baseUrl, now.baseUrl],
  ] as const
  return pairs
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `${what} was ${before} and is now ${after}`)
}

const openEntries = async (file: string, now: Subject, profile: Profile) => {
  const read = readLog(file)
  const unlike = differences(read.header, now)
  if (unlike.length > 0)
    throw new ConfigurationError(`${file} is the log of another run: ${unlike.join('; ')}; start it anew`)
  const key = await keyFor(read.header, secretsOf(profile))
  if (key === undefined)
    throw new ConfigurationError(
      `${file} was written with other secrets of the applications than the profile has now; without those it cannot be read`,
    )
  return { read, key, entries: entriesOf(file, read, key) }
}

const resumedIn = (entries: readonly Entry[]): number =>
  entries.filter(({ kind }) => kind === 'resumed').length

/** @throws ConfigurationError where the log does not belong to this run, or is damaged. */
export const standingOf = async (file: string, now: Subject, profile: Profile): Promise<Standing> => {
  const { entries } = await openEntries(file, now, profile)
  return {
    results: entries.flatMap((entry) => (entry.kind === 'result' ? (entry.meta.result ?? []) : [])),
    waits: new Map(
      entries.flatMap((entry) =>
        entry.kind === 'waits' ? [[entry.check, new Date(entry.until)] as const] : [],
      ),
    ),
    resumed: resumedIn(entries),
  }
}

/** Goes on with a run. @throws ConfigurationError as above. */
export const goOn = async (file: string, now: Subject, profile: Profile): Promise<Continuation> => {
  const { read, key, entries } = await openEntries(file, now, profile)
  const writer = appendTo(file, read, key)
  writer.append({ kind: 'resumed', at: new Date().toISOString() })
  writer.close()
  const { pace, startedAt } = read.header
  const log = { file, key: inBase64(key) }
  return { log, pace, startedAt: new Date(startedAt), resumed: resumedIn(entries) + 1 }
}
