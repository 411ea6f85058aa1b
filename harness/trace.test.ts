import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { execaNode } from 'execa'
import { expect, test } from 'vitest'
import { scratch } from './report/scratch.ts'
import { ROOT } from './modules.ts'
import { leadToSources } from './sources.mjs'

/** A program of two sources, translated as launch.mjs does it, that prints what it catches. */
const SOURCES = {
  'inner.ts': `
interface Nothing {
  readonly nothing: undefined
}

export const fail = (_: Nothing): never => {
  throw new TypeError('as it was meant to be')
}`,
  'outer.ts': `import { fail } from './inner.ts'

type Unused = string

try {
  fail({ nothing: undefined })
} catch (error) {
  console.log((error as Error).stack)
}
try {
  JSON.parse('{')
} catch (error) {
  console.log((error as Error).stack)
}
class Mute extends Error {
  override toString(): string {
    throw new Error('it says nothing')
  }
}
console.log(new Mute('unheard').stack)`,
}

const TRACE = pathToFileURL(join(ROOT, 'harness/trace.mjs')).href

/** @param nodeOptions what traces the program. */
const linesOf = async (nodeOptions: readonly string[] = ['--import', TRACE]): Promise<readonly string[]> => {
  const folder = scratch()
  mkdirSync(join(folder, 'written'))
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, 'written', name), text)
  await build({
    entryPoints: [join(folder, 'written', 'outer.ts')],
    outdir: join(folder, 'translated'),
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, format: 'esm', platform: 'node', sourcemap: 'linked', logLevel: 'error' },
  })
  const program = join(folder, 'translated', 'outer.mjs')
  const { stdout } = await execaNode(program, { nodeOptions })
  return leadToSources(stdout).replaceAll(folder, '~').split('\n')
}

test('a trace leads to the lines that somebody has written', async () => {
  const [head, first, second] = await linesOf()
  expect(head).toBe('TypeError: as it was meant to be')
  expect(first).toMatch(/^ {4}at fail \(~[/\\]written[/\\]inner\.ts:7:\d+\)$/)
  expect(second).toMatch(/^ {4}at (.* \()?~[/\\]written[/\\]outer\.ts:6:\d+\)?$/)
})

test('so does the text of a trace that nobody has led there', async () => {
  const [head, ...trace] = await linesOf([])
  const [ledHead, ...led] = await linesOf()
  expect(head).toBe(ledHead)
  expect(trace.slice(0, 2)).toEqual(led.slice(0, 2))
})

test('what a trace quotes of others is left as it is', () => {
  const addresses = ['file://bank.example/a.mjs:1:1', 'file:///a%2Fb.mjs:1:1', 'file:///nowhere.mjs:1:1']
  for (const address of addresses) expect(leadToSources(`quoted: ${address}`)).toBe(`quoted: ${address}`)
})

test('what has no source, or no text, is traced as far as it goes', async () => {
  const lines = await linesOf()
  const parsing = lines.findIndex((line) => line.startsWith('SyntaxError: '))
  expect(lines[parsing + 1]).toBe('    at JSON.parse (<anonymous>)')
  expect(lines[parsing + 2]).toMatch(/outer\.ts:11:/)
  expect(lines.slice(parsing).join('\n')).toMatch(/\nError\n {4}at .*outer\.ts:20:/)
})
