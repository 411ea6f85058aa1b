import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from '../plan/root.ts'

/**
 * `npm run sizes`: the lines of the project, by kind. Text is a cost: it fails where a kind has grown by more than 2 %
 * over the recorded sizes; `--record` records the sizes of today.
 */

const KINDS = ['product', 'tests', 'test support', 'YAML'] as const
type Kind = (typeof KINDS)[number]

const RECORDED = join(ROOT, 'harness', 'testing', 'sizes.json')
const MOST_GROWTH = 1.02

const kindOf = (path: string): Kind | undefined => {
  if (path.startsWith('harness/') && path.endsWith('.yaml')) return 'YAML'
  if (!path.endsWith('.ts')) return undefined
  if (path.endsWith('.test.ts')) return 'tests'
  return path.startsWith('harness/testing/') ? 'test support' : 'product'
}

const linesOf = (path: string): number => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1

const sizes: Record<Kind, number> = { product: 0, tests: 0, 'test support': 0, YAML: 0 }
for (const folder of ['harness', 'specs'])
  for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    const path = `${folder}/${file}`
    const kind = kindOf(path)
    if (kind !== undefined) sizes[kind] += linesOf(path)
  }

const recorded = z.record(z.enum(KINDS), z.int()).parse(JSON.parse(readFileSync(RECORDED, 'utf8')))
const grown = KINDS.filter((kind) => sizes[kind] > recorded[kind] * MOST_GROWTH)
for (const kind of KINDS)
  console.log(`${kind.padEnd(14)} ${String(sizes[kind]).padStart(7)} lines; recorded ${recorded[kind]}`)
if (process.argv.includes('--record')) writeFileSync(RECORDED, `${JSON.stringify(sizes, null, 2)}\n`)
else if (grown.length > 0) {
  console.log(
    `Grown by more than 2 %: ${grown.join(', ')}. Remove what the change replaces, or run \`npm run sizes -- --record\` and say in the commit what a user gains.`,
  )
  process.exitCode = 1
}
