import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import { routes } from './routes.ts'
import { ENVIRONMENTS } from './base-paths.ts'
import { dialects } from './dialects/index.ts'
import { openApiDocument } from './openapi.ts'
import { OPENAPI_PATH } from './page-layout.ts'
import { TestApplicant } from '../testing/bank-clients/test-applicant.ts'
import { aClient, aCustomer, TestClient } from '../testing/bank-clients/test-client.ts'
import { TestPayer, type Members } from '../testing/bank-clients/test-payer.ts'
import { notShown } from '../testing/openapi/coverage.ts'
import {
  batchOf,
  FULL_LOAN_REQUEST,
  FULL_ORDER,
  FULL_PRECALCULATION,
  spendDay,
} from '../testing/openapi/customer-day.ts'
import {
  expandedDocument,
  schemaRef,
  type DocumentedOperation,
  type OpenApiDocument,
} from '../testing/openapi/document.ts'
import {
  deviationsOf,
  operationFinder,
  recording,
  type RecordedExchange,
} from '../testing/openapi/exchanges.ts'
import { validatorOf } from '../testing/openapi/schema-validation.ts'
import { variantsOf } from '../testing/openapi/variants.ts'

const document = expandedDocument()
const validate = validatorOf(document)
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

/** The routes that are not in the document, and why. */
const EXCLUDED: readonly (readonly [reason: string, route: RegExp])[] = [
  ['a page for the customer, reached from authorize', /\/auth\/oauth\/v2\/visits\//],
  ['a page for the applicant, whose address the submission answers', /\/process\//],
  ['a page with the settings of an application', /\/application(\/usage)?$/],
  ['the first page', /^GET \/$/],
  ['the style of the pages', /^GET \/pages\.css$/],
  ['the documentation of this project', /^GET \/docs\//],
  ['the document itself', /^GET \/openapi\.json$/],
  ['what tests need beyond the interface', /^\w+ \/_test-hooks\//],
]

/** The routes of the bank, with one line for each environment. */
const routeLines = routes.routes.flatMap(({ method, path }) => {
  const paths = path.includes(':environment')
    ? ENVIRONMENTS.map((environment) => path.replace(/:environment\{[^}]*\}/, environment))
    : [path]
  return paths.map((line) => `${method} ${line.replaceAll(/:(\w+)/g, '{$1}')}`)
})

const isExcluded = (line: string): boolean => EXCLUDED.some(([, route]) => route.test(line))

describe('the OpenAPI document of the bank', () => {
  test('is published by the bank, and the first page links to it', async () => {
    const { fetch } = createBank()
    const response = await fetch(new Request(`http://bank.test${OPENAPI_PATH}`))
    expect(response.headers.get('content-type')).toMatch('application/json')
    expect(await response.json()).toEqual(openApiDocument())
    expect(await (await fetch(new Request('http://bank.test/'))).text()).toContain(`href="${OPENAPI_PATH}"`)
  })

  test('is not published by a bank with a dialect, whose names differ', async () => {
    for (const dialect of dialects) {
      const { fetch } = createBank({ dialect })
      expect((await fetch(new Request(`http://bank.test${OPENAPI_PATH}`))).status).toBe(404)
    }
  })

  test('has exactly the routes of the interface', () => {
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.toSorted()).toEqual(routeLines.filter((line) => !isExcluded(line)).toSorted())
  })

  test.each(EXCLUDED)('leaves out %s', (_, route) => {
    expect(routeLines.filter((line) => route.test(line))).not.toEqual([])
  })

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(openApiDocument() as Record<string, unknown>)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('refers to nothing that it does not have, and has nothing that it does not refer to', () => {
    const { components, paths } = openApiDocument() as OpenApiDocument & {
      readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    }
    const referred = [...JSON.stringify({ components, paths }).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, ref]) => ref,
    )
    const { securitySchemes, ...parts } = components
    const targets = Object.entries(parts).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    )
    expect(new Set(referred)).toEqual(new Set(targets))
    const required = operations.flatMap(({ security }) => security.flatMap((schemes) => Object.keys(schemes)))
    expect(new Set(required)).toEqual(new Set(Object.keys(securitySchemes)))
  })

  test('gives each operation its own operationId, and each path its parameters', () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { parameters } of Object.values(item)) {
        const inPath = parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name }) => `{${name}}`)
        expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
      }
    }
  })
})

/** All exchanges of a day in both environments. */
const aDay = async (): Promise<readonly RecordedExchange[]> => {
  const exchanges: RecordedExchange[] = []
  for (const environment of ENVIRONMENTS) {
    const bank = createBank()
    await spendDay({ ...bank, fetch: recording(bank.fetch, exchanges) }, environment, document)
  }
  return exchanges
}

describe('a day at the bank', () => {
  const find = operationFinder(document)
  let exchanges: readonly RecordedExchange[] = []
  let ofOperations: readonly (readonly [DocumentedOperation, RecordedExchange])[] = []

  beforeAll(async () => {
    exchanges = await aDay()
    ofOperations = exchanges.flatMap((exchange) => {
      const operation = find(exchange)
      return operation ? [[operation, exchange] as const] : []
    })
  })

  test('has no exchange with an operation that is not documented', () => {
    const others = exchanges
      .filter((exchange) => !find(exchange))
      .map(({ method, url }) => `${method.toUpperCase()} ${url.pathname}`)
    expect(others.filter((line) => !isExcluded(line))).toEqual([])
  })

  test('is as the document describes it', () => {
    const deviations = ofOperations.flatMap(([operation, exchange]) =>
      deviationsOf(operation, exchange, validate),
    )
    expect([...new Set(deviations)]).toEqual([])
  })

  test('shows everything that the document describes', () => {
    expect(notShown(ofOperations, document, validate)).toEqual([])
  })
})

