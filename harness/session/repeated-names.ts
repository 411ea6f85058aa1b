const PIECE = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]/g

/** The names of an object that stand in it more than once, which JSON.parse hides; inner objects are not looked at. */
export const repeatedNames = (json: string): readonly string[] => {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [piece, quoted = '', colon] of json.matchAll(PIECE)) {
    if (piece === '{') depth += 1
    if (piece === '}') depth -= 1
    if (colon === undefined || depth !== 1) continue
    const name = JSON.parse(`"${quoted}"`) as string
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return [...repeated]
}
