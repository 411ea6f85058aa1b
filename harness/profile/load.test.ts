import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { built } from '../plan/root.ts'
import { ConfigurationError } from './configuration-error.ts'
import { loadProfile, resolveProfile, type LoadedProfile } from './load.ts'
import { SAMPLE_ENV, sampleApplication, sampleProfile } from '../testing/samples/profile.ts'
import type { ProfileInput } from './schema.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

const write = async (name: string, text: string): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

const load = async (
  name: string,
  text: string,
  env: NodeJS.ProcessEnv = SAMPLE_ENV,
): Promise<LoadedProfile> => loadProfile(await write(name, text), env)

const refusal = async (loading: Promise<unknown>): Promise<ConfigurationError> => {
  const error = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ConfigurationError))
    throw new Error('no ConfigurationError was thrown', { cause: error })
  return error
}

const json = (): string => JSON.stringify(sampleProfile())

describe('loadProfile', () => {
  it.each([
    ['a.json', json()],
    ['a.yaml', stringify(sampleProfile())],
    ['a.yml', `\uFEFF${stringify(sampleProfile())}`],
    ['a.ts', `export default ${json()} as const`],
    ['a.mjs', `export default ${json()}`],
    ['b.js', `module.exports = ${json()}`],
    ['c.JSON', json()],
  ])('reads %s', async (name, text) => {
    const loaded = await load(name, text)
    expect(loaded.profile.applications[0]?.clientSecret).toBe(SAMPLE_ENV.SAMPLE_SECRET)
    expect(loaded.file).toBe(join(folder, name))
    expect(loaded.warnings).toEqual([])
    expect(loaded.secrets).toEqual([SAMPLE_ENV.SAMPLE_PASSWORD, SAMPLE_ENV.SAMPLE_SECRET])
  })

  it('gives every form and order of keys one digest, and another value another one', async () => {
    const backwards = Object.fromEntries(Object.entries(sampleProfile()).toReversed())
    const other = { ...sampleProfile(), baseUrl: 'https://other.example' }
    const loaded = await Promise.all([
      load('d.json', json()),
      load('d.yaml', stringify(backwards)),
      load('other.json', JSON.stringify(other)),
    ])
    const [one, same, another] = loaded.map(({ digest }) => digest)
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(same).toBe(one)
    expect(another).not.toBe(one)
  })

  it('gives a profile one digest whatever its secrets', async () => {
    const env = { SAMPLE_SECRET: 'another', SAMPLE_PASSWORD: 'yet another' }
    const plain = json().replace('env:SAMPLE_SECRET', 'in plain text')
    const digests = await Promise.all([
      load('e.json', json()),
      load('f.json', json(), env),
      load('g.json', plain),
    ])
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(1)
  })

  it('warns of a secret in plain text without showing it', async () => {
    const { warnings, secrets } = await load('h.json', json().replace('env:SAMPLE_SECRET', 'pl4nted'))
    expect(warnings).toEqual([expect.stringContaining('`applications.0.clientSecret` is plain text in')])
    expect(warnings[0]).toContain('write `env:NAME`')
    expect(warnings.join()).not.toContain('pl4nted')
    expect(secrets).toContain('pl4nted')
  })

  it('does not warn of a secret that a program took from the environment', async () => {
    const env = { ...SAMPLE_ENV, OWN: 'pl4nted' }
    const { warnings, secrets } = await load(
      'i.ts',
      `export default ${json().replace('env:SAMPLE_SECRET', 'pl4nted')}`,
      env,
    )
    expect(warnings).toEqual([])
    expect(secrets).toContain('pl4nted')
  })

  it('says of a misspelt key what it is meant to be, and not what may stand in it', async () => {
    const { message } = await refusal(
      load('k.json', json().replace(/"clientId":"[^"]*"/, '"clientID":"env:OWN"')),
    )
    expect(message).toContain('unknown key `applications.0.clientID`; did you mean `clientId`?')
    expect(message).not.toContain('is not read from the environment')
  })

  it('says where a variable is not read', async () => {
    const profile = { ...sampleProfile(), timeZone: 'env:ZONE' }
    const { message } = await refusal(load('m.json', JSON.stringify(profile)))
    expect(message).toContain('`timeZone` is not read from the environment')
  })

  it('lists all that is wrong at once', async () => {
    const text = stringify({ ...sampleProfile(), nme: 'x', environment: 'prod' })
    const { message, problems } = await refusal(load('j.yaml', text, {}))
    expect(message).toContain(`the profile ${join(folder, 'j.yaml')} cannot be used:`)
    expect(problems).toHaveLength(4)
    expect(message).toContain('unknown key `nme`; did you mean `name`?')
    expect(message).toContain('SAMPLE_SECRET, which is not set')
    expect(message).toContain('SAMPLE_PASSWORD, which is not set')
  })

  it('does not take variables that are not set for equal', async () => {
    const application = sampleApplication()
    const applications = [
      { ...application, clientId: 'env:A' },
      { ...application, name: 'b', clientId: 'env:B' },
    ]
    const { problems } = await refusal(load('k.json', JSON.stringify({ ...sampleProfile(), applications })))
    expect(problems).toHaveLength(2)
  })

  it.each(['Transfer-Encoding', 'content-length', 'Connection', 'HOST', 'Expect', 'TE', 'Upgrade'])(
    'refuses the header %s, which HTTP itself sets',
    async (header) => {
      const text = JSON.stringify({ ...sampleProfile(), headers: { [header]: 'x' } })
      const { problems } = await refusal(load('header.json', text))
      expect(problems).toEqual([
        `\`headers.${header}\` is a wrong key: HTTP itself sets this header for each request; take it out`,
      ])
    },
  )

  it('hides a secret that stands where none belongs too', async () => {
    const text = stringify({ ...sampleProfile(), environment: SAMPLE_ENV.SAMPLE_SECRET })
    const { message } = await refusal(load('l.yaml', text))
    expect(message).toContain('received "[secret]"')
  })
})

/** More than a mebibyte. */
const MANY_KEYS = Array.from({ length: 2e5 }, (_, at) => `k${at}: 1`).join('\n')

describe('loadProfile of a file that gives no profile', () => {
  it('says that it does not exist, and what may be meant', async () => {
    await write('bank.yaml', json())
    const { message } = await refusal(loadProfile(join(folder, 'bnak.yaml'), {}))
    expect(message).toContain('does not exist')
    expect(message).toContain('did you mean bank.yaml?')
    expect((await refusal(loadProfile(join(folder, 'no/such.yaml'), {}))).message).toContain('check the path')
  })

  it('says that it is a folder', async () => {
    await mkdir(join(folder, 'folder.yaml'))
    expect((await refusal(loadProfile(join(folder, 'folder.yaml'), {}))).message).toContain('is a folder')
  })

  // The superuser may read everything.
  it.skipIf(process.getuid?.() === 0)('says that it may not be read', async () => {
    const file = await write('locked.yaml', json())
    await chmod(file, 0)
    expect((await refusal(loadProfile(file, {}))).message).toContain('may not be read')
  })

  it.each(['bank', 'bank.txt', 'bank.toml', 'bank.tsx'])('says that %s is of no known kind', async (name) => {
    const { message } = await refusal(load(name, 'planted'))
    expect(message).toContain('its name ends with one of .ts, .js, .mjs, .json, .yaml, .yml')
  })

  it.each([
    ['empty.yaml', '', 'it is empty'],
    ['comment.yaml', '# planted', 'it is empty'],
    ['null.json', 'null', 'it is empty'],
    ['deep.json', '['.repeat(1e5), 'is nested too deep'],
    ['deep.yaml', '['.repeat(1e5), 'is nested too deep'],
    ['lists.yaml', '- '.repeat(4e5), 'is nested too deep'],
    ['cycle.yaml', 'testHooks: &a { b: *a }', '`testHooks.b` contains itself'],
    ['long.yaml', MANY_KEYS, 'at most 1 MiB are read'],
    ['long.json', `{${MANY_KEYS}}`, 'at most 1 MiB are read'],
    [
      'many.ts',
      'export default Object.fromEntries(Array.from({ length: 2e4 }, (_, at) => [`k${at}`, at]))',
      'it has more than 10000 values',
    ],
    ['proto.yaml', 'notApplicable:\n  __proto__: planted', 'it has the key __proto__'],
    ['proto.json', '{"notApplicable": {"__proto__": "planted"}}', 'it has the key __proto__'],
    ['list.json', '["planted"]', 'a profile is an object of keys and values; received a list'],
    ['text.yaml', 'planted', 'a profile is an object of keys and values; received text'],
    ['fault.yaml', 'name: x\npassword: *planted', 'needs quotes (line 2, column 11)'],
    ['fault.json', '{\n  "password": planted\n}', '(line 2, column 15)'],
    ['named.ts', 'export const profile = 1', 'it has no default export'],
    ['function.ts', 'export default () => ({})', 'its default export is a function'],
    ['promise.ts', 'export default Promise.resolve({})', 'its default export is a promise'],
    ['throws.ts', "\n  throw new TypeError('planted')", 'it threw TypeError while it was read'],
    ['throws-text.mjs', "throw 'planted'", 'it threw something while it was read'],
    ['imports.mjs', "import './planted.mjs'\nexport default 1", 'it threw Error'],
  ])('says what is wrong with %s', async (name, text, what) => {
    const { message } = await refusal(load(name, text))
    expect(message).toContain(what)
    expect(message).not.toContain('planted')
  })

  it.each([
    ['fault.ts', 'const a: number = 1\nexport default {\n  secret: hunter planted,\n}'],
    ['fault.mjs', 'const a = 1\nexport default {\n  secret: hunter planted,\n}'],
  ])('gives the place of the fault in %s, here and in the built program', async (name, text) => {
    const alone = await mkdtemp(join(folder, 'alone-'))
    const file = join(alone, name)
    await writeFile(file, text)
    const place = 'it is not valid TypeScript or JavaScript (line 3, column 18)'
    const { message } = await refusal(loadProfile(file, {}))
    expect(message).toContain(place)
    const reported = await inBuiltProgram(file)
    expect(reported).toContain(place)
    expect(message + reported).not.toContain('planted')
  })

  it('says what to write instead of module.exports in TypeScript', async () => {
    expect(await inBuiltProgram(await write('common.ts', `module.exports = ${json()}`))).toContain(
      'write `export default { … }` instead of `module.exports = { … }`',
    )
  })

  it('gives the place of a throw in the built program', async () => {
    expect(
      await inBuiltProgram(await write('thrower.ts', 'const a: number = 1\nnothing.at.all()')),
    ).toContain(
      'it threw ReferenceError while it was read; to see its text, catch it in the file: `try { … } catch (error) { console.error(error); throw error }` (line 2, column 1)',
    )
  })
})

/** What the built program gets to know of a profile. */
const inBuiltProgram = async (file: string): Promise<string> => {
  const loader = pathToFileURL(built('harness/profile/load.ts')).href
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    `import { loadProfile } from ${JSON.stringify(loader)}
     await loadProfile(${JSON.stringify(file)}, ${JSON.stringify(SAMPLE_ENV)}).then(
       ({ profile }) => console.log(profile.name),
       (error) => console.log(error.name + ': ' + error.message),
     )`,
  )
  const { stdout } = await execa`node --enable-source-maps ${program}`
  return stdout
}

