import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../../plan/root.ts'
import { ConfigurationError } from '../../../profile/configuration-error.ts'
import { readOpenApi } from './document.ts'
import { draftFromDocument } from './draft-profile.ts'

const SAMPLE = join(ROOT, 'harness/testing/samples/bank-openapi.yaml')

const draft = async (file = SAMPLE) => draftFromDocument(await readOpenApi(file), 'sandbox')

describe('a document becomes a part of a profile', () => {
  test('the address and the title', async () => {
    expect(await draft()).toMatchObject({ title: 'A bank', baseUrl: 'https://api.bank.example' })
  })

  test('how it refuses, as far as it describes it', async () => {
    const { refusals, remarks } = await draft()
    expect(refusals).toBe('json')
    expect(remarks.join('\n')).toContain('`refusals`: the document describes refusals without HTML pages')
  })

  test('the account interface', async () => {
    const { profile } = await draft()
    expect(profile.basePaths).toEqual({ sandbox: '/premium/sandbox', production: '/premium/production' })
    expect(profile.operations).toMatchObject({
      createConsent: { requestIdHeader: 'X-Call-Id', success: [201] },
      token: {
        refreshToken: 'renewal.renewalToken',
        refreshForm: { grant_type: 'refresh_token', renewal_token: '{refresh_token}' },
        errorCode: 'fault.code',
      },
      listAccounts: { accounts: 'result', iban: 'number.iban' },
      readAccount: { iban: 'account.number.iban', balances: 'money', amount: 'value' },
      listTransactions: {
        transactions: 'moves',
        id: 'key',
        paging: { kind: 'offset', parameter: 'from', total: 'paging.count' },
      },
      refresh: { success: [202], query: { consentId: '{consentId}' } },
    })
    expect(profile.secondVariant).toBeUndefined()
  })

  test('the payments', async () => {
    const { profile, remarks } = await draft()
    const order = {
      messageId: '{instructionIdentification}',
      debtor: { name: '{debtorName}', iban: '{debtorIban}' },
      creditor: { name: '{creditorName}', iban: '{creditorIban}' },
      amount: '{amountText}',
      currency: '{currency}',
    }
    expect(profile.payments).toMatchObject({
      basePaths: { sandbox: '/test', production: '/live' },
      oauthBasePaths: { sandbox: '/test', production: '/live' },
      token: { form: { grant_type: 'client_credentials', scope: 'pay' } },
      initiations: [
        { name: 'ecomm-sba', path: '/payments/ecomm/sba', body: order },
        {
          name: 'dated-sba',
          path: '/payments/dated/sba',
          body: { ...order, dueDate: '{date}', channel: 'WEB' },
          future: true,
        },
      ],
      submission: { body: { orderId: '{orderId}' } },
    })
    expect(remarks.join('\n')).toContain(
      '`payments.initiations.1.body`: the required field channel is sent as "WEB"; check it',
    )
  })

  test('the loans', async () => {
    const { profile } = await draft()
    expect(profile.loans).toEqual({
      basePath: '/paylater/sandbox',
      token: { credentials: 'form' },
      precalculation: {
        body: { loan: { amount: '{amount}' } },
        capacity: {
          household: { monthlyIncome: '{income}', monthlyExpenses: '{expenses}', children: '{children}' },
        },
        positive: { kind: 'member', member: 'decision', values: ['POSITIVE'] },
        cause: {
          member: 'reason',
          tooLow: 'AMOUNT_TOO_LOW',
          tooHigh: 'AMOUNT_TOO_HIGH',
          insufficient: 'CAPACITY',
        },
      },
      submission: { body: { amount: '{amount}', reference: '{orderNo}' }, id: 'loan.applicationId' },
      scenario: {
        kind: 'call',
        method: 'POST',
        path: '/v1/applications/{application-id}/path',
        body: { take: '{scenario}' },
        values: {
          cancelled: 'CANCEL',
          expired: 'EXPIRE',
          nonClient: 'NEW_CLIENT',
          client: 'KNOWN_CLIENT',
        },
      },
      status: { status: 'state', code: 'outcome' },
      errorCode: 'outcome',
    })
  })
})

describe('a file', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const fileOf = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }

  test.each([
    ['that does not exist', 'none.yaml', undefined, 'it cannot be read (ENOENT); check the path'],
    ['that is no YAML', 'broken.yaml', 'a: [', 'it is not valid JSON or YAML'],
    ['of Swagger 2.0', 'old.json', '{"swagger":"2.0"}', 'convert it to OpenAPI 3 first'],
    ['that is something else', 'other.yaml', 'name: A bank', 'it is no OpenAPI 3 document'],
  ])('%s is told', async (_, name, text, message) => {
    const file = text === undefined ? join(folder, name) : await fileOf(name, text)
    const read = readOpenApi(file)
    await expect(read).rejects.toThrow(ConfigurationError)
    await expect(read).rejects.toThrow(message)
  })

  test('that says nothing of the interface leaves the defaults, with a remark', async () => {
    const file = await fileOf('empty.yaml', "openapi: 3.0.3\ninfo: { title: E, version: '1' }\npaths: {}\n")
    expect(await draft(file)).toEqual({
      title: 'E',
      profile: {},
      remarks: ['the document has no POST …/v1/consents and no GET …/v1/accounts'],
    })
  })

  test('whose value does not fit a profile leaves the default, with a remark', async () => {
    const text = (await readFile(SAMPLE, 'utf8')).replace('name: X-Call-Id', "name: 'X Call Id'")
    const { profile, remarks } = await draft(await fileOf('header.yaml', text))
    expect(profile.operations?.createConsent).not.toHaveProperty('requestIdHeader')
    expect(remarks.join('\n')).toContain(
      '`operations.createConsent.requestIdHeader`: the value of the document',
    )
  })
})
