/**
 * The rows of the catalogue: what the interface claims, sentence by sentence.
 * A chapter's `requirements.ts` has the statements in the order of the interface, each with its rows: `must`, `should` and
 * `may` for what is judged and `notShown` for what the interface says is "not shown".
 */

export const CHAPTERS = [
  'consent',
  'authorization',
  'tokens',
  'accounts',
  'transactions',
  'refresh',
  'webhooks',
  'payments',
  'loans',
  'environments',
] as const

export type InterfaceChapter = (typeof CHAPTERS)[number]

/** The chapter of the checks that a bank or a scheme adds (`--catalogue`). */
export const OWN_CHAPTER = 'own' as const

/** All chapters that a report can contain, in its order. */
export const ALL_CHAPTERS = [...CHAPTERS, OWN_CHAPTER] as const

export type Chapter = (typeof ALL_CHAPTERS)[number]

/** The keyword of RFC 2119. A statement of the interface is a MUST; a standard that it invokes has its own. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

interface RequirementText {
  /** A sentence that is true of a conforming bank. */
  readonly claim: string
  /** The words of the source, to the letter: a cell, a row or a sentence. */
  readonly quote: string
  /** Where the quote stands: section, then item, row or table. */
  readonly place: string
  /** The document of the quote: the interface, unless a standard is named here ("RFC 6749 §5.1"). */
  readonly source?: string
  /** How an ambiguous statement is read. */
  readonly reading?: string
  /**
   * The key of the profile with which the checks compare, where the interface does not give the value: which account has no
   * consent, which order fails. A statement that only such rows judge needs a written reason (specs/shared/descriptive.ts).
   */
  readonly fromProfile?: string
  /** The operation that answers where this holds, with its method: `GET listTransactions`. See `engine/unanswered.ts`. */
  readonly answers?: string
  /** Words that `--only` and `--skip` can name beside the id and the chapter. */
  readonly tags?: readonly string[]
  /** Why no check judges this row yet. A pending row is counted by `npm run verify`. */
  readonly pending?: string
  /** The lasting reason why no check can judge this row. */
  readonly unchecked?: string
}

export interface Requirement extends RequirementText {
  readonly kind: 'requirement'
  /** Short, opaque, never reused: PAY-09. */
  readonly id: string
  readonly level: Level
  readonly source: string
}

/** Whether a claim is no statement of fact about a conforming bank: "the token should work". */
export const isVague = ({ claim }: Pick<Requirement, 'claim'>): boolean =>
  /\b(should|must|works?|correctly|properly)\b|\.$/i.test(claim)

/** Something that the interface leaves "not shown": never judged, but what a run observes of it is reported. */
export interface NotShown {
  readonly kind: 'not-shown'
  readonly id: string
  /** What is left open, in a few words. */
  readonly subject: string
  readonly quote: string
  readonly place: string
}

/** A row below the words that it quotes. */
type Unquoted<Row> = Omit<Row, 'quote' | 'place'>
type UnquotedText<Text> = Unquoted<Text> & { readonly quote?: never }

interface StateRow {
  (id: string, text: RequirementText): Requirement
  /** In `statements`, which adds the quote. */
  (id: string, text: UnquotedText<RequirementText>): Unquoted<Requirement>
}

const row = (level: Level): StateRow => {
  function state(id: string, text: RequirementText): Requirement
  function state(id: string, text: UnquotedText<RequirementText>): Unquoted<Requirement>
  function state(id: string, text: Unquoted<RequirementText>) {
    return { source: 'interface', ...text, kind: 'requirement', id, level }
  }
  return state
}

/** A statement that a conforming bank keeps without exception. */
export const must = row('MUST')
/** A statement that a conforming bank keeps unless it has a reason not to; breaking it is a warning. */
export const should = row('SHOULD')
/** A freedom that the interface gives by name. */
export const may = row('MAY')

type NotShownText = Omit<NotShown, 'kind' | 'id'>

