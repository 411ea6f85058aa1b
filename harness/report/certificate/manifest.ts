import { lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import * as z from 'zod'
import { MOST_OF_A_RUN, readInputFile } from '../../evidence/input-file.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { sha256Of } from '../evidence-file.ts'
import { writeWhole } from '../output-folder.ts'

/** `manifest.json`: the digests of the files of a run that an auditor keeps. */

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
type ManifestFile = Manifest['files'][number]

const WRITTEN: ReadonlySet<string> = new Set(Object.values(OUTPUT))

/** Written after the digests are known, needed for resuming only, or the input of a page that has a digest itself. */
const EXCLUDED: readonly string[] = [OUTPUT.manifest, OUTPUT.certificate, OUTPUT.log, OUTPUT.allureResults]

/** The files in a folder of a run, with slashes. A link is a file without a digest: it is not followed. */
const filesIn = (outDir: string, entry: Dirent): readonly ManifestFile[] => {
  const path = relative(outDir, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
  if (entry.isDirectory())
    return readdirSync(join(outDir, path), { withFileTypes: true }).flatMap((one) => filesIn(outDir, one))
  if (!entry.isFile()) return [{ path, bytes: 0, sha256: '' }]
  const bytes = readFileSync(join(outDir, path))
  return [{ path, bytes: bytes.length, sha256: sha256Of(bytes) }]
}

const entriesIn = (outDir: string): readonly Dirent[] => readdirSync(outDir, { withFileTypes: true })

export const digestFolder = (outDir: string): readonly ManifestFile[] =>
  entriesIn(outDir)
    .filter(({ name }) => WRITTEN.has(name) && !EXCLUDED.includes(name))
    .flatMap((entry) => filesIn(outDir, entry))
    .sort((one, other) => (one.path < other.path ? -1 : 1))

/** What no run writes; a folder is one entry. */
const foreignIn = (outDir: string): readonly string[] =>
  entriesIn(outDir)
    .filter(({ name }) => !WRITTEN.has(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))

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
    return manifestSchema.parse(JSON.parse(readInputFile(file, MOST_OF_A_RUN)))
  } catch {
    return undefined
  }
}

export const isAsListed = (outDir: string): boolean => {
  const manifest = readManifest(outDir)
  return manifest !== undefined && differencesFrom(outDir, manifest.files, OUTPUT.manifest).length === 0
}

const differencesFrom = (
  outDir: string,
  listed: readonly Pick<ManifestFile, 'path' | 'sha256'>[],
  list: string,
): readonly string[] => {
  const found = digestFolder(outDir)
  const before = new Set(listed.map(({ path }) => path))
  const now = new Map(found.map(({ path, sha256 }) => [path, sha256]))
  return [
    ...listed.flatMap(({ path, sha256 }) => {
      if (!now.has(path)) return [`${path} is missing: ${list} lists it`]
      return now.get(path) === sha256 ? [] : [`${path} was changed: its digest is another one in ${list}`]
    }),
    ...found
      .filter(({ path }) => !before.has(path))
      .map(({ path }) => `${path} was added: ${list} does not list it`),
  ]
}

/** What was changed in a folder since its files were listed, one sentence each. @param list the name of the list. */
export const changesSince = (
  outDir: string,
  listed: readonly Pick<ManifestFile, 'path' | 'sha256'>[],
  list: string,
): readonly string[] => [
  ...differencesFrom(outDir, listed, list),
  ...foreignIn(outDir).map((path) => `${path} was added: no run writes it, and ${list} does not list it`),
]
