import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ConfigurationError } from '../profile/configuration-error.ts'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { parseOptions, refuseSwallowedOptions } from './options.ts'
import { settleTarget } from './settled-target.ts'
import type { Invocation, Options } from './options.ts'
import type { ProfileInput } from '../profile/schema.ts'

const optionsOf = (...argv: readonly string[]): Options => {
  const invocation = parseOptions(argv)
  if (invocation.kind !== 'run') throw new Error(`no run but ${invocation.kind}`)
  return invocation
}

const textOf = (invocation: Invocation): string => ('text' in invocation ? invocation.text : '')

const problemsOf = (...argv: readonly string[]): readonly string[] => {
  try {
    parseOptions(argv)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

const TARGET = ['--profile', 'bank.yaml', '--base-url']

describe('parseOptions', () => {
  it('certifies the reference bank by default', () => {
    expect(optionsOf()).toEqual({
      kind: 'run',
      only: [],
      skip: [],
      allow: [],
      strict: false,
      seed: 42,
      runs: 25,
      time: 'auto',
      out: 'reports/latest',
      dryRun: false,
      yes: false,
    })
  })

  it('reads every option, with a blank or an equals sign', () => {
    const values = {
      '--base-url': 'https://bank.example/api',
      '--profile': 'bank.yaml',
      '--environment': 'production',
      '--seed': '-7',
      '--runs': '3',
      '--rate': '10',
      '--concurrency': '1',
      '--time': 'wall',
      '--webhook-url': 'https://me.example/hook/',
      '--out': 'out/a',
    }
    const options = {
      baseUrl: 'https://bank.example/api',
      profile: 'bank.yaml',
      environment: 'production',
      seed: -7,
      runs: 3,
      rate: 10,
      concurrency: 1,
      time: 'wall',
      webhookUrl: 'https://me.example/hook/',
      out: 'out/a',
      strict: true,
      dryRun: true,
    }
    const pairs = Object.entries(values)
    const flags = ['--strict', '--dry-run']
    expect(optionsOf(...pairs.flat(), ...flags)).toMatchObject(options)
    expect(optionsOf(...pairs.map((pair) => pair.join('=')), ...flags)).toMatchObject(options)
  })

  it.each([
    [['--only', 'A', 'B']],
    [['--only', 'A,B']],
    [['--only=A,B']],
    [['--only', 'A', '--only', 'B']],
    [['--only', 'A', '--strict', '--only', 'B,A']],
    [['--only', ' A , B ']],
  ])('accumulates selectors: %o', (argv) => {
    expect(optionsOf(...argv).only).toEqual(['A', 'B'])
  })

  it('takes what follows a selector for another one, up to the next option', () => {
    expect(optionsOf('--skip', 'loans', 'payments', '--seed', '1').skip).toEqual(['loans', 'payments'])
  })
})

describe('parseOptions refuses', () => {
  it.each([
    ['--base-ulr', "unknown option '--base-ulr'; did you mean '--base-url'?"],
    ['--base-ulr=https://user:planted@h', "unknown option '--base-ulr'; did you mean '--base-url'?"],
    ['--dryrun', "unknown option '--dryrun'; did you mean '--dry-run'?"],
    ['--zzzzzzzzz', "unknown option '--zzzzzzzzz'; see npm test -- --help"],
    ['--strict=yes', '--strict takes no value; write it alone'],
    ['PAY-09', "'PAY-09' belongs to no option; to choose what runs, write --only PAY-09"],
    [
      'https://u:planted@h',
      '"https://…@h" belongs to no option; to name a target, write --base-url before it',
    ],
    ['--out', '--out needs a value behind it'],
    ['--only', '--only needs a value behind it'],
    ['--time=walk', "--time: expected one of auto, wall, received 'walk'; did you mean wall?"],
    ['--time=virtual', "--time: expected one of auto, wall, received 'virtual'"],
    ['--out=', '--out is empty; give it a folder, or leave it out'],
    ['--profile=', '--profile is empty; give it a file, or leave it out'],
    ['--only=A,,B', '--only has an empty value; give it names, between blanks or commas'],
  ])('%s', (argument, problem) => {
    expect(problemsOf(argument)).toEqual([problem])
  })

  it.each([
    ['--environment=prod', "received 'prod'; did you mean production?"],
    ['--allow=read,pya', "received 'pya'; did you mean pay?"],
    ['--webhook-url=me.example', 'such as https://me.example:8443/webhook, received "me.example"'],
    ['--webhook-url=https://me.example/?a=b', '"https://me.example/?…" carries a query or a fragment'],
  ])('%s, saying what it expected', (argument, part) => {
    expect(problemsOf(argument)).toEqual([expect.stringContaining(part)])
  })

  it.each(['--runs', '--rate', '--concurrency'])('a wrong count: %s', (name) => {
    const wrong = '007 1e3 1.5 -1 0 +1 0x10 ten 1_000 99999999999999999999'.split(' ')
    for (const value of [...wrong, '', ' 1', '1 ']) {
      const [problem, ...more] = problemsOf(`${name}=${value}`)
      expect(problem).toContain(`${name}: expected a whole number from 1 to `)
      expect(problem).toContain(`received '${value}'`)
      expect(more).toEqual([])
    }
  })

  it.each(['2147483648', '-2147483649', '-0', '01', '1.0', 'random'])('the seed %s', (seed) => {
    expect(problemsOf('--seed', seed)).toEqual([
      `--seed: expected a whole number from -2147483648 to 2147483647, without leading zeros; received '${seed}'`,
    ])
  })

  it('an option in the place of a value', () => {
    expect(problemsOf('--out', '--dry-run')).toEqual(["--out needs a folder; what follows it is '--dry-run'"])
    expect(problemsOf('--only', '--strict')).toEqual(["--only needs a value; what follows it is '--strict'"])
    expect(problemsOf('--profile', '--base-url=https://u:planted@h')).toEqual([
      "--profile needs a file; what follows it is '--base-url'",
    ])
  })

  it('a base URL without a profile', () => {
    expect(problemsOf('--base-url', 'https://bank.example')).toEqual([
      '--base-url needs --profile beside it: the file that tells the credentials and customers of the target',
    ])
  })

  it.each(['h', 'ftp://h', 'https://h?x=1', 'https://h/#x', 'https://u:planted@h'])(
    'the base URL %s',
    (url) => {
      const problems = problemsOf(...TARGET, url)
      expect(problems).toEqual([expect.stringMatching(/^--base-url: /)])
      expect(problems.join()).not.toContain('planted')
    },
  )

  it('all that is wrong at once', () => {
    expect(problemsOf('stray', '--seed', '007', '--runs', '0', '--sede', '1', '--time', 'x')).toHaveLength(5)
  })
})

describe('parseOptions of any words', () => {
  const ours = '--only --seed --base-url --strict -- - --help=1 -hV --no-strict __proto__ 5 A,B'.split(' ')
  const words = fc.array(fc.oneof(fc.string(), fc.constantFrom(...ours)))

  it('gives a run or a text, or refuses, and writes and ends nothing itself', () => {
    const spies = [
      vi.spyOn(process, 'exit').mockImplementation(() => {
        throw new Error('the process was ended')
      }),
      vi.spyOn(process.stdout, 'write'),
      vi.spyOn(process.stderr, 'write'),
    ]
    try {
      fc.assert(
        fc.property(words, (argv) => {
          try {
            return ['run', 'resume', 'help', 'version'].includes(parseOptions(argv).kind)
          } catch (error) {
            return error instanceof ConfigurationError && error.problems.length > 0
          }
        }),
      )
      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })

  it('reads any seed of 32 bits', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(optionsOf('--seed', String(seed)).seed).toBe(seed)
      }),
    )
  })

  it('knows the same selectors in every form', () => {
    const selectors = fc.uniqueArray(fc.stringMatching(/^[A-Z]{2,4}-\d\d$/), { minLength: 1 })
    fc.assert(
      fc.property(selectors, (names) => {
        expect(optionsOf('--only', ...names).only).toEqual(names)
        expect(optionsOf(`--only=${names.join()}`).only).toEqual(names)
        expect(optionsOf(...names.flatMap((name) => ['--only', name])).only).toEqual(names)
      }),
    )
  })
})

