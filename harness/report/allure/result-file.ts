import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ALLURE_HTTP_EXCHANGE_CONTENT_TYPE } from 'allure-js-commons/http'
import { SVG } from '../drawing/svg.ts'
import type { ResultFile } from '@allurereport/plugin-api'

/**
 * A file of `allure-results` as the generator reads it. The generator's own class opens a stream for each look at a
 * file, which takes longer than everything else it does with a thousand small ones.
 */
const resultFile = (directory: string, name: string): ResultFile => {
  const bytes = readFileSync(join(directory, name))
  const text = (): string => bytes.toString('utf8')
  return {
    getOriginalFileName: () => name,
    getExtension: () => extname(name),
    getContentType: () => CONTENT_TYPES[extname(name)] ?? ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
    getContentLength: () => bytes.length,
    // The interface promises the caller's own type; what it gets is whatever the file holds.
    asJson: async <Content>() => JSON.parse(text()) as Content,
    asUtf8String: async () => text(),
    asBuffer: async () => bytes,
    readContent: async (transform) => transform(Readable.from([bytes])),
    writeTo: async (path) => writeFileSync(path, bytes),
  }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = { '.json': 'application/json', '.svg': SVG }

/** Nothing, where no test ran. A killed run may have left half a file under a name of its own; it is no result. */
export const readResultFiles = (directory: string): readonly ResultFile[] =>
  (existsSync(directory) ? readdirSync(directory) : [])
    .filter((name) => !name.endsWith('.draft'))
    .map((name) => resultFile(directory, name))
