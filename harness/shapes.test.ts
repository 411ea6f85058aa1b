import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ROOT } from './modules.ts'
import { inKnownShapes } from './shapes.mjs'

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))

const NOTHING = '...null, '
const SOURCES = [...sourcesIn('harness'), ...sourcesIn('specs')]

/** What the first spread of each object literal spreads, where the literal begins with one. */
const firstSpreads = (source: string): readonly string[] => {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const [first] = node.properties
      if (first !== undefined && ts.isSpreadAssignment(first)) found.push(first.expression.getText())
    }
    ts.forEachChild(node, look)
  }
  look(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true))
  return found
}

const filesWhere = (isWrong: (source: string, translated: string) => boolean): readonly string[] =>
  SOURCES.filter((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    return isWrong(source, inKnownShapes(source))
  })

test('no object begins with a spread of something, once it is translated', () => {
  expect(
    filesWhere((_, translated) => firstSpreads(translated).some((text) => text !== 'null')),
    'harness/shapes.mjs misses an object of these files',
  ).toEqual([])
})

test('nothing else becomes another, and no line moves', () => {
  const others = filesWhere(
    (source, translated) =>
      translated.replaceAll(NOTHING, '') !== source ||
      translated.split(NOTHING).length !== firstSpreads(source).length + 1,
  )
  expect(others, 'harness/shapes.mjs takes something of these files for an object').toEqual([])
})
