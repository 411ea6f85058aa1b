import { existsSync, readFileSync } from 'node:fs'
import { built } from '../plan/root.ts'
import type { CatalogueDocument } from '../report/catalogue/schema.ts'

/** Written when the package is prepared, and removed when a source is built: see harness/build.mjs. */
const WRITTEN = built('catalogue/catalogue.json')

/** The catalogue with its defects and variations. @param own the folder of own checks. */
export const loadDocument = async (own?: string): Promise<CatalogueDocument> => {
  const isBuilt = import.meta.url.endsWith('.js')
  if (isBuilt && own === undefined && existsSync(WRITTEN))
    return JSON.parse(readFileSync(WRITTEN, 'utf8')) as CatalogueDocument
  const { gatherDocument } = await import('./gather-document.ts')
  return gatherDocument(own)
}
