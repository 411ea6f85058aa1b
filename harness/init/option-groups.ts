import { AUTHORIZATIONS, VARIANTS } from './answers.ts'
import { DEFAULTS } from './given.ts'

/** The options of `npm run init`, as `--help` tells them. */

type Group = readonly [heading: string, options: readonly (readonly [flags: string, description: string])[]]

export const GROUPS: readonly Group[] = [
  [
    'The bank',
    [
      ['--base-url <url>', 'what its documentation writes before every path'],
      ['--name <text>', "the target's name, as reports show it (default: the host of the base URL)"],
      ['--environment <name>', `sandbox or production (default: ${DEFAULTS.environment})`],
      [
        '--base-path <path>',
        'what stands between base URL and path there; / for nothing (default: what answers)',
      ],
      ['--accounts-variant <name>', `${VARIANTS.join(', ')} (default: what answers)`],
      ['--payments', 'it offers payments (--no-payments: it does not; default: not)'],
      ['--no-payments', ''],
      ['--debtor <name and iban>', "from whose account the payments go: one of the customer's"],
      ['--creditor <name and iban>', 'to whom they go'],
      ['--loans', 'it offers instalment loans (--no-loans: it does not; default: not)'],
      ['--no-loans', ''],
      ['--webhook-url <url>', 'where it reaches this machine with notifications (default: none)'],
      ['--webhook-port <n>', "the port behind that on this machine (default: the URL's, or 8080)"],
    ],
  ],
  [
    'Your application there',
    [
      ['--kind <kind>', 'TPP (acts for its customers) or FAC (uses its own data)'],
      [
        '--client-id-env <variable>',
        'the environment variable that holds its client id, such as BANK_CLIENT_ID',
      ],
      ['--client-secret-env <variable>', 'and its secret: the name of the variable, never the value'],
      ['--redirect-uri <uri...>', 'its redirect URIs, as they are registered'],
      [
        '--delivery <how...>',
        'redirect, or result-screen where the bank shows the code on a page; in the order of the URIs (default: redirect)',
      ],
    ],
  ],
  [
    'The customer who authorizes',
    [
      ['--authorization <way>', `${AUTHORIZATIONS.join(', ')} (default: ${DEFAULTS.authorization})`],
      ['--customer <text>', `your label for the customer (default: ${DEFAULTS.customer})`],
      ['--username-env <variable>', 'the environment variable that holds the user name'],
      ['--password-env <variable>', 'and the password'],
      ['--access-token-env <variable>', 'of --authorization tokens: the variable that holds a token'],
    ],
  ],
  [
    'The file',
    [
      ['--out <file>', 'where the profile is written: .yaml or .yml (default: bank.yaml)'],
      ['--force', 'write over a file that is there'],
      ['--no-try', 'send nothing: write the profile as it was answered'],
      ['--log-in', 'where the pages are looked at, log in and agree, so that all of them are found'],
      ['-h, --help', 'print this text'],
    ],
  ],
]
