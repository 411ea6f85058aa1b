/** Codes of what the target itself answers. */
export const TARGET_CODES = {
  'TGT-HTTP-1': {
    level: 'error',
    title: 'No answer comes before the deadline',
    next: 'Ask whether the target is up; if it is slow, raise `deadlines.requestMs`.',
  },
  'TGT-HTTP-2': {
    level: 'error',
    title: 'The connection is closed instead of an answer',
    next: 'Is it the right port and protocol in `baseUrl` (or --base-url)? A gateway may ask for a certificate or a header (`connection.certificate`, `headers`).',
  },
  'TGT-HTTP-3': {
    level: 'error',
    title: 'The answer cannot be read as HTTP',
    next: 'Is it an HTTP port? A port that speaks TLS needs https:// in `baseUrl` (or --base-url).',
  },
  'TGT-HTTP-4': {
    level: 'warning',
    title: 'The target breaks down over a simple request',
    next: 'Look at its log: a run would be left open (exit code 2).',
  },
  'TGT-HTTP-5': {
    level: 'warning',
    title: 'No whole answer comes',
    next: 'Look at the target and at what stands before it: a run would be left open (exit code 2).',
  },
  'TGT-PATH-1': { level: 'ok', title: 'The interface answers at its base path', next: '' },
  'TGT-PATH-2': {
    level: 'warning',
    title: 'Nothing is found at a base path',
    next: 'Correct `baseUrl` (or --base-url), the base path, or the path of the operation.',
  },
  'TGT-PATH-3': {
    level: 'warning',
    title: 'A page for people answers at a base path',
    next: 'A gateway or a web site stands there: correct `baseUrl` or the base path, or add what the gateway asks for to `headers`.',
  },
  'TGT-PATH-4': {
    level: 'warning',
    title: 'A base path leads elsewhere',
    next: 'Requests are not redirected: write the address that it names into `baseUrl` or the base path.',
  },
  'TGT-PATH-5': {
    level: 'notice',
    title: 'The base path of the other environment does not answer',
    next: 'If the target has it, correct `basePaths`; if `environments` names both, it has to be there.',
  },
  'TGT-CRED-1': { level: 'ok', title: 'The credentials of an application hold', next: '' },
  'TGT-CRED-2': {
    level: 'notice',
    title: 'Whether the credentials of an application hold is not to be told',
    next: 'A run will tell; look at its chapters consent and tokens first.',
  },
  'TGT-CRED-3': {
    level: 'warning',
    title: 'No consent is created for an application',
    next: 'Correct `operations.createConsent`, or ask whether the application may create consents.',
  },
  'TGT-URI-1': { level: 'ok', title: 'A registered redirect URI is taken', next: '' },
  'TGT-URI-2': {
    level: 'notice',
    title: 'A redirect URI that nobody registered is answered alike',
    next: 'That a redirect URI is taken proves nothing here; a run judges it in its chapter authorization.',
  },
  'TGT-URI-3': {
    level: 'warning',
    title: 'The authorization is refused before anybody logs in',
    next: 'Look at the error that the target names: `scopes.accounts`, or the rights of the application.',
  },
  'TGT-PAGE-1': { level: 'ok', title: 'The first page is one that the recipe knows', next: '' },
  'TGT-PAGE-2': {
    level: 'warning',
    title: 'The first page is none that the recipe knows',
    next: 'Add a page with a `when` that finds an element of it to `authorization.pages`.',
  },
  'TGT-PAGE-3': {
    level: 'warning',
    title: 'The first page already has the element of the code',
    next: 'Make `authorization.code` match the result screen alone.',
  },
  'TGT-PAGE-4': {
    level: 'warning',
    title: 'The pages stand at another origin',
    next: "If it is the bank's, add it to `origins`; nothing is sent to any other.",
  },
  'TGT-TOKEN-1': { level: 'ok', title: 'An imported token is accepted', next: '' },
  'TGT-TOKEN-2': {
    level: 'warning',
    title: 'An imported token is refused',
    next: 'Have the customer authorize anew, and put the new token into `authorization.tokens`.',
  },
  'TGT-BIND-1': { level: 'ok', title: 'What the profile says of an answer is found in it', next: '' },
  'TGT-BIND-2': {
    level: 'warning',
    title: 'What the profile says of an answer is not found in it',
    next: 'Correct the key that is named, by what the answer has.',
  },
  'TGT-LEVER-1': { level: 'ok', title: 'The lever of the clock answers', next: '' },
  'TGT-LEVER-2': {
    level: 'warning',
    title: 'The lever of the clock does not tell the time',
    next: 'Correct `levers.readClock` (url, headers, result).',
  },
  'TGT-LEVER-3': { level: 'ok', title: 'The webhook settings that are found can be put back', next: '' },
  'TGT-LEVER-4': {
    level: 'warning',
    title: 'The webhook settings cannot be put back',
    next: 'Correct `levers.readWebhook` (url, headers, result, fields), or leave it out.',
  },
} as const