describe('help and version', () => {
  const help = textOf(parseOptions(['--help']))

  it('come back as a value, whatever stands beside them', () => {
    expect(parseOptions(['--help']).kind).toBe('help')
    expect(parseOptions(['-h', '--seed', '007', '--nonsense']).kind).toBe('help')
    expect(parseOptions(['--version'])).toEqual({
      kind: 'version',
      text: `${manifest.name} ${manifest.version}\n`,
    })
  })

  it('fits 80 columns', () => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it.each([
    ['--base-url <url>', "(default: the profile's)"],
    ['--profile <file>', '(default: none, the embedded reference bank is judged)'],
    ['--environment <name>', "(default: the profile's)"],
    ['--only <selector...>', '(default: all)'],
    ['--skip <selector...>', '(default: none)'],
    ['--allow <effect...>', '(default: nothing more)'],
    ['--strict', '(default: it warns)'],
    ['--seed <n>', '(default: 42)'],
    ['--runs <n>', '(default: 25)'],
    ['--rate <n>', '(default: no limit)'],
    ['--concurrency <n>', '(default: 1, since'],
    ['--time <source>', '(default: auto)'],
    ['--webhook-url <url>', '(default: none)'],
    ['--out <dir>', '(default: reports/latest)'],
    ['--dry-run', '(default: off)'],
  ])('tells the default of %s', (flags, standard) => {
    const flat = help.replaceAll(/\s+/g, ' ')
    const behind = flat.slice(flat.indexOf(` ${flags} `))
    expect(behind.slice(0, behind.indexOf(')') + 1)).toContain(standard)
  })

  it('tells every exit code', () => {
    for (const code of [0, 1, 2, 3, 4, 5, 130]) expect(help).toMatch(new RegExp(`^  ${code} +\\S`, 'm'))
  })

  it('shows examples that can be run', () => {
    const examples = [...help.matchAll(/^ {2}npm test -- (.*?)( {2}.*)?$/gm)].map(([, argv = '']) => argv)
    expect(examples.length).toBeGreaterThan(2)
    for (const argv of examples) expect(['run', 'resume']).toContain(parseOptions(argv.split(' ')).kind)
  })
})

describe('settleTarget', () => {
  const profileOf = (changes: Partial<ProfileInput> = {}): ReturnType<typeof profileSchema.parse> =>
    profileSchema.parse({ ...sampleProfile(), ...changes })

  it('takes what the profile says', () => {
    expect(settleTarget(optionsOf('--profile', 'bank.yaml'), profileOf())).toEqual({
      baseUrl: 'https://api.bank.example',
      environment: 'sandbox',
      allowed: ['read', 'consent', 'notify', 'apply', 'pay'],
    })
  })

  it('puts the options over it', () => {
    const options = optionsOf(
      ...TARGET,
      'http://localhost:1',
      '--environment',
      'production',
      '--allow',
      'pay,read',
    )
    expect(settleTarget(options, profileOf())).toEqual({
      baseUrl: 'http://localhost:1',
      environment: 'production',
      allowed: ['read', 'consent', 'pay'],
    })
  })

  it('refuses a profile that names no target, and says what to do', () => {
    const nowhere = profileOf()
    delete nowhere.baseUrl
    const settle = (): unknown => settleTarget(optionsOf('--profile', 'bank.yaml'), nowhere)
    expect(settle).toThrow(ConfigurationError)
    expect(settle).toThrow('pass --base-url URL, or write `baseUrl` into the profile')
  })

  it('refuses a base path that would be doubled', () => {
    const options = optionsOf(...TARGET, 'https://bank.example/premium/sandbox/')
    expect(() => settleTarget(options, profileOf())).toThrow('ends with the base path /premium/sandbox')
  })

  it('accepts a target without a base path', () => {
    const profile = profileOf({ basePaths: { sandbox: '/' } })
    expect(settleTarget(optionsOf('--profile', 'bank.yaml'), profile).baseUrl).toBe(
      'https://api.bank.example',
    )
  })
})

describe('refuseSwallowedOptions', () => {
  it('notices what npm kept for itself', () => {
    const refuse = (): void =>
      refuseSwallowedOptions({ npm_config_base_url: 'https://u:planted@h', npm_config_dry_run: 'true' })
    expect(refuse).toThrow(ConfigurationError)
    expect(refuse).toThrow('npm has taken --base-url, --dry-run for an option of its own')
    expect(refuse).not.toThrow('planted')
  })

  it('does not mind the settings of npm', () => {
    expect(() =>
      refuseSwallowedOptions({ npm_config_only: 'production', npm_config_user_agent: 'npm' }),
    ).not.toThrow()
  })
})
