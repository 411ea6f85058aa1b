/** The words that several files of variations share. */
import { alter, type FactsOf } from '../changes/alter.ts'
import { rewrite, type Answer, type Incoming, type Members } from '../changes/answer.ts'
import { randomBytes, randomInt } from '../random.ts'
import type { Change } from '../changes/change.ts'
import type { RefusalWord } from '../rules/refusal-rules.ts'

export const hasJson = ({ headers, text }: Answer): boolean =>
  text !== '' && (headers.get('content-type') ?? '').startsWith('application/json')

/** Applies a change to every object of a JSON value, from the inside out. */
export const changeObjects = (value: unknown, change: (members: Members) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => changeObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, changeObjects(member, change)] as const,
  )
  return change(Object.fromEntries(members))
}

/** Changes the text of every JSON body. */
export const rewriteJson = (change: (text: string) => string): Change<Incoming> =>
  rewrite((sent) => (hasJson(sent) ? { text: change(sent.text) } : undefined))

/** Changes every object of every JSON body. */
export const rewriteObjects = (change: (members: Members) => unknown): Change<Incoming> =>
  rewriteJson((text) => JSON.stringify(changeObjects(JSON.parse(text), change)))

export const withFurtherMembers = (members: Members): Members => ({
  'x-node': 'b7',
  ...members,
  meta: { self: '/', tags: [{ rank: 1 }] },
  revision: 3,
  note: null,
})

/** The header with the address of what was created. */
export const inLocation = (path: string, id: string): Readonly<Record<string, string>> => ({
  location: `${path}/${encodeURIComponent(id)}`,
})

export const reversed = (members: Members): Members => Object.fromEntries(Object.entries(members).reverse())

/** JSON with escapes for every slash and every letter beyond ASCII. */
export const escapedJson = (json: string): string =>
  json
    .replaceAll('/', '\\/')
    .replace(/[^ -~\r\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Text for an element of a page or for an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Other statuses of refusals, by their reasons. */
export const refusalStatuses = (
  statuses: Readonly<Partial<Record<RefusalWord, number>>>,
): Change<FactsOf<'refusalStatus'>> =>
  alter({ refusalStatus: (usual, { error }) => statuses[error] ?? usual })

/** The list from another place on, as a circle. */
export const shifted = <Item>(items: readonly Item[], by: number): readonly Item[] => {
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}

const base64url = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** The form of a signed token, with so many bytes of claims. */
export const jwtLike = (bytes: number): string => `eyJhbGciOiJFUzI1NiJ9.${base64url(bytes)}.${base64url(64)}`

export const sixteenDigits = (first: number): string =>
  `${first}${String(randomInt(2 ** 47)).padStart(15, '0')}`
