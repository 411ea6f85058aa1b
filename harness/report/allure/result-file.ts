import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ALLURE_HTTP_EXCHANGE_CONTENT_TYPE } from 'allure-js-commons/http'
import { SVG } from '../drawing/svg.ts'
import type { AllureStore, ResultFile } from '@allurereport/plugin-api'

interface Content {
  readonly bytes: () => Buffer
  readonly json: () => unknown
}

const read = (bytes: Buffer): Content => ({
  bytes: () => bytes,
  json: () => JSON.parse(bytes.toString('utf8')) as unknown,
})

/** What has been read as JSON already is handed on as it is. */
const parsed = (json: unknown): Content => ({
  bytes: () => Buffer.from(JSON.stringify(json)),
  json: () => json,
})

/**
 * A file of `allure-results` as the generator reads it. The generator's own class opens a stream for each look at a
 * file, which takes longer than everything else it does with a thousand small ones.
 */
const resultFile = (name: string, { bytes, json }: Content): ResultFile => ({
  getOriginalFileName: () => name,
  getExtension: () => extname(name),
  getContentType: () => CONTENT_TYPES[extname(name)] ?? ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  getContentLength: () => bytes().length,
  // The interface promises the caller's own type; what it gets is whatever the file holds.
  asJson: async <Json>() => json() as Json,
  asUtf8String: async () => bytes().toString('utf8'),
  asBuffer: async () => bytes(),
  readContent: async (transform) => transform(Readable.from([bytes()])),
  writeTo: async (path) => writeFileSync(path, bytes()),
})

const CONTENT_TYPES: Readonly<Record<string, string>> = { '.json': 'application/json', '.svg': SVG }

/** As far as it is looked at here. */
interface Result {
  readonly uuid: string
  readonly attachments: readonly { readonly source: string }[]
}

/** The name of a copy, and of the file that it is a copy of. */
export type Copies = ReadonlyMap<string, string>

/** What the generator reads. */
export interface ResultFiles {
  readonly files: readonly ResultFile[]
  readonly copies: Copies
}

interface Named {
  readonly files: ReadonlyMap<string, Content>
  readonly copies: Copies
}

/** The generator gives a file to the first result that names it: to each further one it is shown as a copy of its own. */
const ownFiles = (files: ReadonlyMap<string, Content>): Named => {
  const taken = new Set<string>()
  const own = new Map(files)
  const copies = new Map<string, string>()
  const ownName = (uuid: string, source: string): string => {
    const content = files.get(source)
    if (content === undefined || !taken.has(source)) {
      taken.add(source)
      return source
    }
    const copy = `${uuid}-${source}`
    own.set(copy, content)
    copies.set(copy, source)
    return copy
  }
  for (const [name, { json }] of files) {
    if (!name.endsWith('-result.json')) continue
    const result = json() as Result
    const attachments = result.attachments.map((one) => ({
      ...one,
      source: ownName(result.uuid, one.source),
    }))
    own.set(name, parsed({ ...result, attachments }))
  }
  return { files: own, copies }
}

/** Nothing, where no test ran. A killed run may have left half a file under a name of its own; it is no result. */
export const readResultFiles = (directory: string): ResultFiles => {
  const names = (existsSync(directory) ? readdirSync(directory) : []).filter(
    (name) => !name.endsWith('.draft'),
  )
  const found = new Map(names.map((name) => [name, read(readFileSync(join(directory, name)))]))
  const { files, copies } = ownFiles(found)
  return { files: [...files].map(([name, content]) => resultFile(name, content)), copies }
}

/** Once the results are read, all links to the copies of a file lead to the file itself: the page carries it once. */
export const shareFiles = async (
  store: Pick<AllureStore, 'allAttachments'>,
  copies: Copies,
): Promise<void> => {
  const links = await store.allAttachments()
  const ids = new Map(links.map(({ originalFileName = '', id }) => [originalFileName, id]))
  for (const link of links) {
    const source = copies.get(link.originalFileName ?? '')
    link.id = (source === undefined ? undefined : ids.get(source)) ?? link.id
  }
}
