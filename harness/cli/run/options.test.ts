import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { TextAskedFor } from '../options.ts'
import { scratch } from '../../testing/samples/reports.ts'
import { parseRunOptions, refuseRunOptionsConsumedByNpm } from './options.ts'
import { baseOf } from '../../engine/run/command-line.ts'
import type { RunOptions } from '../../engine/run/options.ts'

const optionsOf = (...argv: readonly string[]): RunOptions => {
  const invocation = parseRunOptions(argv)
  if (invocation.kind !== 'run') throw new Error(`no run but ${invocation.kind}`)
  return invocation
}

/** What is printed instead of a run. */
const textOf = (...argv: readonly string[]): string => {
  try {
    parseRunOptions(argv)
  } catch (error) {
    if (error instanceof TextAskedFor) return error.text
    throw error
  }
  return ''
}

const problemsOf = (...argv: readonly string[]): readonly string[] => {
  try {
    parseRunOptions(argv)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

const TARGET = ['--profile', 'bank.yaml', '--base-url']

describe('parseRunOptions', () => {
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
      pages: true,
      pdf: false,
      dryRun: false,
      yes: false,
    })
  })

  it('reads every option, with a space or an equals sign', () => {
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
})

describe('parseRunOptions refuses', () => {
  it.each([
    ['--base-ulr', "unknown option '--base-ulr'; did you mean '--base-url'?"],
    ['--base-ulr=https://user:planted@h', "unknown option '--base-ulr'; did you mean '--base-url'?"],
    ['--dryrun', "unknown option '--dryrun'; did you mean '--dry-run'?"],
    ['--zzzzzzzzz', "unknown option '--zzzzzzzzz'; see npm test -- --help"],
    ['--strict=yes', '--strict takes no value; write it without one'],
    ['PAY-09', "'PAY-09' does not belong to an option; to select requirements, write --only PAY-09"],
    [
      'https://u:planted@h',
      '"https://…@h" does not belong to an option; to pass the URL of a target, write --base-url before it',
    ],
    ['--out', '--out needs a value'],
    ['--only', '--only needs a value'],
    ['--time=walk', "--time: expected one of auto, wall, received 'walk'; did you mean wall?"],
    ['--time=virtual', "--time: expected one of auto, wall, received 'virtual'"],
    ['--out=', '--out is empty; give it a folder, or leave it out'],
    ['--profile=', '--profile is empty; give it a file, or leave it out'],
    ['--only=A,,B', '--only has an empty value; separate names with spaces or commas'],
  ])('%s', (argument, problem) => {
    expect(problemsOf(argument)).toEqual([problem])
  })

  it.each([
    ['--environment=prod', "received 'prod'; did you mean production?"],
    ['--allow=read,pya', "received 'pya'; did you mean pay?"],
    ['--webhook-url=me.example', 'such as https://me.example:8443/webhook, received "me.example"'],
    ['--webhook-url=https://me.example/?a=b', '"https://me.example/?…" carries a query or a fragment'],
  ])('%s, with the expected form', (argument, part) => {
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

  it('an option instead of a value', () => {
    expect(problemsOf('--out', '--dry-run')).toEqual(["--out needs a folder, but is followed by '--dry-run'"])
    expect(problemsOf('--only', '--strict')).toEqual(["--only needs a value, but is followed by '--strict'"])
    expect(problemsOf('--profile', '--base-url=https://u:planted@h')).toEqual([
      "--profile needs a file, but is followed by '--base-url'",
    ])
  })

  it('a base URL without a profile', () => {
    expect(problemsOf('--base-url', 'https://bank.example')).toEqual([
      expect.stringMatching(/^--base-url needs --profile too: .*; to write it: npm run init -- --base-url /),
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

  it('every problem at once', () => {
    expect(problemsOf('stray', '--seed', '007', '--runs', '0', '--sede', '1', '--time', 'x')).toHaveLength(5)
  })
})

describe('parseRunOptions of arbitrary words', () => {
  const ours = '--only --seed --base-url --strict -- - --help=1 -hV --no-strict __proto__ 5 A,B'.split(' ')
  const words = fc.array(fc.oneof(fc.string(), fc.constantFrom(...ours)))

  it('returns a run or a text, or throws, without output or exit', () => {
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
            return ['run', 'resume'].includes(parseRunOptions(argv).kind)
          } catch (error) {
            if (error instanceof TextAskedFor) return true
            return error instanceof ConfigurationError && error.problems.length > 0
          }
        }),
      )
      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })
})

describe('help and version', () => {
  const help = textOf('--help')

  it('are asked for with any other options', () => {
    expect(help).toContain('Usage: npm test --')
    expect(textOf('-h', '--seed', '007', '--nonsense')).toBe(help)
    expect(textOf('--version')).toBe(`${manifest.name} ${manifest.version}\n`)
  })

  it('fits 80 columns', () => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it.each([
    ['--base-url <url>', "(default: the profile's)"],
    ['--profile <file>', '(default: none, the embedded reference bank is checked)'],
    ['--environment <name>', "(default: the profile's)"],
    ['--only <selector...>', '(default: all)'],
    ['--skip <selector...>', '(default: none)'],
    ['--allow <effect...>', '(default: none)'],
    ['--strict', '(default: it is a warning)'],
    ['--seed <n>', '(default: 42)'],
    ['--runs <n>', '(default: 25)'],
    ['--rate <n>', '(default: no limit)'],
    ['--concurrency <n>', '(default: 1, since'],
    ['--time <source>', '(default: auto)'],
    ['--webhook-url <url>', '(default: none)'],
    ['--out <dir>', '(default: reports/latest)'],
    ['--dry-run', '(default: off)'],
  ])('shows the default of %s', (flags, standard) => {
    const flat = help.replaceAll(/\s+/g, ' ')
    const rest = flat.slice(flat.indexOf(` ${flags} `))
    expect(rest.slice(0, rest.indexOf(')') + 1)).toContain(standard)
  })

  it('lists every exit code', () => {
    for (const code of [0, 1, 2, 3, 4, 5, 130]) expect(help).toMatch(new RegExp(`^  ${code} +\\S`, 'm'))
  })

  it('shows examples that can be run', () => {
    const examples = [...help.matchAll(/^ {2}npm test -- (.*?)( {2}.*)?$/gm)].map(([, argv = '']) => argv)
    expect(examples.length).toBeGreaterThan(2)
    for (const argv of examples) expect(['run', 'resume']).toContain(parseRunOptions(argv.split(' ')).kind)
  })
})

describe('--resume', () => {
  it.each([
    ['', 'nothing'],
    ['--profile bank.yaml --allow pay --yes', 'target'],
    ['--profile bank.yaml --seed=7', 'others'],
  ])("with '%s' has %s of the options of the run", (typed, has) => {
    const argv = ['--resume', '--out', 'reports/bank', ...typed.split(' ').filter(Boolean)]
    expect(parseRunOptions(argv)).toMatchObject({ kind: 'resume', out: 'reports/bank', has })
  })

  it.each([
    ['--dry-run', '--dry-run exclude each other'],
    ['--seed x', '--seed'],
    ['--base-url http://h', '--base-url needs --profile'],
  ])('refuses %s', (argv, problem) => {
    expect(problemsOf('--resume', ...argv.split(' ')).join()).toContain(problem)
  })
})

describe('--scope', () => {
  it('is one of the named scopes', () => {
    expect(optionsOf('--scope', 'account-information').scope).toBe('account-information')
    expect(optionsOf().scope).toBeUndefined()
    expect(problemsOf('--scope', 'payment')).toEqual([
      "--scope: expected one of full, account-information, payments, loans, authorization-server, received 'payment'; did you mean payments?",
    ])
  })

  it('is not in the command that repeats one check, and neither is the operator', () => {
    expect(optionsOf('--operator', 'Anna K.').operator).toBe('Anna K.')
    expect(baseOf(['--profile', 'bank.yaml', '--scope', 'loans', '--operator', 'Anna K.', '--strict'])).toBe(
      'npm test -- --profile bank.yaml --strict',
    )
  })
})

describe('refuseRunOptionsConsumedByNpm', () => {
  it('reports options that npm has consumed', () => {
    const refuse = (): void =>
      refuseRunOptionsConsumedByNpm({
        npm_config_base_url: 'https://u:planted@h',
        npm_config_dry_run: 'true',
      })
    expect(refuse).toThrow(ConfigurationError)
    expect(refuse).toThrow('npm has consumed --base-url, --dry-run')
    expect(refuse).not.toThrow('planted')
  })

  it('finds an option that npm drops, since it has a setting of that name, in the log of npm', () => {
    const folder = scratch()
    const log = (...words: readonly string[]): NodeJS.ProcessEnv => {
      const argv = words.map((word) => JSON.stringify(word)).join(' ')
      writeFileSync(
        join(folder, '2026-11-27T20_15_14_498Z-debug-0.log'),
        `3 silly config load:file:/bank/.npmrc\n10 verbose argv ${argv}\n`,
      )
      const script = { npm_command: 'test', npm_lifecycle_event: 'test' }
      return { ...script, npm_config_local_prefix: '/bank', npm_config_logs_dir: folder }
    }
    const refusing = (env: NodeJS.ProcessEnv) => () => refuseRunOptionsConsumedByNpm(env)
    expect(refusing(log('test', '--only', 'TOK-05'))).toThrow('npm has consumed --only; write a bare --')
    expect(refusing(log('test', '--only=TOK-05', '--yes'))).toThrow('npm has consumed --only, --yes')
    expect(refusing(log('t', '--only', 'TOK-05'))).toThrow('npm has consumed --only')
    expect(refusing(log('test', '--', '--only', 'TOK-05'))).not.toThrow()
    expect(refusing(log('pack', '--dry-run'))).not.toThrow()
    expect(refusing({ ...log('test', '--only', 'x'), npm_config_local_prefix: '/other' })).not.toThrow()
    expect(refusing({ ...log('test', '--only', 'x'), npm_config_logs_dir: '/nowhere' })).not.toThrow()
  })

  it('ignores the settings of npm', () => {
    expect(() =>
      refuseRunOptionsConsumedByNpm({ npm_config_only: 'production', npm_config_user_agent: 'npm' }),
    ).not.toThrow()
  })
})
