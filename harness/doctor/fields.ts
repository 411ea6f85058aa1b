/** Which fields an answer has. */

const MOST_KEYS = 30
const DEEPEST = 4

const keysOf = (json: unknown, path: string): readonly string[] => {
  if (typeof json !== 'object' || json === null || path.split('.').length > DEEPEST) return []
  if (Array.isArray(json)) return keysOf(json[0], `${path}[]`)
  return Object.entries(json).flatMap(([key, inner]) => {
    const here = path === '' ? key : `${path}.${key}`
    return [here, ...keysOf(inner, here)]
  })
}

/** The names of its fields, from the root, without their values. */
export const keysIn = (json: unknown): readonly string[] => keysOf(json, '').slice(0, MOST_KEYS)
