import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { CONDITION_IDS, CONDITIONS, isConditional, type Condition, type ConditionId } from './conditions.ts'
import { dialects, generatedDialect, generatedNumber } from '../bank/dialects/generated.ts'
import { declaredConflictOf } from '../bank/composition/conflicts.ts'
import { variations } from '../bank/variations/index.ts'
import { variationProfile } from '../connection/reference-bank/reference-profile.ts'
import { type Chapter, CHAPTERS, OWN_CHAPTER } from '../check/requirement.ts'
import { loadCatalogue, type Catalogue } from '../plan/catalogue.ts'
import { readOwnDefects, type OwnChecks } from '../plan/own-checks.ts'
import { moduleOf } from '../plan/root.ts'
import { createSelection } from '../plan/select.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'

/** Which defects and variations there are, and which of them a proof tries. */

export interface ChapterDefect extends Defect {
  readonly chapter: Chapter
}

/** The id of the reference bank without any change: it must raise no alarm either. */
export const UNCHANGED = 'as-it-is'

/**
 * The defects of all chapters, in the order of the chapters; those of own checks last.
 * @throws ConfigurationError if an own defect has an id that is taken.
 */
export const loadDefects = async (own?: OwnChecks): Promise<readonly ChapterDefect[]> => {
  const chapters = await Promise.all(
    CHAPTERS.map(async (chapter) => {
      const file = moduleOf(`specs/${chapter}/defects/index.ts`)
      if (!existsSync(file)) return []
      const { defects } = (await import(pathToFileURL(file).href)) as { defects: readonly Defect[] }
      return defects.map((defect) => ({ ...defect, chapter }))
    }),
  )
  const ours = chapters.flat()
  if (own === undefined) return ours
  const owned = (await readOwnDefects(own)).map((defect) => ({
    ...(defect as unknown as Defect),
    chapter: OWN_CHAPTER,
  }))
  const ids = [...ours, ...loadVariations(), ...owned].map(({ id }) => id)
  const taken = owned.map(({ id }) => id).filter((id) => ids.filter((other) => other === id).length > 1)
  if (taken.length > 0)
    throw new ConfigurationError(
      [...new Set(taken)].map((id) => `the defect id ${id} is taken; choose another one`),
      `the defects in ${own.folder} cannot be used`,
    )
  return [...ours, ...owned]
}

/** @throws ConfigurationError with what keeps own checks from being proved. */
const verifyOwnDefects = ({ own, requirements }: Catalogue, defects: readonly ChapterDefect[]): void => {
  if (own === undefined) return
  const known = new Set(requirements.map(({ id }) => id))
  const broken = new Set(defects.flatMap(({ breaks }) => breaks.map(({ id }) => id)))
  const problems = [
    ...defects.flatMap(({ id, breaks }) =>
      breaks
        .filter((row) => !known.has(row.id))
        .map((row) => `the defect ${id} breaks ${row.id}, which is no requirement; correct the id`),
    ),
    ...own.rows
      .filter(({ id, unchecked }) => unchecked === undefined && !broken.has(id))
      .map(
        ({ id }) =>
          `no defect breaks ${id}, so that its check is not proved able to fail; add one in defects/index.ts`,
      ),
  ]
  if (problems.length > 0)
    throw new ConfigurationError(problems, `the checks in ${own.folder} cannot be proved`)
}

/** @throws for an id that none of them has. */
export const withId = <Item extends { readonly id: string }>(items: readonly Item[], id: string): Item => {
  const item = items.find((one) => one.id === id)
  if (item === undefined) throw new Error(`nothing has the id ${id}`)
  return item
}

/** The permitted variations: the unchanged bank first, the dialects last. */
export const loadVariations = (): readonly Variation[] => [
  { id: UNCHANGED, title: 'the reference bank, unchanged' },
  ...variations,
  ...dialects.map(({ id, title }) => ({ id, title })),
]

export const DIALECTS: readonly string[] = dialects.map(({ id }) => id)

export const isDialect = (id: string): boolean => DIALECTS.includes(id)

export const dialectOf = (id: string): Dialect => {
  const number = generatedNumber(id)
  if (number === undefined) throw new Error(`no dialect has the id ${id}`)
  return generatedDialect(number)
}

/** The options of `npm run prove` that decide what is tried, and how. */
export interface ProofOptions {
  /** The folder of own checks: only its defects are tried, and the unchanged bank. */
  readonly catalogue?: string | undefined
  /** Chapters, requirements or tags to judge; all, where empty. */
  readonly only: readonly string[]
  /** Parts of the ids of defects and variations to try; all, where empty. */
  readonly id: readonly string[]
  readonly seed: number
  /** Runs of each property that a defect breaks. */
  readonly runs: number
  /** The id of the dialect that the bank speaks; none, if it is left out. */
  readonly dialect?: string | undefined
  /** Judges every check of every bank, with all runs of each property. */
  readonly exhaustive?: boolean | undefined
}

