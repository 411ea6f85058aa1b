import type { Api } from '../base-paths.ts'
import type { OperationName, Places } from './addresses.ts'
import type { Place, FieldMap } from './json.ts'

/** The tables of a dialect, which map the names and values of the bank to others. */

/** The bank's name → the name in the dialect. */
export type Names = Readonly<Record<string, string>>

/** The parameters of a query or form: the bank's name → the name and the values in the dialect. */
export type Parameters = Readonly<Record<string, Place>>

/** Requests and responses of one operation. Names without an entry are not translated. */
export interface OperationFormat {
  readonly query?: Parameters
  readonly form?: Parameters
  /** Required parameters of the query or form. */
  readonly marks?: Names
  readonly request?: FieldMap
  readonly response?: FieldMap
  /** The fields of a refusal, where it differs from that of the other operations. */
  readonly refusal?: FieldMap
  /** Members that every success answer has, or every refusal. */
  readonly adds?: Readonly<Record<'granted' | 'refused', Readonly<Record<string, unknown>>>>
  /** The bank's status → the status in the dialect. */
  readonly statuses?: Readonly<Record<number, number>>
  /** The place of the link to the next page in the bank's answer, if the dialect sends it in a header Link (RFC 8288). */
  readonly linksInHeader?: string
}

/** The pages for the customer. */
export interface Markup {
  readonly fields: Names
  /** The bank's name of a form field → its values. */
  readonly values: Readonly<Record<string, Names>>
  /** Replacements of markup. */
  readonly rewrites: readonly (readonly [RegExp, string])[]
}

export interface Vocabulary {
  readonly places: Places
  readonly headers: Readonly<Partial<Record<Api, Names>>>
  readonly operations: Readonly<Partial<Record<OperationName, OperationFormat>>>
  readonly refusals: {
    readonly words: FieldMap
    /** The refusal of an invalid token is 401 in every dialect. */
    readonly statuses: Readonly<Record<number, number>>
    readonly mediaType: string
  }
  readonly pages: Markup
  readonly events: FieldMap
}
