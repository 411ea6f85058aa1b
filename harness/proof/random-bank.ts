import * as fc from 'fast-check'
import { combine } from '../bank/composition/combine.ts'
import { conflictOf, withoutConflicts } from '../bank/composition/conflicts.ts'
import { freedoms } from '../bank/composition/freedoms.ts'
import { scriptedPages } from '../bank/variations/authorization-variations.ts'
import { transportVariations } from '../bank/variations/body-variations.ts'
import { inProduction } from '../bank/variations/environment-variations.ts'
import { variations } from '../bank/variations/index.ts'
import { dialectOf, withId } from './selection.ts'
import { omissions, type Omission } from '../connection/reference-bank/omissions.ts'
import {
  composedProfile,
  dialectProfile,
  isByItself,
  referenceProfile,
} from '../connection/reference-bank/reference-profile.ts'
import type { Dialect, RuleChange, Variation } from '../bank/defect.ts'
import type { ProfileInput } from '../profile/schema.ts'

/** Conforming banks that are composed at random: a dialect, variations that do not conflict, and what the bank or its profile lacks. */

interface Choice {
  readonly id: string
  /** One value of a freedom that has many. */
  readonly value?: number
}

export interface RandomBank {
  /** The id of the dialect; the bank's own words, if it is left out. */
  readonly dialect?: string | undefined
  /** In the order in which they are applied. */
  readonly choices: readonly Choice[]
  readonly without: readonly string[]
}

/** These need a browser or a connection, which the proof does not have. */
const NOT_SHOWN: readonly Variation[] = [...transportVariations, ...scriptedPages]

/** Its page preselects the private account. A composed bank may have no such page, and its profile would then be wrong. */
const PRESELECTED_OTHERWISE = 'only-the-account-that-the-customer-keeps-private-is-ticked'

/** A bank with a profile of its own is tried by itself. */
const isComposed = (variation: Variation): boolean =>
  !NOT_SHOWN.includes(variation) && variation.id !== PRESELECTED_OTHERWISE && !isByItself(variation.id)

const fixed: readonly fc.Arbitrary<Choice>[] = variations
  .filter(isComposed)
  .map(({ id }) => fc.constant({ id }))

const drawn: readonly fc.Arbitrary<Choice>[] = freedoms.map(({ id, from, to }) =>
  fc.noShrink(fc.integer({ min: from, max: to })).map((value) => ({ id, value })),
)

const all = [...fixed, ...drawn]

const variationOf = ({ id, value }: Choice): Variation =>
  value === undefined ? withId(variations, id) : { id, ...withId(freedoms, id).vary(value) }

interface Part {
  readonly id: string
  readonly rules?: RuleChange
}

const dialectPart = (id: string | undefined): readonly Part[] => (id === undefined ? [] : [dialectOf(id)])

const omissionOf = (id: string): Omission => withId(omissions, id)

/**
 * What does not conflict with the dialect or an omission; of two variations that conflict, the one that was drawn first. The
 * result is in the order of the lists.
 */
const compatible = (
  dialect: string | undefined,
  places: readonly { readonly at: number; readonly choice: Choice }[],
  omitted: readonly string[],
): readonly Choice[] => {
  const hidden = omitted.flatMap((id) => omissionOf(id).conflicts ?? [])
  const parts = [
    ...dialectPart(dialect).map((part) => ({ part, place: undefined })),
    ...places
      .filter(({ choice }) => !hidden.includes(choice.id))
      .map((place) => ({ part: variationOf(place.choice), place })),
  ]
  return withoutConflicts(parts, (one, other) => conflictOf(one.part, other.part) !== undefined)
    .flatMap(({ place }) => (place === undefined ? [] : [place]))
    .sort((one, other) => one.at - other.at)
    .map(({ choice }) => choice)
}

/** As many dialects are generated as there are banks in the largest proof, and more. */
const MOST_GENERATED = 99_999

const dialectId: fc.Arbitrary<string | undefined> = fc.oneof(
  { withCrossShrink: true },
  fc.constant(undefined),
  fc.noShrink(fc.nat(MOST_GENERATED)).map((number) => `generated-${number}`),
)

/** More would leave too little to judge. */
const MOST_OMISSIONS = 3

/** Whether applications are left: together, these two would leave out both kinds. */
const hasApplications = (ids: readonly string[]): boolean =>
  !(ids.includes('third-parties-alone') && ids.includes('own-data-alone'))

const without: fc.Arbitrary<readonly string[]> = fc
  .shuffledSubarray(
    omissions.map(({ id }) => id),
    { maxLength: MOST_OMISSIONS },
  )
  .filter(hasApplications)

