import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import * as z from 'zod'
import { OUTPUT } from '../../evidence/output.ts'
import { writeWhole } from '../output-folder.ts'

/** `manifest.json`: the digests of all files of a run. */

const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** In the order of their paths. */
  files: z.array(
    z.strictObject({
      /** Relative to the folder of the run, with slashes. */
      path: z.string(),
      bytes: z.int().min(0),
      /** In hex. */
      sha256: z.string(),
    }),
  ),
})

export type Manifest = z.output<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]

/** They are written after the digests are known. */
const EXCLUDED: ReadonlySet<string> = new Set([OUTPUT.manifest, OUTPUT.certificate])

/** Only what a run writes: a folder may also hold files of its owner. */
const WRITTEN: ReadonlySet<string> = new Set(Object.values(OUTPUT))

const isOutput = (path: string): boolean =>
  WRITTEN.has(path.split('/', 1)[0] ?? '') && !EXCLUDED.has(path) && !path.endsWith('.draft')

/** The files of a folder as they are now. */
export const digestFolder = (outDir: string): readonly ManifestFile[] =>
  readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter(isOutput)
    .sort()
    .map((path) => {
      const bytes = readFileSync(join(outDir, path))
      return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    })

export const writeManifest = (outDir: string): Manifest => {
  const manifest: Manifest = { format: 1, files: [...digestFolder(outDir)] }
  writeWhole(join(outDir, OUTPUT.manifest), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** Undefined if there is no manifest that can be read. */
export const readManifest = (outDir: string): Manifest | undefined => {
  const file = join(outDir, OUTPUT.manifest)
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Whether a folder has exactly the files of its manifest. */
export const isAsListed = (outDir: string): boolean => {
  const manifest = readManifest(outDir)
  return (
    manifest !== undefined &&
    differencesFrom(manifest.files, digestFolder(outDir), OUTPUT.manifest).length === 0
  )
}

/** What differs between listed files and those of a folder, one sentence each. @param list the name of the list. */
export const differencesFrom = (
  listed: readonly ManifestFile[],
  found: readonly ManifestFile[],
  list: string,
): readonly string[] => {
  const before = new Map(listed.map((file) => [file.path, file]))
  const now = new Map(found.map((file) => [file.path, file]))
  return [
    ...listed.flatMap(({ path, sha256 }) => {
      const file = now.get(path)
      if (file === undefined) return [`${path} is missing: ${list} lists it`]
      return file.sha256 === sha256 ? [] : [`${path} was changed: its digest is another one in ${list}`]
    }),
    ...found
      .filter(({ path }) => !before.has(path))
      .map(({ path }) => `${path} was added: ${list} does not list it`),
  ]
}
