import { anywhere, fieldOf } from '../session/answer.ts'
import { repeatedNames } from '../session/repeated-names.ts'
import type { HeaderFields } from '../evidence/exchange.ts'
import type { Subject } from './subject.ts'

export interface BodySource {
  /** A value of the body as something to judge; the verdict rests on its exchange. */
  readonly subject: (name: string, value: unknown) => Subject
  /** The JSON of the body. @throws Inconclusive where it is none. */
  readonly json: () => unknown
  readonly text: () => string
  readonly isJson: () => boolean
}

/** What a judge sees of a body, whoever sent it. */
export class ObservedBody {
  readonly #source: BodySource

  constructor(source: BodySource) {
    this.#source = source
  }

  get text(): Subject {
    return this.#source.subject('body', this.#source.text())
  }

  /** The JSON value under a dotted path from the root. @throws Inconclusive where the body is no JSON. */
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
   * The JSON type of a field: `string`, `number`, `boolean`, `object`, `array`, `null`, or `nothing` where there is
   * no such field; without a path that of the whole body, or `text` where it is no JSON. For what may be a secret.
   */
  kind(path?: string): Subject {
    const { subject, isJson, json } = this.#source
    return path === undefined
      ? subject('body', isJson() ? kindOf(json()) : 'text')
      : subject(`the type of ${path}`, kindOf(fieldOf(json(), path)))
  }

  /** The names that stand in the object of the answer more than once, joined by commas; nothing where none does. */
  get repeated(): Subject {
    this.#source.json()
    const names = repeatedNames(this.#source.text()).join(', ')
    return this.#source.subject('names given twice', names || undefined)
  }

  /** Which fields there are, and of which types: never a value. For notes on what the interface does not show. */
  get shape(): string {
    return shapeOf(this.#source.json())
  }
}

/** The JSON type of a value; `nothing` where there is none. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** `{account: {iban: string}, amounts: [number]}`: an array by its first item, which stands for the others. */
const shapeOf = (json: unknown): string => {
  if (Array.isArray(json)) return json.length === 0 ? '[]' : `[${shapeOf(json[0])}]`
  if (typeof json !== 'object' || json === null) return json === null ? 'null' : typeof json
  return `{${Object.entries(json)
    .map(([name, value]) => `${name}: ${shapeOf(value)}`)
    .join(', ')}}`
}

/** The values of a header that may stand more than once, as one list. */
export const combined = (headers: HeaderFields, name: string): string | undefined => {
  const values = headers.filter(([field]) => field.toLowerCase() === name.toLowerCase())
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ')
}
