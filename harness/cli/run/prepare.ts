import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue, type Catalogue } from '../../plan/catalogue.ts'
import { partOf, SHARED_TARGET, splitPlan, type ShardChoice } from '../../plan/shard.ts'
import { readWaivers, verifyWaivers, type Waiver } from '../../plan/waivers.ts'
import { verifyBrowser } from '../../profile/chromium.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { confusedAddresses } from '../../profile/environments.ts'
import { loadProfile, resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import type { RunOptions, TargetOptions } from './options.ts'
import type { Standing } from '../../engine/resume/resumption.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Report } from '../../report/schema.ts'

/** Whom a run judges: the embedded reference bank, or the target that options and profile name. */
interface RunSubject {
  readonly profile: Profile
  readonly digest: string
  readonly warnings: readonly string[]
  readonly secrets: readonly KnownSecret[]
  /** Absent for the embedded reference bank. */
  readonly baseUrl?: string
  readonly clock: Report['target']['clock']
}

/** Each secret, and the Basic credentials that are made of it. */
const knownSecrets = ({ secrets, profile }: LoadedProfile): readonly KnownSecret[] => [
  ...profile.applications.flatMap(({ clientId, clientSecret }) => [
    { name: 'client_secret', value: clientSecret },
    { name: 'credential', value: Buffer.from(`${clientId}:${clientSecret}`).toString('base64') },
  ]),
  ...profile.customers.map(({ password }) => ({ name: 'password', value: password })),
  ...profile.webhooks.configured.map(({ securityHeader }) => ({
    name: 'security_header',
    value: securityHeader,
  })),
  ...proxyPassword(profile.connection),
  ...secrets.map((value) => ({ name: 'secret', value })),
]

/** The rest of its address is no secret. */
const proxyPassword = ({ proxy = '' }: Profile['connection']): readonly KnownSecret[] => {
  const { username, password } = URL.canParse(proxy) ? new URL(proxy) : { username: '', password: '' }
  if (password === '') return []
  const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return [
    { name: 'proxy_password', value: decodeURIComponent(password) },
    { name: 'credential', value: credential.toString('base64') },
  ]
}

/** @throws ConfigurationError where neither the options nor the profile have a base URL. */
const baseUrlOf = (options: TargetOptions, profile: Profile): string => {
  const baseUrl = options.baseUrl ?? profile.baseUrl
  if (baseUrl === undefined)
    throw new ConfigurationError(
      `the profile "${profile.name}" has no baseUrl, and --base-url is not given; pass --base-url URL, or write \`baseUrl\` into the profile`,
    )
  const basePath = profile.basePaths[profile.environment]
  // The profile puts its base path after the base URL: it would be there twice, and every request would miss.
  if (basePath !== '' && new URL(baseUrl).pathname.endsWith(basePath))
    throw new ConfigurationError(
      `the base URL "${baseUrl}" ends with the base path ${basePath}, which the profile puts after it (\`basePaths.${profile.environment}\`); take it away there`,
    )
  // The profile alone was looked at when it was loaded; what is in the base URL may lead to production as well.
  const confused = confusedAddresses(profile, baseUrl)
  if (confused.length > 0) throw new ConfigurationError(confused, `nothing is sent to ${baseUrl}`)
  return baseUrl
}

/** @throws ConfigurationError for a profile or a combination of options that names no target. */
export const settleSubject = async (
  options: TargetOptions & Partial<Pick<RunOptions, 'time'>>,
  env: NodeJS.ProcessEnv,
): Promise<RunSubject> => {
  const { time = 'auto' } = options
  const isEmbedded = options.profile === undefined
  const loaded = isEmbedded
    ? resolveProfile(referenceProfile(), env, 'the reference bank')
    : await loadProfile(options.profile, env)
  const profile = { ...loaded.profile, environment: options.environment ?? loaded.profile.environment }
  const canMoveTime = time === 'auto' && profile.testHooks.advanceClock !== undefined
  if (isEmbedded && time === 'wall')
    throw new ConfigurationError(
      '--time wall: the embedded reference bank has a virtual clock alone; start it with npm run bank and name its address',
    )
  return {
    profile,
    digest: loaded.digest,
    warnings: loaded.warnings,
    secrets: knownSecrets(loaded),
    clock: isEmbedded ? 'virtual' : canMoveTime ? 'testHook' : 'wall',
    ...(!isEmbedded && { baseUrl: baseUrlOf(options, profile) }),
  }
}

/** What a run is about, settled before anything is sent. */
export interface Preparation {
  readonly options: RunOptions
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
  /** The plan that `plan` is a part of, where it is one. */
  readonly whole?: Plan
  /** Declared exceptions. */
  readonly waivers: readonly Waiver[]
  /** Scenarios at a time. */
  readonly concurrency: number
  /** What the run has come to before, where it is gone on with. */
  readonly standing?: Standing
}

/** Where the exchanges of the run are kept. */
export const evidenceOf = ({ options }: Pick<Preparation, 'options'>): string =>
  join(options.out, OUTPUT.evidence)

/** Scenarios of the reference bank at a time: each has a bank of its own. */
const SIDE_BY_SIDE = 8
/** On a shared target a later grant may end the tokens of an earlier one, so that scenarios take turns. */
const IN_TURN = 1

/** @throws ConfigurationError for whatever is wrong with options, profile or selectors. */
export const prepare = async (
  options: RunOptions,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Preparation> => {
  const [subject, catalogue, waivers] = await Promise.all([
    settleSubject(options, env),
    loadCatalogue(),
    options.waivers === undefined ? [] : readWaivers(options.waivers),
  ])
  verifyBrowser(subject.profile, env)
  verifyWaivers(options.waivers ?? '', waivers, { rows: catalogue.requirements, now: new Date() })
  const target = { profile: subject.profile, virtual: subject.clock === 'virtual' }
  const concurrency = options.concurrency ?? (subject.baseUrl === undefined ? SIDE_BY_SIDE : IN_TURN)
  const plan = buildPlan(catalogue, target, { ...options, waived: waivers })
  const preparation = { options, argv, subject, catalogue, concurrency, plan, waivers }
  return options.shard === undefined ? preparation : inPart(preparation, options.shard)
}

const inPart = (preparation: Preparation, shard: ShardChoice): Preparation => {
  const { subject, plan } = preparation
  const { profile, clock, baseUrl, warnings } = subject
  const whole = splitPlan(plan, shard.count, { profile, canMoveTime: clock !== 'wall' })
  const isShared = baseUrl !== undefined && shard.count > 1
  return {
    ...preparation,
    whole,
    plan: partOf(whole, shard),
    subject: { ...subject, warnings: isShared ? [...warnings, SHARED_TARGET] : warnings },
  }
}