describe('a profile in TypeScript', () => {
  it('is typed by defineProfile, and loads in the built program', async () => {
    const define = pathToFileURL(new URL('./load.ts', import.meta.url).pathname).href
    const file = await write(
      'typed.ts',
      `import { defineProfile } from '${define}'\nexport default defineProfile(${json()})`,
    )
    expect(await inBuiltProgram(file)).toBe('Sample bank')
  })
})

describe('resolveProfile', () => {
  it('settles a profile that comes from no file, without a warning of plain text', () => {
    const application = sampleApplication()
    const input: ProfileInput = {
      ...sampleProfile(),
      applications: [{ ...application, clientSecret: 'pl4nted' }],
    }
    const loaded = resolveProfile(input, SAMPLE_ENV, 'the reference bank')
    expect(loaded).toMatchObject({ file: 'the reference bank', warnings: [] })
    expect(loaded.secrets).toContain('pl4nted')
  })
})

it('an example of the documentation loads without a warning', async () => {
  const example = new URL('./example.yaml', import.meta.url).pathname
  const loaded = await loadProfile(example, {
    BANK_CLIENT_ID: 'id-1',
    BANK_CLIENT_SECRET: 'secret-1',
    BANK_USERNAME: 'anna',
    BANK_PASSWORD: 'password-1',
    BANK_ADMIN_TOKEN: 'token-1',
  })
  expect(loaded.warnings).toEqual([])
  expect(loaded.secrets).toHaveLength(5)
  expect(loaded.profile.testHooks.revokeToken?.headers).toEqual({ Authorization: 'Bearer token-1' })
})

