import { typed } from '../../evidence/command-names.ts'
import { credentialsOf } from '../../profile/applications.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { appendTo, entriesOf, readLog, startLog } from './log-file.ts'
import { createHeader, keyFor, type Header } from './log-header.ts'
import { leftoversIn, type Leftovers } from './run-log.ts'
import type { Entry } from './log-entries.ts'
import type { CheckResult, Description } from '../../check/result.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Pace } from '../../connection/wall-clock.ts'

/** What must be the same when a run is resumed. */
export type Subject = Pick<Header, 'suite' | 'profileDigest' | 'baseUrl'>

export interface ResumableRun {
  readonly log: { readonly file: string; readonly key: string }
  readonly pace: Pace
  readonly startedAt: Date
  /** How often it has been resumed. */
  readonly resumed: number
}

/** What a run has judged and done before it is resumed. */
export interface EarlierRun {
  readonly results: readonly CheckResult[]
  readonly described: Description
  /** The time from which a waiting check can be judged, by the id of the check. */
  readonly waits: ReadonlyMap<string, Date>
  readonly leftovers: Leftovers
  readonly resumed: number
}

/** The log is encrypted with the secrets of the applications: it can be read only with them. */
const secretsOf = ({ applications }: Pick<Profile, 'applications'>): readonly string[] =>
  applications.flatMap(credentialsOf).flatMap(({ clientId, clientSecret }) => [clientId, clientSecret])

const inBase64 = (key: Buffer): string => key.toString('base64')

export const startResumableRun = async (
  file: string,
  about: Omit<Header, 'format' | 'salt' | 'proof'>,
  profile: Profile,
): Promise<ResumableRun> => {
  const { header, key } = await createHeader(about, secretsOf(profile))
  startLog(file, header)
  const startedAt = new Date(about.startedAt)
  return { log: { file, key: inBase64(key) }, pace: about.pace, startedAt, resumed: 0 }
}

/** The differences between the log and this run, as text. */
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

/**
 * The key of a log whose header was written with the secrets of the profile. Nothing of a header may be used before.
 * @throws ConfigurationError if it was not, or was changed since.
 */
export const verifiedKey = async (
  file: string,
  { header }: Pick<ReturnType<typeof readLog>, 'header'>,
  profile: Pick<Profile, 'applications'>,
): Promise<Buffer> => {
  const key = await keyFor(header, secretsOf(profile))
  if (key !== undefined) return key
  throw new ConfigurationError(
    `${file} does not fit the profile that is typed: its first line was changed, it was written with other secrets of the applications, or the profile of the run is not typed (${typed('run', '--profile FILE --resume')}); nothing of it was used`,
  )
}

const openEntries = async (file: string, now: Subject, profile: Profile) => {
  const read = readLog(file)
  const key = await verifiedKey(file, read, profile)
  const changed = differences(read.header, now)
  if (changed.length > 0)
    throw new ConfigurationError(`${file} is the log of another run: ${changed.join('; ')}; start a new run`)
  return { read, key, entries: entriesOf(file, read, key) }
}

const resumedIn = (entries: readonly Entry[]): number =>
  entries.filter(({ kind }) => kind === 'resumed').length

/** @throws ConfigurationError if the log is that of another run, or damaged. */
export const readEarlierRun = async (file: string, now: Subject, profile: Profile): Promise<EarlierRun> => {
  const { entries } = await openEntries(file, now, profile)
  const found = entries.flatMap((entry) => (entry.kind === 'result' ? entry.meta : []))
  return {
    results: found.flatMap(({ result }) => result ?? []),
    described: {
      observations: found.flatMap(({ observations = [] }) => observations),
      visits: found.flatMap(({ visits = [] }) => visits),
      timeLines: found.flatMap(({ timeLines = [] }) => timeLines),
    },
    waits: new Map(
      entries.flatMap((entry) =>
        entry.kind === 'waits' ? [[entry.check, new Date(entry.until)] as const] : [],
      ),
    ),
    leftovers: leftoversIn(entries),
    resumed: resumedIn(entries),
  }
}

/** Resumes a run. @throws ConfigurationError if the log is that of another run, or damaged. */
export const continueRun = async (file: string, now: Subject, profile: Profile): Promise<ResumableRun> => {
  const { read, key, entries } = await openEntries(file, now, profile)
  const writer = appendTo(file, read, key)
  writer.append({ kind: 'resumed', at: new Date().toISOString() })
  writer.close()
  const { pace, startedAt } = read.header
  const log = { file, key: inBase64(key) }
  return { log, pace, startedAt: new Date(startedAt), resumed: resumedIn(entries) + 1 }
}
