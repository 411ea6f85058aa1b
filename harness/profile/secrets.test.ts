import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleProfile } from '../testing/samples/profile.ts'
import { hideSecrets, resolveSecrets, showValue } from './secrets.ts'

/** An input with this value at that key; an index makes a list. */
const inputAt =
  (key: string) =>
  (value: string): unknown =>
    key.split('.').reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value)

const POSITIONS = [
  'applications.0.clientId',
  'applications.0.clientSecret',
  'customers.0.username',
  'customers.0.password',
  'authorization.tokens.0.accessToken',
  'authorization.tokens.0.refreshToken',
  'authorization.pages.0.fill.#pin',
  'operations.token.refreshForm.client_secret',
  'loans.token.form.client_secret',
  'headers.X-Gateway',
  'testHooks.revokeToken.headers.X-Key',
  'testHooks.revokeToken.body.a.0.key',
].map((key) => [key, inputAt(key)] as const)

const IDENTIFIERS = ['applications.0.clientId', 'customers.0.username']

describe('a value that is read from the environment', () => {
  it.each(POSITIONS)('is put in place and kept secret: %s', (_, input) => {
    const found = resolveSecrets(input('env:PLANTED'), { PLANTED: 'pl4nted-value' })
    expect(found.value).toEqual(input('pl4nted-value'))
    expect(found.secrets).toEqual(['pl4nted-value'])
    expect(found.plain).toEqual([])
    expect(found.problems).toEqual([])
  })

  it.each(POSITIONS)('is missed with its key and its variable: %s', (key, input) => {
    expect(resolveSecrets(input('env:PLANTED'), {}).problems).toEqual([
      `\`${key}\` is read from the variable PLANTED, which is not set; set it`,
    ])
  })

  it.each(['', '  ', '\n'])('is missed when it is %o', (value) => {
    const { problems } = resolveSecrets({ customers: [{ password: 'env:PLANTED' }] }, { PLANTED: value })
    expect(problems[0]).toContain('the variable PLANTED, which is empty')
  })

  it('is looked for under a near name', () => {
    const [problem] = resolveSecrets(
      { customers: [{ password: 'env:BANK_PASWORD' }] },
      { BANK_PASSWORD: 'x' },
    ).problems
    expect(problem).toContain('did you mean BANK_PASSWORD?')
  })

  it.each(['env:', 'env: PLANTED', 'env:pl4nted-value', 'env:1'])(
    'needs the name of a variable: %o',
    (value) => {
      const { problems } = resolveSecrets({ customers: [{ password: value }] }, {})
      expect(problems).toHaveLength(1)
      expect(problems[0]).toContain('`customers.0.password` names no variable')
      expect(problems[0]).not.toContain('pl4nted')
    },
  )

  it('may stand among other words of a header, but not of a password', () => {
    const input = {
      headers: { Authorization: 'Bearer env:TOKEN' },
      customers: [{ password: 'not env:TOKEN' }],
    }
    const found = resolveSecrets(input, { TOKEN: 't0ken-value' })
    expect(found.value).toEqual({
      headers: { Authorization: 'Bearer t0ken-value' },
      customers: [{ password: 'not env:TOKEN' }],
    })
    expect(found.secrets).toContain('t0ken-value')
  })

  it('is taken as it stands, without a second reading', () => {
    const found = resolveSecrets({ customers: [{ password: 'env:A' }] }, { A: 'env:B $& $1', B: 'wrong' })
    expect(found.value).toEqual({ customers: [{ password: 'env:B $& $1' }] })
  })

  it('is warned of when it ends with a line break, and kept secret without it too', () => {
    const found = resolveSecrets({ customers: [{ password: 'env:A' }] }, { A: 'pl4nted\n' })
    expect(found.value).toEqual({ customers: [{ password: 'pl4nted\n' }] })
    expect(found.secrets).toEqual(['pl4nted'])
    expect(found.warnings[0]).toContain('the variable A of `customers.0.password`')
  })

  it('is refused where no secret belongs', () => {
    const { misplaced } = resolveSecrets({ baseUrl: 'env:BASE_URL' }, { BASE_URL: 'https://bank.example' })
    expect(misplaced).toEqual(['baseUrl'])
  })
})

