import { loadCatalogue } from '../plan/catalogue.ts'
import { descriptive } from '../plan/specs.ts'
import { loadDefects, loadVariations } from '../proof/selection.ts'
import { documentOf } from '../report/catalogue/document.ts'
import type { CatalogueDocument } from '../report/catalogue/schema.ts'

/** Loads all checks, defects and variations. @param own the folder of own checks. */
export const gatherDocument = async (own?: string): Promise<CatalogueDocument> => {
  const catalogue = await loadCatalogue(own)
  const defects = await loadDefects(catalogue.own)
  return documentOf({ catalogue, defects, variations: loadVariations(), descriptive })
}
