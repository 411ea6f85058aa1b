/**
 * The headers of plain messages: they behave like the platform's, and are cheap to copy, since hundreds of banks are
 * handed the same ones.
 */

export const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** What a header cannot carry: a line's end, a zero, and what is no byte. */
const UNSENDABLE = /[\0\r\n\u0100-\uffff]/
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g

/** The names of headers are few: each is read once. */
const names = new Map<string, string>()

const nameOf = (name: string): string => {
  const known = names.get(name)
  if (known !== undefined) return known
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a header`)
  const field = name.toLowerCase()
  names.set(name, field)
  return field
}

/** As good as always a value is printable, and has nothing around it. */
const PLAIN_VALUE = /^[!-~](?:[ -~]*[!-~])?$/

const valueOf = (value: string): string => {
  if (PLAIN_VALUE.test(value)) return value
  const trimmed = value.replace(EDGES, '')
  if (UNSENDABLE.test(trimmed)) throw new TypeError(`${JSON.stringify(trimmed)} is no value of a header`)
  return trimmed
}

const REPEATED = 'set-cookie'

/** What headers are made of; those of the platform are made of the same. */
export type Fields = ConstructorParameters<typeof Headers>[0]

type Field = Readonly<[name: string, value: string]>

/** What headers hold, and their copies as long as nobody changes them. */
interface Held {
  readonly fields: Map<string, readonly string[]>
  /** The fields as they are listed, once somebody has listed them. */
  listed?: readonly Field[] | undefined
  /** Whether a field stands several times. */
  isRepeating?: boolean
}

const isRepeated = ([name, { length }]: readonly [string, readonly string[]]): boolean =>
  length > 1 && name !== REPEATED

const joined = (name: string, values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : values.join(name === 'cookie' ? '; ' : ', ')

export class PlainHeaders {
  #held: Held = { fields: new Map() }
  /** Whoever changes what others hold as well has it for itself from then on. */
  #isShared = false

  constructor(init: Fields | PlainHeaders = []) {
    if (init instanceof PlainHeaders) {
      this.#copy(init)
      return
    }
    const fields = Symbol.iterator in init ? init : Object.entries(init)
    for (const [name, value] of fields as Iterable<[string, string]>) this.append(name, value)
  }

  /** A field that stands several times stands once in a copy, but for cookies that are set. */
  #copy(given: PlainHeaders): void {
    this.#held = given.#held
    this.#isShared = given.#isShared = true
    if (given.#held.isRepeating !== true) return
    for (const field of given.#held.fields)
      if (isRepeated(field)) this.set(field[0], given.get(field[0]) ?? '')
  }

  /** Whether nobody has changed either of them since one was a copy of the other. */
  isStill(other: unknown): boolean {
    return other instanceof PlainHeaders && this.#held === other.#held
  }

  /** The fields, to be changed. */
  #own(): Held['fields'] {
    if (this.#isShared) this.#held = { ...this.#held, fields: new Map(this.#held.fields) }
    this.#isShared = false
    this.#held.listed = undefined
    return this.#held.fields
  }

  append(name: string, value: string): void {
    const field = nameOf(name)
    const text = valueOf(value)
    const fields = this.#own()
    const before = fields.get(field)
    if (before !== undefined) this.#held.isRepeating = true
    fields.set(field, before === undefined ? [text] : [...before, text])
  }

  set(name: string, value: string): void {
    const field = nameOf(name)
    const text = valueOf(value)
    this.#own().set(field, [text])
  }

  delete(name: string): void {
    const field = nameOf(name)
    this.#own().delete(field)
  }

  has(name: string): boolean {
    return this.#held.fields.has(nameOf(name))
  }

  get(name: string): string | null {
    const field = nameOf(name)
    const values = this.#held.fields.get(field)
    return values === undefined ? null : joined(field, values)
  }

  getSetCookie(): string[] {
    return [...(this.#held.fields.get(REPEATED) ?? [])]
  }

  /** By name; a cookie that is set stands alone. */
  #listed(): readonly Field[] {
    return (this.#held.listed ??= this.#list())
  }

  #list(): readonly Field[] {
    const list: Field[] = []
    for (const name of [...this.#held.fields.keys()].sort()) {
      const values = this.#held.fields.get(name) ?? []
      if (name === REPEATED) for (const cookie of values) list.push([name, cookie])
      else list.push([name, joined(name, values)])
    }
    return list
  }

  entries(): IterableIterator<Field> {
    return this.#listed().values()
  }

  keys(): IterableIterator<string> {
    return this.#listed()
      .map(([name]) => name)
      .values()
  }

  values(): IterableIterator<string> {
    return this.#listed()
      .map(([, value]) => value)
      .values()
  }

  forEach(tell: (value: string, name: string, headers: this) => void): void {
    for (const [name, value] of this.#listed()) tell(value, name, this)
  }

  [Symbol.iterator](): IterableIterator<Field> {
    return this.entries()
  }
}
