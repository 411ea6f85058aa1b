import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { missingOptions, withDefaults } from './answers.ts'
import { equivalentCommand } from './initialize.ts'
import { parseInitOptions, refuseInitOptionsConsumedByNpm } from './options.ts'
import { problemsIn, profileInput } from './profile-input.ts'
import type { PartialAnswers } from './answers.ts'

const givenBy = (...argv: readonly string[]): PartialAnswers => parseInitOptions(argv).given

const problemsWith = (...argv: readonly string[]): string => {
  try {
    return problemsIn(givenBy(...argv)).join('\n')
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
}

describe('parseInitOptions', () => {
  it('accepts lists with spaces, commas or repeated options', () => {
    const uris = ['https://a.example/', 'https://b.example/']
    expect(givenBy('--redirect-uri', ...uris).redirectUri).toEqual(uris)
    expect(givenBy('--redirect-uri', uris.join(',')).redirectUri).toEqual(uris)
    expect(givenBy('--redirect-uri', 'https://a.example/', '--redirect-uri', 'https://b.example/')).toEqual({
      redirectUri: uris,
    })
  })

  it.each([
    [['--kind', 'tpp'], "--kind: expected one of TPP, FAC, loans, received 'tpp'"],
    [['--environment', 'sandbx'], 'did you mean sandbox?'],
    [['--base-ulr', 'x'], "unknown option '--base-ulr'; did you mean '--base-url'?"],
    [['--base-url'], '--base-url needs a value'],
    [['--base-url', ''], '--base-url is empty'],
    [['--name', '--force'], "--name needs a value, but is followed by '--force'"],
    [
      ['--webhook-port', '0'],
      "--webhook-port: expected a whole number from 1 to 65535, without leading zeros; received '0'",
    ],
    [['bank.yaml'], "'bank.yaml' does not belong to an option"],
    [['--delivery', 'redirect'], '--delivery has more values than there are redirect URIs'],
    [['--base-url', 'bank.example'], '--base-url: expected an http or https URL'],
    [['--base-url', 'https://bank.example/premium/sandbox'], 'ends with the base path /premium/sandbox'],
    [['--base-path', 'premium'], '--base-path: a path begins with a slash'],
    [['--redirect-uri', 'callback'], '--redirect-uri: expected a URL such as'],
    [
      ['--time-zone', 'Mars'],
      '--time-zone: expected a time zone of the IANA database such as Europe/Bratislava, and got "Mars"',
    ],
    [['--refusals', 'html'], '--refusals'],
    [['--redirect-uri', 'https://a.example/#x'], '--redirect-uri: a redirect URI has no fragment'],
    [['--debtor', 'Anna'], '--debtor: expected a name and an IBAN such as'],
    [['--debtor', 'SK2998010000002600001129'], 'received "SK2998010000002600001129"'],
    [['--webhook-url', 'me.example'], '--webhook-url: expected an http or https URL'],
    [['--accounts', 'SK2998010000002600001129', 'mine'], '--accounts: '],
    [['--payment-hours', '6 o'], '--payment-hours: '],
    [['--provocations', 'AC01'], '--debtor: '],
    [['--provocations', 'TM01'], '--provocations: expected one of AC01, AM04, AM05'],
    [['--further-applications', 'FAC A B'], '--further-applications: '],
    [
      ['--further-applications', 'XYZ A B https://a.example/'],
      '--further-applications: expected one of FAC, TPP',
    ],
    [
      ['--further-customers', 'USERNAME'],
      '--further-customers: expected the name of an environment variable',
    ],
    [['--further-customers', 'A B SK29'], '--further-customers: '],
    [['--name', 'a\u0007b'], '--name: expected one line of text, received "a\\u0007b"'],
  ])('reports %j', (argv, complaint) => {
    expect(problemsWith(...argv)).toContain(complaint)
  })

  it.each([
    ['--client-secret-env', 'pl4nted-secret'],
    ['--further-applications', 'FAC ID pl4nted-secret https://a.example/'],
    ['--further-customers', 'ID pl4nted-secret'],
  ])('does not show a value that was given instead of a variable name by %s', (option, value) => {
    const problem = problemsWith(option, value)
    expect(problem).toContain(`${option}: expected the name of an environment variable`)
    expect(problem).not.toContain('pl4nted')
  })

  it('reports every problem at once', () => {
    expect(problemsWith('--kind', 'X', '--environment', 'Y', '--nope').split('\n  - ')).toHaveLength(4)
  })
})

describe('missingOptions', () => {
  it('lists the options that have no default', () => {
    expect(missingOptions({}).map(([option]) => option)).toEqual([
      '--base-url',
      '--kind',
      '--client-id-env',
      '--client-secret-env',
      '--redirect-uri',
      '--username-env',
      '--password-env',
    ])
  })

  it('lists no login variables with imported tokens, and the debtor and creditor of payments', () => {
    expect(missingOptions({ authorization: 'tokens', payments: true }).map(([option]) => option)).toEqual([
      '--base-url',
      '--debtor',
      '--creditor',
      '--kind',
      '--client-id-env',
      '--client-secret-env',
      '--redirect-uri',
      '--access-token-env',
    ])
  })
})

describe('withDefaults', () => {
  it('accepts an IBAN with spaces, after a name without a comma', () => {
    const { payments } = profileInput(withDefaults({ debtor: "Anna d'Arc sk29 9801 0000 0026 0000 1129" }))
    expect(payments?.debtor).toEqual({ name: "Anna d'Arc", iban: 'SK2998010000002600001129' })
  })

  it('uses the port of the webhook URL, or the default port', () => {
    expect(withDefaults({ webhookUrl: 'http://127.0.0.1:9000/hook' }).webhookPort).toBe(9000)
    expect(withDefaults({ webhookUrl: 'https://me.example/hook' }).webhookPort).toBe(8080)
  })
})

describe('equivalentCommand', () => {
  it('contains every answer', () => {
    const given: PartialAnswers = {
      baseUrl: 'https://bank.example',
      name: "Anna's bank",
      timeZone: 'Europe/Bratislava',
      refusals: 'json',
      kind: 'FAC',
      redirectUri: ['https://a.example/', 'https://b.example/'],
      delivery: ['redirect', 'result-screen'],
      debtor: 'Anna SK2998010000002600001129',
      creditor: 'Ján SK1198010000004000007788',
      loans: true,
      webhookUrl: 'https://me.example/hook',
      environments: ['sandbox', 'production'],
      provocations: ['AC01', 'RC01'],
      paymentHours: '06:00 16:00',
      testHooks: true,
      furtherApplications: ['TPP A B https://a.example/', 'FAC C D https://c.example/ result-screen'],
      furtherCustomers: ['E F SK9098010000002900004444 212'],
      accounts: ['SK2998010000002600001129', 'other', '34'],
    }
    const words = equivalentCommand(given, 'bank.yaml')
      .replaceAll(' \\\n ', '')
      .split(/ (?=--)/)
    // Splits the words as a shell does.
    const argv = words.slice(2).flatMap((word) => {
      const [option = '', ...values] = word.match(/'(?:[^']|'\\'')*'|[^\s']+/g) ?? []
      return [option, ...values.map((value) => value.replace(/^'|'$/g, '').replaceAll("'\\''", "'"))]
    })
    expect(withDefaults(givenBy(...argv))).toEqual(withDefaults(given))
  })
})

describe('refuseInitOptionsConsumedByNpm', () => {
  it('reports that a bare -- is missing', () => {
    expect(() => refuseInitOptionsConsumedByNpm({ npm_config_base_url: 'x' })).toThrow(
      'npm run init -- --base-url',
    )
    expect(() => refuseInitOptionsConsumedByNpm({})).not.toThrow()
  })
})