/** The name of the file for a proof. A proof of a part never replaces the whole one. */
export const proofFileFor = ({ only, id, dialect, exhaustive, catalogue }: ProofOptions): string => {
  const isPart = only.length > 0 || id.length > 0
  return `${[
    'proof',
    ...(catalogue === undefined ? [] : ['own-checks']),
    ...(dialect === undefined ? [] : [dialect]),
    ...(exhaustive === true ? ['exhaustive'] : []),
    ...(isPart ? ['part'] : []),
  ].join('-')}.json`
}

/** One bank to try: what a process of the pool is given. */
export type Task = CommonTask & (DefectTask | VariationTask | BankTask | DefectInBanksTask | ConditionTask)

interface VariationTask {
  readonly kind: 'variation'
}

interface Breaking {
  /** The requirements whose checks must see a violation. */
  readonly breaks: readonly string[]
  readonly environment: 'sandbox' | 'production'
}

export interface DefectTask extends Breaking {
  readonly kind: 'defect'
  /** Leaves out the checks of other requirements: whether the defect turns one of them red is not judged. */
  readonly isCaughtOnly?: boolean
}

/** A bank that is composed at random. Its seed is also that of what is tried on it, so that it can be tried alone. */
export interface BankTask {
  readonly kind: 'bank'
  /** Leads to one of its smaller banks. */
  readonly path?: string | undefined
}

export interface DefectInBanksTask extends Breaking {
  readonly kind: 'defect-in-banks'
  readonly banks: readonly number[]
}

export interface ConditionTask extends Breaking {
  readonly kind: 'condition'
  readonly condition: ConditionId
}

export interface CommonTask extends Omit<ProofOptions, 'id' | 'catalogue'> {
  /** Of the defect, the variation or the bank. */
  readonly id: string
}

/** @throws ConfigurationError where a selector, or a part of an id, matches nothing. */
export const selectTasks = async ({
  id: parts,
  catalogue: folder,
  ...common
}: ProofOptions): Promise<readonly Task[]> => {
  const catalogue = await loadCatalogue(folder)
  const { requirements, own } = catalogue
  const unselected = createSelection(requirements, { only: common.only, skip: [] })
  const judged = new Set(requirements.filter((row) => unselected(row) === undefined).map(({ id }) => id))
  const all = { defects: await loadDefects(own), variations: loadVariations() }
  verifyOwnDefects(catalogue, all.defects)
  // A permitted variation of the interface may break the rule of a scheme.
  const known =
    own === undefined
      ? all
      : {
          defects: all.defects.filter(({ chapter }) => chapter === OWN_CHAPTER),
          variations: all.variations.filter(({ id }) => id === UNCHANGED),
        }
  rejectUnknown(parts, [...known.variations, ...known.defects])
  const isSelected = ({ id }: { readonly id: string }): boolean =>
    parts.length === 0 || parts.some((part) => id.includes(part))
  const tasks: readonly Task[] = [
    ...known.variations
      .filter(isSelected)
      // A bank speaks one dialect at a time, and a profile of its own has the bank's own words.
      .filter(
        ({ id }) =>
          common.dialect === undefined ||
          (!isDialect(id) &&
            variationProfile(id) === undefined &&
            declaredConflictOf(id, common.dialect) === undefined),
      )
      .map(({ id }): Task => ({ ...common, kind: 'variation', id })),
    ...known.defects
      .filter(isSelected)
      .map((defect) => ({
        ...common,
        kind: 'defect' as const,
        id: defect.id,
        breaks: defect.breaks.map(({ id }) => id).filter((id) => judged.has(id)),
        environment: defect.triedIn ?? defect.environment ?? 'sandbox',
      }))
      .filter(({ breaks }) => common.only.length === 0 || breaks.length > 0),
  ]
  if (tasks.length > 0) return tasks
  const because =
    common.only.length > 0
      ? `none of these banks breaks what --only selects (${common.only.join(' ')})`
      : `the dialect ${common.dialect ?? ''} leaves these banks out; try them without --dialect`
  throw new ConfigurationError(`--id ${parts.join(' ')}: nothing is left to try; ${because}`)
}

