import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../bank/openapi.ts'
import { readOpenApi } from '../../cli/init/openapi/document.ts'
import { draftFromDocument, type DocumentDraft } from '../../cli/init/openapi/draft-profile.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { judgeVariation } from '../../proof/result.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The reference bank, bound from its own OpenAPI document, has no finding. Takes about 15 s. */

const draftOfReferenceBank = async (): Promise<DocumentDraft> => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-profile-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(openApiDocument()))
    return draftFromDocument(readOpenApi(file), 'sandbox')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('what the document says conforms, and the author is asked for what it does not say', async () => {
  const { profile, refusals, questions } = await draftOfReferenceBank()
  expect(questions.map((question) => question.split(':')[0])).toEqual([
    '`payments.initiations.2.body`',
    '`loans.precalculation.cause`',
    '`refusals`',
  ])
  const { payments, loans } = referenceProfile()
  const { debtor, creditor, hours } = payments ?? {}
  const initiations = profile.payments?.['initiations'] as readonly { name: string; body: object }[]
  expect(initiations.map(({ name }) => name)).toEqual(['ecomm', 'standard', 'batch-sba'])
  const [ecomm, standard, batch] = initiations
  const answered = [ecomm, standard, { ...batch, body: { ...batch?.body, controlSum: '{amount}' } }]
  const drafted = {
    ...profile,
    refusals,
    payments: { ...profile.payments, initiations: answered, debtor, creditor, hours },
    loans: { ...profile.loans, precalculation: { cause: loans?.precalculation?.cause } },
  } as Partial<ProfileInput>
  const results = await runTrial(await loadCatalogue(), () => ({}), {
    profile: drafted,
    socket: false,
    seed: 42,
    runsOf: () => 4,
  })
  const { reasons } = judgeVariation('the bank of its document', results)
  expect(reasons).toEqual([])
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(900)
})
