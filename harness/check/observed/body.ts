import { anywhere, fieldOf } from '../../evidence/record/answer.ts'
import { jsonTypeOf } from '../facts.ts'
import type { HeaderFields } from '../../evidence/exchange.ts'
import type { Subject } from '../verdict.ts'

export interface BodySource {
  /** Makes a subject of a value of the body. The verdict rests on its exchange. */
  readonly subject: (name: string, value: unknown) => Subject
  /** The JSON of the body. @throws Inconclusive if the body is not JSON. */
  readonly json: () => unknown
  readonly text: () => string
  readonly isJson: () => boolean
}

/** What a judge sees of a body: of an answer, or of a webhook call. */
export class ObservedBody {
  readonly #source: BodySource

  constructor(source: BodySource) {
    this.#source = source
  }

  get text(): Subject {
    return this.#source.subject('body', this.#source.text())
  }

  /** The JSON value under a dotted path from the root. @throws Inconclusive if the body is not JSON. */
  field(path: string): Subject {
    return this.#source.subject(path, fieldOf(this.#source.json(), path))
  }

  /** The first value under that key at any depth: for a documented name whose place is not shown. */
  anywhere(key: string): Subject {
    return this.#source.subject(key, anywhere(this.#source.json(), key)[0])
  }

  /** Every value under that key, at any depth. */
  everywhere(key: string): readonly unknown[] {
    return anywhere(this.#source.json(), key)
  }

  /**
   * The JSON type of a field: `string`, `number`, `boolean`, `object`, `array`, `null`, or `nothing` if there is no such
   * field. Without a path: the type of the whole body, or `text` if it is not JSON. For values that may be secret.
   */
  kind(path?: string): Subject {
    const { subject, isJson, json } = this.#source
    return path === undefined
      ? subject('body', isJson() ? kindOf(json()) : 'text')
      : subject(`the type of ${path}`, kindOf(fieldOf(json(), path)))
  }

  /** The names that the object of the answer has more than once, joined by commas; undefined if none. */
  get repeated(): Subject {
    this.#source.json()
    const names = repeatedNames(this.#source.text()).join(', ')
    return this.#source.subject('names given twice', names || undefined)
  }

  /** The fields and their types, without values. For notes on what the interface does not show. */
  get shape(): string {
    return shapeOf(this.#source.json())
  }
}

/** The JSON type of a value; `nothing` for undefined. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return jsonTypeOf(value)
  return Array.isArray(value) ? 'array' : typeof value
}

/** `{account: {iban: string}, amounts: [number]}`: an array is described by its first item. */
const shapeOf = (json: unknown): string => {
  if (Array.isArray(json)) return json.length === 0 ? '[]' : `[${shapeOf(json[0])}]`
  if (typeof json !== 'object' || json === null) return kindOf(json)
  return `{${Object.entries(json)
    .map(([name, value]) => `${name}: ${shapeOf(value)}`)
    .join(', ')}}`
}

/** The values of a repeated header as one list. */
export const combined = (headers: HeaderFields, name: string): string | undefined => {
  const values = headers.filter(([field]) => field.toLowerCase() === name.toLowerCase())
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ')
}

const STRING_OR_BRACE = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]/g

/** The names that a JSON object has more than once, which JSON.parse hides. Inner objects are not searched. */
export const repeatedNames = (json: string): readonly string[] => {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [token, quoted = '', colon] of json.matchAll(STRING_OR_BRACE)) {
    if (token === '{') depth += 1
    if (token === '}') depth -= 1
    if (colon === undefined || depth !== 1) continue
    const name = JSON.parse(`"${quoted}"`) as string
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return [...repeated]
}
