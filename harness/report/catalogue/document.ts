import * as z from 'zod'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { CHAPTERS, OWN_CHAPTER, type Chapter, type Requirement } from '../../check/requirement.ts'
import { CREDENTIALS, NEEDS, type ScenarioOptions } from '../../session/scenario.ts'
import { notesOn } from '../../check/note.ts'
import { TITLES } from '../chapter-titles.ts'
import { compareNumbered } from '../order.ts'
import { catalogueSchema } from './schema.ts'
import type { Catalogue, CataloguedCheck } from '../../plan/catalogue.ts'
import type { CatalogueDocument, ChapterDocument, Counts, Row } from './schema.ts'

/** The whole catalogue as one document. */

type Described = Readonly<Row['defects'][number]>

interface DescribedDefect extends Described {
  readonly chapter: Chapter
  readonly breaks: readonly { readonly id: string }[]
}

export interface Sources {
  readonly catalogue: Catalogue
  /** Those of the proof; a run does not load them. */
  readonly defects?: readonly DescribedDefect[]
  readonly variations?: readonly Described[]
  readonly descriptive: readonly { readonly quote: string; readonly because: string }[]
}

const ENVIRONMENTS = ['sandbox', 'production'] as const

/** The features that a target must offer; the kind of application is a separate field. */
const needsOf = ({ needs = [], effectsIn = {} }: ScenarioOptions): string[] => [
  ...ENVIRONMENTS.filter((name) => effectsIn[name] !== undefined).map((name) => CREDENTIALS[name]),
  ...needs.map((need) => NEEDS[need]),
]

const checkOf = ({ check: { scenario }, file }: CataloguedCheck): Row['checks'][number] => {
  const { effect, effectsIn, as } = scenario.options
  return {
    scenario: scenario.title,
    file,
    property: scenario.kind === 'property',
    effect,
    ...(effectsIn && { effectsIn }),
    as,
    needs: needsOf(scenario.options),
  }
}

const idAndTitle = ({ id, title }: Described): Described => ({ id, title })

const rowOf = (requirement: Requirement, { catalogue, defects = [] }: Sources): Row => {
  const { id, level, claim, quote, place, source, reading, fromProfile } = requirement
  const { tags = [], unchecked, pending } = requirement
  const because = unchecked ?? (pending && `pending: ${pending}`)
  return {
    id,
    level,
    claim,
    quote,
    place,
    source,
    ...(reading !== undefined && { reading }),
    ...(fromProfile !== undefined && { fromProfile }),
    tags: [...tags],
    checks: catalogue.checks.filter(({ check }) => check.requirement.id === id).map(checkOf),
    ...(because !== undefined && { because }),
    defects: defects.filter(({ breaks }) => breaks.some((row) => row.id === id)).map(idAndTitle),
  }
}

/** The titles of the scenarios whose records are described in reports. */
const recordedOf = ({ catalogue }: Sources, id: string): string[] => {
  const scenarios = new Set(catalogue.checks.map(({ check }) => check.scenario))
  return [...scenarios]
    .filter((scenario) => notesOn(scenario).some(({ notShown }) => notShown.id === id))
    .map(({ title }) => title)
}

const countOf = (rows: readonly Row[], notShown: number, defects: number): Counts => {
  const at = (level: Row['level']): number => rows.filter((row) => row.level === level).length
  const checked = rows.filter(({ checks }) => checks.length > 0).length
  return {
    MUST: at('MUST'),
    SHOULD: at('SHOULD'),
    MAY: at('MAY'),
    checked,
    unchecked: rows.length - checked,
    notShown,
    checks: rows.reduce((sum, { checks }) => sum + checks.length, 0),
    defects,
  }
}

const chapterOf = (
  chapter: Chapter,
  { name, about }: { readonly name: string; readonly about: string },
  sources: Sources,
): ChapterDocument => {
  const { requirements, notShown } = sources.catalogue
  const rows = requirements.filter((row) => row.chapter === chapter).map((row) => rowOf(row, sources))
  const notShownRows = notShown
    .filter((row) => row.chapter === chapter)
    .map(({ id, subject, quote, place }) => ({
      id,
      subject,
      quote,
      place,
      recordedOf: recordedOf(sources, id),
    }))
  const defects = (sources.defects ?? []).filter((defect) => defect.chapter === chapter).length
  return {
    chapter,
    title: name,
    about,
    counts: countOf(rows, notShownRows.length, defects),
    rows: rows.sort(byId),
    notShown: notShownRows.sort(byId),
  }
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  compareNumbered(one.id, other.id)

/** @throws if the document does not match its schema. */
export const documentOf = (sources: Sources): CatalogueDocument => {
  const { catalogue, defects = [], variations = [], descriptive } = sources
  const { own } = catalogue
  const chapters = [
    ...CHAPTERS.map((chapter) => chapterOf(chapter, TITLES[chapter], sources)),
    ...(own === undefined ? [] : [chapterOf(OWN_CHAPTER, { name: own.title, about: own.about }, sources)]),
  ]
  const checked = catalogueSchema.safeParse({
    schema: 1,
    suite: { name: manifest.name, version: manifest.version, catalogueDigest: catalogue.digest },
    counts: countOf(
      chapters.flatMap(({ rows }) => rows),
      catalogue.notShown.length,
      defects.length,
    ),
    chapters,
    variations: variations.map(idAndTitle),
    descriptive: descriptive.map(({ quote, because }) => ({ quote, because })),
  })
  if (checked.success) return checked.data
  throw new Error(`The catalogue does not match its schema.\n${z.prettifyError(checked.error)}`)
}
