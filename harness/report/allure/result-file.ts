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

/** What the generator reads, in as many looks as somebody takes while the results come. */
export interface ResultFiles {
  /** Those that were not there at the look before. */
  readonly next: () => readonly ResultFile[]
  readonly copies: Copies
}

/**
 * Each file that is there was written whole, those that a result names before itself. Nothing is there where no test
 * ran. A killed run may have left half a file under a name of its own; it is no result.
 */
export const openResultFiles = (directory: string): ResultFiles => {
  const contents = new Map<string, Content>()
  const seen = new Set<string>()
  const taken = new Set<string>()
  const copies = new Map<string, string>()

  const contentOf = (name: string): Content => {
    const content = contents.get(name) ?? read(readFileSync(join(directory, name)))
    contents.set(name, content)
    return content
  }

  /** The generator gives a file to the first result that names it: to each further one it is shown as a copy of its own. */
  const ownName = (uuid: string, source: string): string => {
    if (!taken.has(source)) {
      taken.add(source)
      return source
    }
    const copy = `${uuid}-${source}`
    copies.set(copy, source)
    return copy
  }

  const readResult = (name: string): readonly ResultFile[] => {
    const result = contentOf(name).json() as Result
    const attachments = result.attachments.map((one) => ({
      ...one,
      source: ownName(result.uuid, one.source),
    }))
    return [
      resultFile(name, parsed({ ...result, attachments })),
      ...attachments.flatMap(({ source: copy }) => {
        const source = copies.get(copy)
        return source === undefined ? [] : [resultFile(copy, contentOf(source))]
      }),
    ]
  }

  return {
    copies,
    next: () =>
      (existsSync(directory) ? readdirSync(directory) : []).flatMap((name) => {
        if (seen.has(name) || name.endsWith('.draft')) return []
        seen.add(name)
        return name.endsWith('-result.json') ? readResult(name) : [resultFile(name, contentOf(name))]
      }),
  }
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
