import { Document, isMap, isScalar, isSeq, visit } from 'yaml'
import { REMARKS } from './remarks.ts'
import type { Pair } from 'yaml'

type Values = Readonly<Record<string, unknown>>

/** One part of a written profile. */
export interface Section {
  /** Sentences above it. */
  readonly prose: readonly string[]
  readonly values?: Values
  /** Left at their defaults, and shown for whoever has to change them. Below a key of `values`, it stands there too. */
  readonly defaults?: Values
}

/** A sentence has a blank behind its `#`, a default has none: without its `#` it is YAML, and changes nothing. */
export const renderSection = ({ prose, values = {}, defaults = {} }: Section): string => {
  const said = Object.keys(values)
  const left = Object.entries(defaults).flatMap(([key, value]) =>
    // The key itself stands above already.
    linesOf({ [key]: value }).slice(said.includes(key) ? 1 : 0),
  )
  const lines = [
    ...prose.map((sentence) => `# ${sentence}`),
    ...(said.length === 0 ? [] : linesOf(values)),
    ...left.map((line) => `#${line}`),
  ]
  return `${lines.join('\n')}\n`
}

const linesOf = (values: Values): readonly string[] => {
  const document = new Document(values, { aliasDuplicateObjects: false })
  visit(document, {
    Pair: (_, pair, ancestors) => {
      if (isSeq(pair.value) && pair.value.items.every(isScalar)) pair.value.flow = true
      const remark = remarkAt([...keysOf(ancestors), keyOf(pair)])
      if (remark !== undefined && isSingle(pair.value)) pair.value.comment = ` ${remark}`
    },
  })
  return document
    .toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false })
    .trimEnd()
    .split('\n')
}

const isSingle = (value: unknown): value is { comment?: string | null } =>
  isScalar(value) || (isSeq(value) && value.flow === true) || (isMap(value) && value.items.length === 0)

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '')

/** An item of a list stands below no key of its own. */
const keysOf = (ancestors: readonly unknown[]): readonly string[] =>
  ancestors.flatMap((node) => {
    if (isSeq(node)) return ['*']
    return isPairOf(node) ? [keyOf(node)] : []
  })

const isPairOf = (node: unknown): node is Pair =>
  typeof node === 'object' && node !== null && 'key' in node && 'value' in node

const remarkAt = (path: readonly string[]): string | undefined => REMARKS[path.join('.')]
