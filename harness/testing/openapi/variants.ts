/** Variants of a JSON body: one member is left out, or has another value. */

/** Values at and beyond the usual limits of types, lengths, amounts and patterns. */
const VALUES: readonly unknown[] = [
  null,
  true,
  {},
  [],
  [{}],
  '',
  ' ',
  'x',
  'EUR',
  'eur',
  '2026-01-07',
  '2026-01-05T09:00:00Z',
  '2026-01-05T10:00:00.000+01:00',
  'line\nbreak',
  ...[35, 64, 70, 140].flatMap((length) => ['x'.repeat(length), 'x'.repeat(length + 1)]),
  ...[-1, 0, 0.01, 0.5, 1, 1.005, 9, 10, 100, 101, 250, 1e12, 1e12 + 1],
]

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const withMember = (
  container: Readonly<Record<string, unknown>>,
  name: string,
  member: unknown,
): Readonly<Record<string, unknown>> =>
  // The copy of a list stays a list.
  Object.assign(Array.isArray(container) ? [] : {}, container, { [name]: member })

export const variantsOf = (body: Readonly<Record<string, unknown>>): readonly unknown[] => [
  body,
  ...Object.entries(body).flatMap(([name, member]) => {
    const inner = isContainer(member) ? variantsOf(member) : []
    const isItem = Array.isArray(body)
    // JSON has no place for an item that is left out.
    const others = isItem ? VALUES : [undefined, ...VALUES]
    return [...inner, ...others].map((other) => withMember(body, name, other))
  }),
]
