import { DomUtils, parseDocument } from 'htmlparser2'
import { isJsonText, isObject, isObjectOrList, parseJson } from '../json.ts'
import { headerOf, type SentRequest } from '../exchange.ts'

/**
 * The content of a webhook call as JSON, whatever its encoding, which the interface does not show: JSON, a form, a form with
 * JSON in a field, XML, or the query of its address.
 */
export const contentOf = ({ url, headers, body }: SentRequest): unknown => {
  const { text = '' } = body ?? {}
  const type = headerOf(headers, 'content-type') ?? ''
  if (text.trim() === '') {
    const query = ofForm(new URL(url).searchParams)
    return Object.keys(query).length > 0 ? query : parseJson(text)
  }
  if (isJsonText(text)) return parseJson(text)
  if (/^\s*application\/x-www-form-urlencoded/i.test(type)) return ofForm(new URLSearchParams(text))
  return text.trimStart().startsWith('<') && !/html/i.test(type) ? ofXml(text) : parseJson(text)
}

/** Values that are lists or objects, by the keys of what they are in. */
type Tree = Map<string, Tree | unknown[]>

/** `accounts[0][accountId]`, `accounts.0.accountId`, `accounts[]`, or `accounts` several times; a value may be JSON. */
const ofForm = (parameters: URLSearchParams): Record<string, unknown> => {
  const root: Tree = new Map()
  for (const [name, value] of parameters) {
    const keys = name
      .replaceAll(/[[\]]+/g, '.')
      .split('.')
      .filter((key) => key !== '')
    if (value !== '' && keys.length > 0) place(root, keys, value)
  }
  const whole = plain(root)
  return isObject(whole) ? listed(whole) : {}
}

const place = (tree: Tree, [key = '', ...deeper]: readonly string[], value: string): void => {
  const known = tree.get(key)
  if (deeper.length > 0) {
    const inner: Tree = known instanceof Map ? known : new Map<string, Tree | unknown[]>()
    tree.set(key, inner)
    place(inner, deeper, value)
  } else tree.set(key, [...(Array.isArray(known) ? known : []), ofField(value)])
}

const ofField = (value: string): unknown =>
  /^\s*[{[]/.test(value) && isJsonText(value) ? parseJson(value) : value

const plain = (value: Tree | readonly unknown[]): unknown => {
  if (!(value instanceof Map)) return value.length === 1 ? value[0] : value
  const members = [...value].map(([key, inner]) => [key, plain(inner)] as const)
  return members.every(([key]) => /^\d+$/.test(key))
    ? members.map(([, inner]) => inner)
    : Object.fromEntries(members)
}

/** The element as JSON: a text, or its attributes and elements; what occurs several times is a list. */
const ofXml = (text: string): unknown => ofElement(parseDocument(text, { xmlMode: true }))

type Node = ReturnType<typeof parseDocument>['children'][number]
type Inner = { readonly children: readonly Node[]; readonly attribs?: Readonly<Record<string, string>> }

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

const ofElement = ({ children, attribs = {} }: Inner): unknown => {
  const elements = children.filter((child) => 'attribs' in child)
  const members = new Map<string, unknown[]>()
  const add = (name: string, value: unknown): void =>
    void members.set(withoutPrefix(name), [...(members.get(withoutPrefix(name)) ?? []), value])
  for (const [name, value] of Object.entries(attribs)) if (!/^(xmlns|xsi)\b/.test(name)) add(name, value)
  for (const element of elements) add(element.name, ofElement(element))
  if (members.size === 0)
    return children
      .map((child) => (DomUtils.isComment(child) || !('data' in child) ? '' : child.data))
      .join('')
      .trim()
  const given = [...members].filter(([name, [value]]) => value !== '' || name === ACCOUNTS)
  return listed(
    Object.fromEntries(given.map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  )
}

const ACCOUNTS = 'accounts'

/** The accounts as a list of objects: one alone, those within an element, or ids alone. A form or XML has no empty list. */
const listed = (members: Record<string, unknown>): Record<string, unknown> =>
  ACCOUNTS in members || 'consentId' in members
    ? { ...members, [ACCOUNTS]: itemsIn(members[ACCOUNTS] ?? '').map(asAccount) }
    : members

const itemsIn = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value as readonly unknown[]
  if (value === '') return []
  const [only, ...more] = isObject(value) ? Object.values(value) : []
  return more.length === 0 && isObjectOrList(only) ? itemsIn(only) : [value]
}

const asAccount = (item: unknown): unknown => (typeof item === 'string' ? { accountId: item } : item)