/** Shrinks to fewer choices, and to the bank's own words. */
export const randomBank: fc.Arbitrary<RandomBank> = fc.noBias(
  fc
    .tuple(
      dialectId,
      fc.tuple(...all).chain((choices) => fc.shuffledSubarray(choices.map((choice, at) => ({ at, choice })))),
      without,
    )
    .map(([dialect, places, omitted]) => ({
      dialect,
      choices: compatible(dialect, places, omitted),
      without: omitted,
    })),
)

export const bankOf = (seed: number): RandomBank => {
  const [bank] = fc.sample(randomBank, { seed, numRuns: 1 })
  if (bank === undefined) throw new Error(`no bank was composed with the seed ${seed}`)
  return bank
}

/** The time of all scenarios adds up on one bank: what was booked in others would take the place of the history. */
const SHORT_HISTORIES = [
  'transactions-are-left-out-after-80-days',
  'an-account-shows-only-its-latest-transactions',
]

/** The bank, so that it can serve all scenarios. */
export const forAllScenarios = (bank: RandomBank): RandomBank => ({
  ...bank,
  choices: bank.choices.filter(({ id }) => !SHORT_HISTORIES.includes(id)),
})

export const bankIdOf = (seed: number): string => `bank-${seed}`

/** What is different about a bank, one text for each choice. */
export const partsOf = ({ dialect, choices, without: omitted }: RandomBank): readonly string[] => [
  ...(dialect === undefined ? [] : [`dialect ${dialect}`]),
  ...choices.map(({ id, value }) => (value === undefined ? id : `${id} ${value}`)),
  ...omitted,
]

export const changesOf = (
  id: string,
  { dialect, choices, without: omitted }: RandomBank,
): {
  readonly variation: Variation
  readonly dialect?: Dialect
  readonly profile: ProfileInput
} => {
  const left = omitted.map(omissionOf)
  const own = dialect === undefined ? referenceProfile() : dialectProfile(dialect)
  return {
    variation: combine(id, [...left, ...choices.map(variationOf)]),
    ...(dialect !== undefined && { dialect: dialectOf(dialect) }),
    profile: composedProfile(
      left.reduce((profile, omission) => omission.without(profile), own),
      choices.map((choice) => choice.id),
    ),
  }
}

/** What the owner of a bank with this variation knows and the profile of the reference bank does not say. */
const DECLARED: Readonly<Record<string, (own: ProfileInput) => Partial<ProfileInput>>> = {
  'refusals-outside-of-oauth-and-loans-are-html-pages': () => ({ refusals: 'page' }),
  'the-accounts-of-production-have-other-ibans': ({ payments }) => {
    if (payments === undefined) return {}
    const { debtor, creditor } = payments
    return { payments: { ...payments, environments: { production: inProduction({ debtor, creditor }) } } }
  },
}

/**
 * What the profile of a bank has to say so that it can be judged. Composed banks without a defect are tried without it,
 * since a check must raise no alarm either way.
 */
export const declaredOf = ({ dialect, choices }: RandomBank): Partial<ProfileInput> => {
  const own = dialect === undefined ? referenceProfile() : dialectProfile(dialect)
  const ids = choices.map(({ id }) => id)
  const declared = Object.assign({}, own, ...ids.map((id) => DECLARED[id]?.(own))) as ProfileInput
  return Object.fromEntries(
    Object.entries(composedProfile(declared, ids)).filter(
      ([key, value]) => value !== own[key as keyof ProfileInput],
    ),
  )
}

/** A bank for which a condition does not hold, as small as could be found. */
export interface Counterexample {
  readonly bank: RandomBank
  /** With the seed, it leads to the same bank. */
  readonly path: string
}

/** The time for which a smaller bank is searched for, in ms. */
const MOST_SHRINKING = 2 * 60 * 1000

/**
 * Composes the bank of this seed, and tries it, however long that takes. Where the condition does not hold, smaller banks
 * are tried for a limited time.
 * @param path tries the smaller bank to which it leads instead.
 * @returns the smallest bank for which it does not hold; nothing, if it holds.
 */
export const tryRandomBank = async (
  seed: number,
  holds: (bank: RandomBank) => Promise<boolean>,
  path?: string,
): Promise<Counterexample | undefined> => {
  const whole = bankOf(seed)
  if (path === undefined && (await holds(whole))) return undefined
  const faults: unknown[] = []
  const property = fc.asyncProperty(randomBank, (bank) =>
    holds(bank).catch((error: unknown) => {
      faults.push(error)
      throw error
    }),
  )
  const result = await fc.check(property, {
    seed,
    numRuns: 1,
    ...(path === undefined
      ? { plugins: [fc.interruptAfterTimeLimit(MOST_SHRINKING) as fc.Plugin<[RandomBank]>] }
      : { path, endOnFailure: true }),
  })
  if (faults.length > 0) throw faults[0]
  const [bank] = result.counterexample ?? []
  if (bank !== undefined) return { bank, path: result.counterexamplePath ?? '' }
  return path === undefined ? { bank: whole, path: '0' } : undefined
}