describe('a secret in plain text', () => {
  it.each(POSITIONS.filter(([key]) => !IDENTIFIERS.includes(key)))('is noticed: %s', (key, input) => {
    const found = resolveSecrets(input('pl4nted-value'), {})
    expect(found.plain).toEqual([{ key, value: 'pl4nted-value' }])
    expect(found.secrets).toEqual(['pl4nted-value'])
  })

  it.each(POSITIONS.filter(([key]) => IDENTIFIERS.includes(key)))('is no identifier: %s', (_, input) => {
    expect(resolveSecrets(input('anna'), {})).toMatchObject({ plain: [], secrets: [] })
  })

  it.each([
    ['Accept', 'application/vnd.bank+json'],
    ['Content-Type', 'application/json'],
    ['PSU-IP-Address', '192.168.10.20'],
    ['X-Stage', 'production'],
    ['X-Version', '2'],
    ['Authorization', 'Bearer {token}'],
  ])('is not every header: %s: %s', (name, value) => {
    expect(
      resolveSecrets({ testHooks: { revokeToken: { headers: { [name]: value } } } }, {}).secrets,
    ).toEqual([])
  })

  it('is the part of a header behind the scheme', () => {
    expect(resolveSecrets({ headers: { Authorization: 'Basic YTpi' } }, {}).secrets).toEqual(['YTpi'])
  })

  it('is not a placeholder, nor the harmless part of a test hook', () => {
    const body = { token: '{token}', event: 'BOOKED-2024', amount: 100 }
    expect(resolveSecrets({ testHooks: { revokeToken: { body } } }, {}).secrets).toEqual([])
  })

  it('is hidden in what a customer types besides, and warned of where its name is that of a secret', () => {
    const found = resolveSecrets({ customers: [{ fields: { branch: 'Dlhá 77', smsCode: '481516' } }] }, {})
    expect(found.secrets).toEqual(['Dlhá 77', '481516'])
    expect(found.plain.map(({ key }) => key)).toEqual(['customers.0.fields.smsCode'])
  })

  it('may be a number', () => {
    expect(resolveSecrets({ testHooks: { revokeToken: { body: { pin: 48151623 } } } }, {}).secrets).toEqual([
      '48151623',
    ])
  })
})

describe('resolveSecrets', () => {
  it('survives a profile that contains itself', () => {
    const input: Record<string, unknown> = { ...sampleProfile() }
    input['testHooks'] = { revokeToken: { body: { a: input, b: input } } }
    expect(resolveSecrets(input, {}).problems).toContain(
      '`testHooks.revokeToken.body.b` contains itself; take the cycle out of it',
    )
  })

  it('looks into instances of classes', () => {
    class Customer {
      readonly password = 'pl4nted'
    }
    expect(resolveSecrets({ customers: [new Customer()] }, {}).secrets).toEqual(['pl4nted'])
  })

  it('leaves data without secrets as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        fc.pre(!JSON.stringify(input).includes('env:'))
        expect(resolveSecrets(input, {}).value).toEqual(input)
      }),
    )
  })
})

describe('showValue', () => {
  it('hides what a URL may carry', () => {
    expect(showValue('https://user:planted@bank.example/?key=planted')).not.toContain('planted')
  })
})

describe('hideSecrets', () => {
  it('hides a secret as it is, and as JSON would write it', () => {
    expect(hideSecrets('saw pl"anted and pl\\"anted', ['pl"anted'])).toBe('saw [secret] and [secret]')
  })

  it('lets words be that a short secret is a part of', () => {
    expect(hideSecrets('an example', ['am'])).toBe('an example')
  })
})
