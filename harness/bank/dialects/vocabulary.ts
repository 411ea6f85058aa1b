/** All that a dialect is told in: tables, from the bank's own words to others. */
import type { Api } from '../base-paths.ts'
import type { OperationName, Places } from './addresses.ts'
import type { Place, Wording } from './wording.ts'

/** The bank's own name → the name here. */
export type Names = Readonly<Record<string, string>>

/** The parameters of a query or a form: the bank's own name → the name here, and its values in other words. */
export type Parameters = Readonly<Record<string, Place>>

/** How one operation is asked, and answers. What is left out is as the bank itself has it. */
export interface Speech {
  readonly query?: Parameters
  readonly form?: Parameters
  /** Parameters, of the query or the form, without which nothing is understood. */
  readonly marks?: Names
  readonly asks?: Wording
  readonly tells?: Wording
  /** The words of a refusal, where they are not those of all others. */
  readonly refuses?: Wording
  /** Members that stand in every answer that grants something, or in every refusal. */
  readonly adds?: Readonly<Record<'granted' | 'refused', Readonly<Record<string, unknown>>>>
  /** The bank's own status → the status here. */
  readonly statuses?: Readonly<Record<number, number>>
  /** Where the bank's own answer has the link to the next page, if it is sent in a header Link (RFC 8288). */
  readonly linksInHeader?: string
}

/** The pages that a person sees. */
export interface Markup {
  /** Names of form fields. */
  readonly fields: Names
  /** Own name of a form field → its values. */
  readonly values: Readonly<Record<string, Names>>
  /** Markup in the place of other markup. */
  readonly rewrites: readonly (readonly [RegExp, string])[]
}

export interface Vocabulary {
  readonly places: Places
  readonly headers: Readonly<Partial<Record<Api, Names>>>
  readonly operations: Readonly<Partial<Record<OperationName, Speech>>>
  readonly refusals: {
    readonly words: Wording
    /** A refusal of a dead token is 401 in every dialect. */
    readonly statuses: Readonly<Record<number, number>>
    readonly mediaType: string
  }
  readonly pages: Markup
  /** What the bank calls an application with. */
  readonly events: Wording
}
