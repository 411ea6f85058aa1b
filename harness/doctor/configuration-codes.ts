/** Codes of what the profile says, and of what it leaves out. */
export const CONFIGURATION_CODES = {
  'CFG-CONN-1': {
    level: 'error',
    title: 'The files of `connection` cannot be used',
    next: 'Correct `connection.ca`, `connection.certificate`, `connection.key` and `connection.passphrase`.',
  },
  'CFG-CONN-2': {
    level: 'warning',
    title: 'The client certificate is out of date, or soon will be',
    next: 'Have it renewed, and name the new files in `connection.certificate` and `connection.key`.',
  },
  'CFG-CRED-1': {
    level: 'error',
    title: 'The credentials of an application are refused',
    next: 'Correct its `clientId` and `clientSecret`; do they belong to this environment?',
  },
  'CFG-URI-1': {
    level: 'error',
    title: 'A redirect URI is refused',
    next: 'Write it as it is registered, to the letter, or register it at the target.',
  },
  'CFG-BIND-1': {
    level: 'notice',
    title: 'The profile leaves bindings at their defaults',
    next: 'Compare them with the documentation of the target; write down those that were looked up.',
  },
  'CFG-LEVER-1': {
    level: 'warning',
    title: 'A lever stands at an origin that nothing is sent to',
    next: 'Add its origin to `origins`, or the lever is never pulled.',
  },
} as const
