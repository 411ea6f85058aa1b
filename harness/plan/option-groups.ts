import { EFFECTS } from '../evidence/effect.ts'

/** The options of `npm test`, as `--help` tells them. */

export const DEFAULTS = { seed: 42, runs: 25, time: 'auto', out: 'reports/latest' } as const

type Group = readonly [heading: string, options: readonly (readonly [flags: string, description: string])[]]

export const GROUPS: readonly Group[] = [
  [
    'Whom to judge',
    [
      [
        '--profile <file>',
        'what the owner of the target has to tell: .ts, .js, .mjs, .json, .yaml or .yml (default: none, the embedded reference bank is judged)',
      ],
      ['--base-url <url>', "the target's base URL, with --profile (default: the profile's)"],
      ['--environment <name>', "sandbox or production (default: the profile's)"],
      ['--webhook-url <url>', 'where the target reaches this machine with notifications (default: none)'],
    ],
  ],
  [
    'What to judge',
    [
      ['--only <selector...>', 'these requirements alone: ids, chapters, tags (default: all)'],
      ['--skip <selector...>', 'all but these; `time` is all that waits (default: none)'],
      [
        '--allow <effect...>',
        `what may be done to the target, beside what the profile allows: ${EFFECTS.join(', ')} (default: nothing more)`,
      ],
      ['--strict', 'a broken SHOULD fails the run too (default: it warns)'],
      ['--waivers <file>', 'declared exceptions, each with its reason, owner and last day (default: none)'],
      [
        '--shard <i/n>',
        'part i of n of the plan: run all n, and put them together with npm run merge (default: the whole plan)',
      ],
      ['--dry-run', 'show the plan and send nothing (default: off)'],
      [
        '--yes',
        'do not ask back before a run that does more in production than reading and consents (default: a terminal is asked)',
      ],
    ],
  ],
  [
    'How to judge',
    [
      ['--seed <n>', `seed of all that is random, 32 bits (default: ${DEFAULTS.seed})`],
      ['--runs <n>', `tries of each property (default: ${DEFAULTS.runs})`],
      ['--rate <n>', 'requests per second at most (default: no limit)'],
      [
        '--budget <n>',
        "requests in all at most; those above it are not sent (default: the profile's, or no limit)",
      ],
      [
        '--concurrency <n>',
        'scenarios at a time (default: 1, since scenarios share the customer and a later grant may end an earlier one)',
      ],
      [
        '--time <source>',
        `auto: move the target's clock if it can be moved; wall: wait, and leave to --resume what takes longer than the run may last (default: ${DEFAULTS.time})`,
      ],
      ['--out <dir>', `folder of the reports (default: ${DEFAULTS.out})`],
      ['--resume', 'go on with the run in --out that was interrupted, or that waits (default: a new run)'],
    ],
  ],
  [
    'Other',
    [
      ['-h, --help', 'print this text'],
      ['-V, --version', 'print the version'],
    ],
  ],
]
