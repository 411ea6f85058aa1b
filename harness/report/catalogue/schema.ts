import * as z from 'zod'
import { ALL_CHAPTERS } from '../../check/requirement.ts'
import { EFFECTS } from '../../evidence/exchange.ts'

/** `catalogue.json`: every requirement with its checks, and the defects that the checks detect. */

const effect = z.enum(EFFECTS)
const count = z.int().min(0)
const text = z.string().min(1)

const checkSchema = z.strictObject({
  scenario: text,
  /** Relative to the project's root, or to the parent of the folder of own checks, with the line. */
  file: z.string().regex(/^(specs\/\w+|[^/]+)\/[\w-]+\.spec\.m?[jt]s:\d+$/),
  /** Whether it is repeated with random values. */
  property: z.boolean(),
  /** The strongest effect of its requests; for scenarios in a named environment, per environment. */
  effect,
  effectsIn: z.strictObject({ sandbox: effect.optional(), production: effect.optional() }).optional(),
  as: z.enum(['FAC', 'TPP', 'each', 'any']),
  /** The features that a target must offer. */
  needs: z.array(text),
})

const describedSchema = z.strictObject({ id: text, title: text })

export const rowSchema = z.strictObject({
  id: text,
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  claim: text,
  quote: text,
  place: text,
  source: text,
  reading: text.optional(),
  /** The key of the profile with which its checks compare, where the interface does not give the value. */
  fromProfile: text.optional(),
  tags: z.array(text),
  checks: z.array(checkSchema),
  /** Why there is no check. */
  because: text.optional(),
  /** The defects that break it and that its checks detect. */
  defects: z.array(describedSchema),
})

const notShownSchema = z.strictObject({
  id: text,
  subject: text,
  quote: text,
  place: text,
  /** The scenarios that record it. */
  recordedOf: z.array(text),
})

const countsSchema = z.strictObject({
  MUST: count,
  SHOULD: count,
  MAY: count,
  checked: count,
  unchecked: count,
  notShown: count,
  checks: count,
  defects: count,
})

const chapterSchema = z.strictObject({
  chapter: z.enum(ALL_CHAPTERS),
  title: text,
  /** What it is about, in one sentence. */
  about: text,
  counts: countsSchema,
  rows: z.array(rowSchema),
  notShown: z.array(notShownSchema),
})

export const catalogueSchema = z.strictObject({
  schema: z.literal(1),
  suite: z.strictObject({ name: text, version: text, catalogueDigest: text }),
  counts: countsSchema,
  chapters: z.array(chapterSchema),
  /** Permitted variations: no check fails on them. */
  variations: z.array(describedSchema),
  /** Sentences of the interface that are not requirements, and why. */
  descriptive: z.array(z.strictObject({ quote: text, because: text })),
})

export type CatalogueDocument = z.output<typeof catalogueSchema>
export type ChapterDocument = CatalogueDocument['chapters'][number]
export type Row = z.output<typeof rowSchema>
export type NotShownRow = z.output<typeof notShownSchema>
export type Counts = z.output<typeof countsSchema>