describe('no message shows a secret', () => {
  const PLANTED = 'Pl4nted-s3cret'

  /** Profiles with a planted secret in a place for secrets, and anything at all beside it. */
  const anything = fc.oneof(fc.jsonValue(), fc.constant({ kind: 'tokens' }), fc.constant([{}]))
  const strange = fc.record(
    {
      name: anything,
      baseUrl: fc.oneof(anything, fc.constant(`https://user:${PLANTED}@bank.example`)),
      applications: fc.oneof(
        anything,
        fc.array(
          fc.record(
            {
              name: anything,
              clientSecret: fc.constantFrom(PLANTED, { a: PLANTED }, [PLANTED]),
              clientScret: fc.constant(PLANTED),
            },
            { requiredKeys: [] },
          ),
        ),
      ),
      customers: fc.oneof(
        anything,
        fc.constant(PLANTED),
        fc.constant([{ password: PLANTED, passwrd: PLANTED }]),
      ),
      headers: fc.oneof(anything, fc.dictionary(fc.string(), fc.constantFrom(PLANTED, `Bearer ${PLANTED}`))),
      testHooks: fc.oneof(
        anything,
        fc.constant({ revokeToken: { body: { secret: PLANTED }, urll: PLANTED } }),
      ),
      authorization: fc.oneof(
        anything,
        fc.constant({ kind: 'tokens', tokens: [{ accessToken: PLANTED, x: PLANTED }] }),
      ),
    },
    { requiredKeys: [] },
  )

  it('whatever is wrong with the profile', () => {
    fc.assert(
      fc.property(strange, fc.dictionary(fc.string(), fc.constant(PLANTED)), (input, unknown) => {
        try {
          resolveProfile({ ...unknown, ...input } as unknown as ProfileInput, { PLANTED }, 'the test')
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError)
          for (const secret of [PLANTED, 's3cret']) expect(String(error)).not.toContain(secret)
        }
      }),
      { numRuns: 300 },
    )
  })
})
