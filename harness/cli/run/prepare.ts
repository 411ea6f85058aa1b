import { applicationsIn, credentialsOf } from '../../profile/applications.ts'
import { typed } from '../../evidence/command-names.ts'
import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { durationOf, type RunDuration } from '../../plan/duration.ts'
import { buildPlan, verifyNotApplicable } from '../../plan/build-plan.ts'
import { loadCatalogue, type Catalogue } from '../../plan/catalogue.ts'
import { readWaivers, verifyWaivers, type Waiver } from '../../plan/waivers.ts'
import { verifyBrowser } from '../../profile/chromium.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { type Environment } from '../../profile/environment.ts'
import { ambiguousAddresses } from '../../profile/address-environment.ts'
import { loadProfile, resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { testHooksIn } from '../../profile/test-hooks.ts'
import { withRedirectUris } from '../../profile/redirect-uris.ts'
import { requestCounts } from '../../report/evidence-file.ts'
import { createBudget, type Limits } from '../../session/http/permissions.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { RunOptions, TargetOptions } from './options.ts'
import type { EarlierRun } from '../../engine/resume/resumable-run.ts'
import type { RunInput } from '../../engine/run-input.ts'
import { EFFECTS, type Operation } from '../../evidence/exchange.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Report } from '../../report/schema.ts'

/** The target of a run: the embedded reference bank, or that of the options and the profile. */
interface RunSubject {
  readonly profile: Profile
  readonly digest: string
  readonly warnings: readonly string[]
  readonly secrets: readonly KnownSecret[]
  /** Absent for the embedded reference bank. */
  readonly baseUrl?: string
  readonly clock: Report['target']['clock']
}

/** Those of each environment too. */
const clientIdsOf = ({ applications }: Profile): readonly string[] =>
  applications.flatMap((one) => [one, ...credentialsOf(one)]).map(({ clientId }) => clientId)

/** Each secret. A client id is none, unless the profile says so. */
const knownSecrets = ({ secrets, profile }: LoadedProfile): readonly KnownSecret[] => [
  ...profile.applications
    .flatMap(credentialsOf)
    .map(({ clientSecret }) => ({ name: 'client_secret', value: clientSecret })),
  ...profile.customers.map(({ password }) => ({ name: 'password', value: password })),
  ...profile.webhooks.configured.map(({ securityHeader }) => ({
    name: 'security_header',
    value: securityHeader,
  })),
  ...proxyPassword(profile.connection),
  ...profile.applications
    .filter(({ confidentialId }) => confidentialId)
    .flatMap(credentialsOf)
    .map(({ clientId }) => ({ name: 'client_id', value: clientId })),
  ...secrets
    .filter((value) => clientIdsOf(profile).every((clientId) => clientId !== value))
    .map((value) => ({ name: 'secret', value })),
]

/** The rest of the proxy's address is not a secret. */
const proxyPassword = ({ proxy = '' }: Profile['connection']): readonly KnownSecret[] => {
  const { password } = URL.canParse(proxy) ? new URL(proxy) : { password: '' }
  return [{ name: 'proxy_password', value: decodeURIComponent(password) }]
}

/** @throws ConfigurationError if neither the options nor the profile have a base URL. */
const baseUrlOf = (options: TargetOptions, profile: Profile): string => {
  const baseUrl = options.baseUrl ?? profile.baseUrl
  if (baseUrl === undefined)
    throw new ConfigurationError(
      `the profile "${profile.name}" has no baseUrl, and --base-url is not given; pass --base-url URL, or write \`baseUrl\` into the profile`,
    )
  const basePath = profile.basePaths[profile.environment]
  // Each URL would contain the base path twice.
  if (basePath !== '' && new URL(baseUrl).pathname.endsWith(basePath))
    throw new ConfigurationError(
      `the base URL "${baseUrl}" ends with the base path ${basePath}, which the profile appends (\`basePaths.${profile.environment}\`); remove it from the base URL`,
    )
  // loadProfile has checked the profile, but not the base URL, which may be that of production.
  const confused = ambiguousAddresses(profile, baseUrl)
  if (confused.length > 0) throw new ConfigurationError(confused, `nothing is sent to ${baseUrl}`)
  return baseUrl
}

/** The profile with those accounts of its customers that exist in this environment. */
const withAccountsOf = (environment: Environment, profile: Profile): Profile => ({
  ...profile,
  customers: profile.customers.map((customer) => ({
    ...customer,
    accounts: customer.accounts.filter(({ environments = [environment] }) =>
      environments.includes(environment),
    ),
  })),
})

/**
 * What is different for the embedded bank: its customers are invented, and nothing happens in the world if a run of the sandbox
 * acts in production as well.
 */
const ofEmbeddedBank = (
  { allow }: Profile,
  environment: Environment,
): Pick<Profile, 'allow' | 'personalData'> => ({
  personalData: 'kept',
  allow: environment === 'sandbox' ? { ...allow, production: [...EFFECTS] } : allow,
})

/** @throws ConfigurationError if the profile or the options are wrong. */
export const resolveTarget = async (
  options: TargetOptions & Partial<Pick<RunOptions, 'time'>>,
  env: NodeJS.ProcessEnv,
): Promise<RunSubject> => {
  const { time = 'auto' } = options
  const isEmbedded = options.profile === undefined
  const loaded = isEmbedded
    ? resolveProfile(referenceProfile(), env, 'the reference bank')
    : await loadProfile(options.profile, env)
  const environment = options.environment ?? loaded.profile.environment
  const profile = withAccountsOf(environment, {
    ...loaded.profile,
    environment,
    ...(isEmbedded && ofEmbeddedBank(loaded.profile, environment)),
  })
  if (applicationsIn(profile).length === 0)
    throw new ConfigurationError(
      `no application exists in ${environment}, which is judged; add \`${environment}\` to the \`environments\` of one of \`applications\`, or choose the other with --environment`,
    )
  const canMoveTime = time === 'auto' && testHooksIn(profile).advanceClock !== undefined
  if (isEmbedded && time === 'wall')
    throw new ConfigurationError(
      `--time wall: the embedded reference bank has a virtual clock only; start it with ${typed('bank')}, and pass its address`,
    )
  const baseUrl = isEmbedded ? undefined : baseUrlOf(options, profile)
  return {
    profile: baseUrl === undefined ? profile : withRedirectUris(profile, baseUrl),
    digest: loaded.digest,
    warnings: loaded.warnings,
    secrets: knownSecrets(loaded),
    clock: isEmbedded ? 'virtual' : canMoveTime ? 'testHook' : 'wall',
    ...(baseUrl !== undefined && { baseUrl }),
  }
}

/** A run before its first request: its options, target and plan. */
export interface PreparedRun {
  readonly options: RunOptions
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
  /** Accepted exceptions. */
  readonly waivers: readonly Waiver[]
  /** Scenarios at the same time. */
  readonly concurrency: number
  readonly duration: RunDuration
  /** For a resumed run, its earlier results. */
  readonly earlier?: EarlierRun
}

/** The file with the exchanges of the run. */
export const evidenceOf = ({ options }: Pick<PreparedRun, 'options'>): string =>
  join(options.out, OUTPUT.evidence)

/** On the embedded target each scenario has a bank of its own. */
const CONCURRENT = 8
/** On a shared target a later grant may end the tokens of an earlier one, so that scenarios run one after the other. */
const IN_TURN = 1

/** @throws ConfigurationError if options, profile or selectors are wrong. */
export const prepareRun = async (
  options: RunOptions,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<PreparedRun> => {
  const [subject, catalogue, waivers] = await Promise.all([
    resolveTarget(options, env),
    loadCatalogue(options.catalogue),
    options.waivers === undefined ? [] : readWaivers(options.waivers),
  ])
  verifyBrowser(subject.profile, env)
  verifyNotApplicable(subject.profile, catalogue.requirements)
  verifyWaivers(options.waivers ?? '', waivers, { rows: catalogue.requirements, now: new Date() })
  const target = { profile: subject.profile, virtual: subject.clock === 'virtual' }
  const concurrency = options.concurrency ?? (subject.baseUrl === undefined ? CONCURRENT : IN_TURN)
  const plan = buildPlan(catalogue, target, { ...options, waived: waivers })
  const duration = durationOf({
    plan,
    profile: subject.profile,
    concurrency,
    rate: options.rate,
    requests: limitsOf({ options, subject })?.requests,
  })
  return { options, argv, subject, catalogue, concurrency, plan, waivers, duration }
}

/** The limits of requests of a run; undefined without a budget. */
export const limitsOf = ({
  options,
  subject,
}: Pick<PreparedRun, 'options' | 'subject'>): Limits | undefined => {
  const { budget } = subject.profile
  const requests = options.budget ?? budget.requests
  return requests === undefined && Object.keys(budget.perOperation).length === 0
    ? undefined
    : { ...budget, requests }
}

/** The budget, with the number of requests sent so far: by the probe, and before the run was resumed. */
export const budgetOf = (
  prepared: Pick<PreparedRun, 'options' | 'subject'>,
  evidence: string,
): Pick<RunInput, 'budget'> => {
  const limits = limitsOf(prepared)
  return limits === undefined ? {} : { budget: { limits, spent: requestCounts(evidence) } }
}

/** Whether the budget allows another request of the operation. */
export const hasBudgetFor = ({ budget }: Pick<RunInput, 'budget'>, operation: Operation): boolean => {
  if (budget === undefined) return true
  try {
    createBudget(budget.limits, budget.spent).spend(operation)
    return true
  } catch {
    return false
  }
}