/** Sends a body, and returns whether the bank accepts its form. */
type Send = (body: unknown) => Promise<Response>

interface Form {
  readonly schema: string
  readonly body: Members
  readonly send: Send
}

/** Each schema of a JSON body, with a body that has all its members. */
const formsOf = async (): Promise<readonly Form[]> => {
  const bank = createBank()
  const payer = new TestPayer(bank)
  const applicant = new TestApplicant(bank)
  const client = new TestClient({ fetch: bank.fetch, client: aClient('TPP') })
  const { access_token: token } = await client.obtainTokens()
  const { iban } = aCustomer().accounts[0] ?? {}
  const { applicationId } = await applicant.submit()
  const order = payer.order(FULL_ORDER)
  const refresh: Send = (body) =>
    client.send('refresh', {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  return [
    { schema: 'SingleOrder', body: order, send: (body) => payer.call('ecomm/sba', body) },
    { schema: 'SingleOrder', body: order, send: (body) => payer.call('standard/sba', body) },
    { schema: 'BatchOrder', body: batchOf(order), send: (body) => payer.call('batch/sba', body) },
    { schema: 'AccountSelection', body: { iban }, send: (body) => client.ask(token, 'information', body) },
    {
      schema: 'TransactionSelection',
      body: { iban, page: 1, pageSize: 10 },
      send: (body) => client.ask(token, 'transactions', body),
    },
    { schema: 'RefreshRequest', body: { consentId: client.scope.split(':')[1] }, send: refresh },
    { schema: 'Precalculation', body: FULL_PRECALCULATION, send: (body) => applicant.precalculate(body) },
    {
      schema: 'LoanRequest',
      body: FULL_LOAN_REQUEST,
      send: (body) => applicant.call('POST', 'v1/applications', body),
    },
    {
      schema: 'ScenarioSelection',
      body: { scenario: 'CLIENT' },
      send: (body) => applicant.call('PUT', `v1/applications/${applicationId}/scenario`, body),
    },
  ]
}

test('the bank refuses exactly the JSON bodies that their schemas refuse', async () => {
  const forms = await formsOf()
  const documented = operations.flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? [])
  expect(new Set(documented.map(({ schema }) => schema['$ref']))).toEqual(
    new Set(forms.map(({ schema }) => schemaRef(schema)['$ref'])),
  )
  const differences: string[] = []
  for (const { schema, body, send } of forms) {
    const named = schemaRef(schema)
    for (const variant of variantsOf(body)) {
      const isRefused = (await send(variant)).status === 400
      const isInvalid = validate(named, variant, 'open').length > 0
      const verb = isRefused ? 'refuses' : 'accepts'
      if (isRefused !== isInvalid) differences.push(`${schema}: the bank ${verb} ${JSON.stringify(variant)}`)
    }
  }
  expect(differences).toEqual([])
})

/** The names of parameters, and which of them are required. */
type Names = Readonly<Record<string, boolean>>

const membersOf = (schema: string): Names => {
  const { properties, required } = document.components.schemas[schema] ?? {}
  const names = Object.keys(properties ?? {})
  return Object.fromEntries(names.map((name) => [name, (required as readonly string[]).includes(name)]))
}

const queryOf = (operationId: string): Names => {
  const { parameters = [] } = operations.find((operation) => operation.operationId === operationId) ?? {}
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return Object.fromEntries(query.map(({ name, required }) => [name, required]))
}

/** Sends a valid request without this parameter. */
type SendWithout = (name: string) => Promise<Response>

const paymentQuery = async (payer: TestPayer, without: string): Promise<Response> => {
  const { orderId } = await payer.initiate()
  const [, usual] = payer.customer.authorizePath({ scope: 'PISP' }).split('?')
  const query = new URLSearchParams(usual)
  query.set('orderId', orderId)
  query.delete(without)
  return payer.fetch(`${payer.oauth}/authorize?${query.toString()}`)
}

describe('exactly if a required parameter is missing, the bank refuses', () => {
  const bank = createBank()
  const client = new TestClient({ fetch: bank.fetch })
  const payer = new TestPayer(bank)
  const applicant = new TestApplicant(bank)

  test.each<readonly [string, Names, SendWithout]>([
    [
      'a code exchange',
      membersOf('CodeExchange'),
      async (name) => client.exchange((await client.authorize()).parameters['code'], { [name]: undefined }),
    ],
    [
      'a renewal of tokens',
      membersOf('TokenRenewal'),
      async (name) => client.renew((await client.obtainTokens()).refresh_token, { [name]: undefined }),
    ],
    [
      'a request for a payment token',
      membersOf('PaymentClientCredentials'),
      (name) => payer.askToken({ grant_type: 'client_credentials', scope: 'PISP', [name]: '' }),
    ],
    [
      'a request for a loan token',
      // Its credentials may be in the header instead.
      { ...membersOf('LoanClientCredentials'), client_id: true, client_secret: true },
      (name) => applicant.askToken({ [name]: '' }),
    ],
    [
      'an authorization request',
      queryOf('authorize in sandbox'),
      (name) => client.send(client.authorizePath({ [name]: undefined })),
    ],
    [
      'an authorization request for a payment',
      queryOf('authorizePayment in sandbox'),
      (name) => paymentQuery(payer, name),
    ],
  ])('%s', async (_, names, sendWithout) => {
    expect(Object.values(names)).toContain(true)
    for (const [name, isRequired] of Object.entries(names)) {
      const { status } = await sendWithout(name)
      expect([name, status !== 200]).toEqual([name, isRequired])
    }
  })
})
