import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../bank/openapi.ts'
import { readOpenApi } from '../../cli/init/openapi/document.ts'
import { draftFromDocument, type DocumentDraft } from '../../cli/init/openapi/draft-profile.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The reference bank, bound from its own OpenAPI document, has no finding. Takes about 15 s. */

const draftOfReferenceBank = async (): Promise<DocumentDraft> => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-profile-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(openApiDocument()))
    return draftFromDocument(await readOpenApi(file), 'sandbox')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('what the document says conforms, and nothing is left to the author but what it cannot say', async () => {
  const { profile, refusals, remarks } = await draftOfReferenceBank()
  expect(remarks).toEqual([
    '`secondVariant.listTransactions.paging.first`: 1 is assumed for the number of the first page',
    '`payments.initiations.3`: /payments/batch/sba is taken to accept dates in the future; leave it out where it does not',
    '`refusals`: the document describes refusals without HTML pages, so that one counts as that of a firewall; write page if the bank has such pages',
  ])
  const { payments } = referenceProfile()
  const { debtor, creditor, hours } = payments ?? {}
  const initiations = profile.payments?.['initiations'] as { readonly name: string }[] | undefined
  expect(initiations?.map(({ name }) => name)).toEqual([
    'ecomm-sba',
    'standard-sba',
    'batch-sba',
    'batch-sba-dated',
  ])
  const drafted = {
    ...profile,
    refusals,
    payments: { ...profile.payments, debtor, creditor, hours },
  } as Partial<ProfileInput>
  const results = await runTrial(await loadCatalogue(), () => ({}), {
    profile: drafted,
    socket: false,
    seed: 42,
    runsOf: () => 4,
  })
  const alarms = results.filter(({ verdict }) => !['pass', 'not-applicable', 'not-tested'].includes(verdict))
  expect(alarms.map(({ id, verdict, because, violation }) => ({ id, verdict, because, violation }))).toEqual(
    [],
  )
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(900)
})