/** A row for what the interface says is "not shown". */
export function notShown(id: string, text: NotShownText): NotShown
/** In `statements`, which adds the quote. */
export function notShown(id: string, text: UnquotedText<NotShownText>): Unquoted<NotShown>
export function notShown(id: string, text: Unquoted<NotShownText>) {
  return { ...text, kind: 'not-shown', id }
}

type UnquotedRows = Readonly<Record<string, Unquoted<Requirement> | Unquoted<NotShown>>>

/**
 * @param place where the quote above stands in the interface: section, then item, row or table.
 * @param common what all of these rows have.
 */
export const at = <const Rows extends UnquotedRows>(
  place: string,
  rows: Rows,
  common: Pick<RequirementText, 'tags'> = {},
): Rows => placed({ place, ...common }, rows)

/** @param source the standard of the quote above, with its section: `RFC 6749 §5.1`. @param place in that section. */
export const ofStandard = <const Rows extends UnquotedRows>(
  source: string,
  place: string,
  rows: Rows,
): Rows => placed({ place, source }, rows)

const placed = <Rows extends UnquotedRows>(words: Partial<RequirementText>, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([key, one]) => [key, { ...one, ...words }])) as Rows

type KeysOf<Rows> = Rows extends unknown ? keyof Rows : never
type Quoted<Row> = Row extends { readonly kind: 'not-shown' } ? NotShown : Requirement
type RowsOf<Quotes, Rows = Quotes[keyof Quotes]> = {
  readonly [Key in KeysOf<Rows>]: Quoted<Extract<Rows, Readonly<Record<Key, unknown>>>[Key]>
}

/**
 * The rows of a chapter below the quotes that they judge, in the order of the interface; those of standards follow:
 * `'The consentId.': at('Endpoints, …', { answerCarriesAConsentId: must('CON-01', { claim: '…' }) })`.
 */
export const statements = <const Quotes extends Readonly<Record<string, UnquotedRows>>>(
  quotes: Quotes,
): RowsOf<Quotes> =>
  Object.fromEntries(
    Object.entries(quotes).flatMap(([quote, rows]) =>
      Object.entries(rows).map(([key, one]) => [key, { ...one, quote }]),
    ),
  ) as RowsOf<Quotes>

/** The rows of one chapter: `export default chapterRows('tokens', { … })` ends each `requirements.ts`. */
export interface ChapterRows<
  Rows extends Readonly<Record<string, Requirement | NotShown>> = Readonly<
    Record<string, Requirement | NotShown>
  >,
> {
  readonly chapter: InterfaceChapter
  readonly rows: Rows
}

export interface OwnChapterRows {
  /** How reports call the chapter. */
  readonly title: string
  /** What it is about, in one sentence. */
  readonly about: string
  /** Begins each id: `ACME` for `ACME-01`. No chapter of the interface has it. */
  readonly prefix: string
  readonly rows: Readonly<Record<string, Requirement>>
}

/** `export default ownChapter({ … })` ends the `requirements.ts` of own checks (docs/own-checks.md). */
export const ownChapter = (chapter: OwnChapterRows): OwnChapterRows => chapter

export const chapterRows = <const Rows extends Readonly<Record<string, Requirement | NotShown>>>(
  chapter: InterfaceChapter,
  rows: Rows,
): ChapterRows<Rows> => {
  const ids = Object.values(rows).map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  if (twice !== undefined)
    throw new Error(`two requirements have the id ${twice}; the next free one is ${nextIdIn(ids)}`)
  return { chapter, rows }
}

/** The id after the highest one of a chapter, such as TOK-91. */
const nextIdIn = (ids: readonly string[]): string => {
  const numbers = ids.map((id) => Number(/^[A-Z]+-(\d+)$/.exec(id)?.[1] ?? 0))
  const [prefix = ''] = (ids[0] ?? '').split('-')
  return `${prefix}-${String(Math.max(...numbers) + 1).padStart(2, '0')}`
}