/** How many of the selected variations the dialect leaves out, and where the reasons are; undefined if none. */
export const leftOutLine = async (
  options: ProofOptions,
  tasks: readonly Task[],
): Promise<string | undefined> => {
  const { dialect, ...others } = options
  if (dialect === undefined) return undefined
  const tried = new Set(tasks.map(({ id }) => id))
  const leftOut = (await selectTasks(others)).filter(({ id }) => !tried.has(id) && !isDialect(id))
  const count = (hasProfile: boolean): number =>
    leftOut.filter(({ id }) => (variationProfile(id) !== undefined) === hasProfile).length
  const parts = [
    [count(false), 'in conflict with it: harness/bank/composition/conflicts.ts'],
    [count(true), 'with keys of the profile: harness/connection/reference-bank/reference-profile.ts'],
  ] as const
  const lines = parts.flatMap(([variations, why]) =>
    variations === 0 ? [] : [`${variations} variation${variations === 1 ? '' : 's'} (${why})`],
  )
  return lines.length === 0 ? undefined : `left out in the dialect ${dialect}: ${lines.join(', ')}`
}

const LARGEST_SEED = 2 ** 31 - 1

const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, place) => (first + place) % LARGEST_SEED)

/** The banks that are composed with the seeds from `seed` on. */
export const bankTasks = (
  { only, seed: first, runs, dialect, exhaustive }: ProofOptions,
  count: number,
  path?: string,
): readonly Task[] =>
  seedsFrom(first, count).map((seed) => ({
    only,
    seed,
    runs,
    dialect,
    exhaustive,
    kind: 'bank' as const,
    id: `bank-${seed}`,
    ...(path !== undefined && { path }),
  }))

/** The first seed of the banks of a defect: it stays the same, whatever other defects there are. */
const firstSeedFor = ({ seed, id }: Pick<Task & { kind: 'defect' }, 'seed' | 'id'>): number =>
  createHash('sha256').update(`${seed} ${id}`).digest().readUInt32BE() % LARGEST_SEED

/** Requirements that many defects break: those judged on all answers of a run, or in a long sequence (`specs/<chapter>/life.spec.ts`). */
export const generalRows = ({ checks }: Pick<Catalogue, 'checks'>): ReadonlySet<string> =>
  new Set(
    checks
      .filter(({ check, file }) => check.over !== undefined || file.includes('/life.spec.ts'))
      .map(({ check }) => check.requirement.id),
  )

/** The defects of these tasks, with the checks that must catch them. */
export const caughtTasks = (tasks: readonly Task[]): readonly Task[] =>
  tasks.filter((task) => task.kind === 'defect').map((task) => ({ ...task, isCaughtOnly: true }))

export const defectInBanksTasks = (tasks: readonly Task[], count: number): readonly Task[] =>
  tasks
    .filter((task) => task.kind === 'defect')
    .map((task) => ({
      ...task,
      kind: 'defect-in-banks' as const,
      banks: seedsFrom(firstSeedFor(task), count),
    }))

/** Of the digest of a pair, which draws it: another defect takes the place of few pairs, so that shares can be compared. */
const rankOf = (
  seed: number,
  { id, condition }: Pick<ConditionTask & CommonTask, 'id' | 'condition'>,
): string => createHash('sha256').update(`${seed} ${id} ${condition}`).digest('hex')

export const conditionTasks = async (
  tasks: readonly Task[],
  { seed, catalogue }: ProofOptions,
  count: number,
): Promise<readonly Task[]> => {
  const { own } = await loadCatalogue(catalogue)
  const defects = await loadDefects(own)
  const pairs = tasks.flatMap((task) => {
    if (task.kind !== 'defect') return []
    const defect = withId(defects, task.id)
    return CONDITION_IDS.flatMap((condition) => {
      const { environment }: Condition = CONDITIONS[condition]
      // In this environment it is tried anyway.
      if (environment === task.environment || !isConditional(defect, condition)) return []
      return { ...task, kind: 'condition' as const, condition, ...(environment && { environment }) }
    })
  })
  const ranked = pairs.map((task) => ({ task, rank: rankOf(seed, task) }))
  return ranked
    .sort((one, other) => one.rank.localeCompare(other.rank))
    .slice(0, count)
    .map(({ task }) => task)
}

const rejectUnknown = (parts: readonly string[], known: readonly { readonly id: string }[]): void => {
  const ids = known.map(({ id }) => id)
  const problems = parts
    .filter((part) => !ids.some((id) => id.includes(part)))
    .map((part) => {
      const right = nearest(part, ids)
      const hint = right === undefined ? 'npm run catalogue lists all' : `did you mean ${right}?`
      return `--id ${part}: no defect or variation has this in its id; ${hint}`
    })
  if (problems.length > 0) throw new ConfigurationError(problems)
}
