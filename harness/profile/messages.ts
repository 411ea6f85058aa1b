import type * as z from 'zod'
import { nodesAt, valueAt, type SchemaNode } from './json-schema.ts'
import { nearest } from './nearest.ts'
import { secretKindAt, showKind, showPath, showValue, type Path } from './secrets.ts'

type Issue = z.core.$ZodIssue

/** The issues of the schema as sentences for the author of the profile. They contain no secret of the input. */
export const describeIssues = (issues: readonly Issue[], input: unknown): readonly string[] =>
  issues.flatMap(ofItsForm).flatMap((issue) => describe(issue, input))

/** Where a value or a list of values may stand, the issues of the form that the author has written. */
const ofItsForm = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union') return [issue]
  const isOtherForm = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0
  const [written] = issue.errors.filter((found) => !found.some(isOtherForm))
  return written === undefined
    ? [issue]
    : written.flatMap((inner) => ofItsForm({ ...inner, path: [...issue.path, ...inner.path] }))
}

const describe = (issue: Issue, input: unknown): readonly string[] => {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, input))
  const value = valueAt(input, path)
  if (path.length === 0) return [`a profile is an object of keys and values; received ${showKind(value)}`]
  if (isMisplacedReference(value, path)) return []
  return [`\`${showPath(path)}\`${isAbsent(value) ? absent(value, path, input) : wrong(issue, value, input)}`]
}

/** Already reported when the environment was read. */
const isMisplacedReference = (value: unknown, path: Path): boolean =>
  typeof value === 'string' && value.startsWith('env:') && secretKindAt(path) === undefined

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const absent = (value: unknown, path: Path, input: unknown): string => {
  const what =
    value === undefined
      ? 'is missing'
      : value === null
        ? 'has no value (in YAML, a value that begins with # needs quotes)'
        : 'is empty'
  const example = exampleAt(path, input)
  const advice = `write for instance \`${showPath(path.slice(-1))}: ${JSON.stringify(example)}\``
  return example === undefined ? ` ${what}` : ` ${what}; ${advice}`
}

const wrong = (issue: Issue, value: unknown, input: unknown): string => {
  if (issue.code === 'custom') return `: ${issue.message}`
  if (issue.code === 'invalid_key')
    return ` is a wrong key: ${issue.issues.map(({ message }) => message).join()}`
  return `: ${expected(issue, input)}; received ${received(value, issue.path, input)}${hint(issue, value, input)}`
}

/** Whether a key is unknown to the schema, or below an unknown one. */
export const isUnknownIn = (issues: readonly Issue[], key: string): boolean =>
  issues
    .flatMap(ofItsForm)
    .some(
      (issue) =>
        issue.code === 'unrecognized_keys' &&
        issue.keys.some((name) => `${key}.`.startsWith(`${showPath([...issue.path, name])}.`)),
    )

const unknownKey = (key: string, path: Path, input: unknown): string => {
  // If the space after a colon is missing, a secret is part of its key.
  const shown = key.replace(/[^\w.-].*$/s, '…')
  const where = `unknown key \`${showPath([...path, shown])}\``
  const known = nodesAt(path, input).flatMap((node) => Object.keys(node.properties ?? {}))
  const open = known.filter((name) => valueAt(input, [...path, name]) === undefined)
  const near = nearest(shown, open) ?? nearest(shown, known)
  if (near !== undefined) return `${where}; did you mean \`${near}\`?`
  return `${where}; take it out (known here: ${[...new Set(known)].join(', ')})`
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of keys and values',
  record: 'an object of keys and values',
}

const expected = (issue: Issue, input: unknown): string => {
  const words = choices(issue.path, input)
  if (words.length > 0) return `expected ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${KINDS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `expected at least ${issue.minimum}`
    case 'too_big':
      return `expected at most ${issue.maximum}`
    case 'invalid_format':
      return issue.format === 'url'
        ? `expected a URL such as ${JSON.stringify(exampleAt(issue.path, input))}`
        : issue.message
    default:
      return issue.message
  }
}

/** The permitted words at a path, if only some are permitted. */
const choices = (path: Path, input: unknown): readonly string[] =>
  nodesAt(path, input).flatMap((node) =>
    [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])].map(String),
  )

/** A value is shown only at a path that cannot have a secret, and that has a single value. */
const received = (value: unknown, path: Path, input: unknown): string => {
  if (secretKindAt(path) !== undefined) return `${showKind(value)} (not shown)`
  const nodes = nodesAt(path, input)
  return nodes.length > 0 && nodes.every(isSingle) ? showValue(value) : showKind(value)
}

const isSingle = (node: SchemaNode): boolean =>
  node.properties === undefined && node.items === undefined && typeof node.additionalProperties !== 'object'

const hint = (issue: Issue, value: unknown, input: unknown): string => {
  if (typeof value === 'number' && issue.code === 'invalid_type' && issue.expected === 'string') {
    return '; put it between quotes'
  }
  const near = typeof value === 'string' ? nearest(value, choices(issue.path, input)) : undefined
  return near === undefined ? '' : `; did you mean ${near}?`
}

const exampleAt = (path: Path, input: unknown): unknown => {
  const node = nodesAt(path, input)[0]
  return node?.examples?.[0] ?? node?.const ?? node?.enum?.[0]
}
