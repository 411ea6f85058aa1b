import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import { routes } from './routes.ts'
import { ENVIRONMENTS } from './base-paths.ts'
import type { Exchange } from './defect.ts'
import { dialects } from './dialects/generated.ts'
import { openApiDocument } from './openapi.ts'
import { OPENAPI_PATH } from './page-layout.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { runTrial } from '../proof/trial.ts'
import { expandedDocument, type OpenApiDocument } from '../testing/openapi/document.ts'
import {
  deviationsOf,
  operationFinder,
  recording,
  type RecordedExchange,
} from '../testing/openapi/exchanges.ts'
import { validatorOf } from '../testing/openapi/schema-validation.ts'
import { SLOW } from '../testing/slow.ts'

const document = expandedDocument()
const validate = validatorOf(document)
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

/** The routes that are not in the document, and why. */
const EXCLUDED: readonly (readonly [reason: string, route: RegExp])[] = [
  ['a page for the customer, reached from authorize', /\/auth\/oauth\/v2\/login-sessions\//],
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

/** The exchanges of a run of all checks, except those over plain HTTP, of which the document says nothing. */
const exchangesOfRun = async (): Promise<readonly RecordedExchange[]> => {
  const exchanges: RecordedExchange[] = []
  const variation = { id: 'recorded', title: '', wire: (next: Exchange) => recording(next, exchanges) }
  await runTrial(await loadCatalogue(), () => ({ variation }), {
    socket: false,
    seed: 42,
    runsOf: () => 1,
  })
  return exchanges.filter(({ answer }) => !answer.includes('TLS_REQUIRED'))
}

describe('a run of all checks in the sandbox', SLOW, () => {
  const find = operationFinder(document)
  let exchanges: readonly RecordedExchange[] = []

  beforeAll(async () => {
    exchanges = await exchangesOfRun()
  })

  test('shows no deviation from the document', () => {
    const deviations = exchanges.flatMap((exchange) => {
      const operation = find(exchange)
      return operation ? deviationsOf(operation, exchange, validate) : []
    })
    expect([...new Set(deviations)]).toEqual([])
  })

  /** The interface does not have these operations. */
  const isAdded = /^(readConsent|deleteConsent|selectScenario) /

  test('calls each operation of the sandbox', () => {
    const called = new Set(exchanges.map(find))
    const others = operations
      .filter((operation) => operation.environment === 'sandbox' && !called.has(operation))
      .map(({ operationId }) => operationId)
    expect(others.filter((id) => !isAdded.test(id))).toEqual([])
  })
})
