/** Who may import whom. A folder of harness/ imports folders that stand above it here; no two of them import each other. */

const folder = (name) => `^harness/(${name})/`
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const TEST = '[.]test[.]ts$'
/** A life of customers and its defects: one spec file, so that it is run once, for rows of several chapters. */
const LIFE = '/life([.]spec)?[.]ts$'
const PRODUCT = { pathNot: [TEST, folder('testing|bench'), '^harness/build[.]mjs$'] }

/** What each folder of the product may import, beside itself. */
const MAY_IMPORT = {
  bank: [],
  evidence: [],
  profile: ['evidence'],
  check: ['evidence', 'profile'],
  session: ['evidence', 'profile', 'check'],
  connection: ['evidence', 'profile', 'session', 'bank'],
  plan: ['evidence', 'profile', 'check', 'session', 'connection'],
  report: ['evidence', 'profile', 'check', 'session', 'plan'],
  engine: ['evidence', 'profile', 'check', 'session', 'connection', 'plan', 'report'],
  proof: ['evidence', 'profile', 'check', 'session', 'connection', 'plan', 'engine', 'report', 'bank'],
  cli: ['evidence', 'profile', 'check', 'session', 'connection', 'plan', 'engine', 'report', 'bank', 'proof'],
}

/** The files of the product that may open connections or ports, and why. */
const NETWORK = {
  'connection/connections[.]ts': 'the connections to a target, over which createTargetHttp sends',
  'connection/embedded[.]ts': 'the connections to the embedded bank',
  'connection/first-contact/(examination|route|handshake)[.]ts':
    'examines what is below HTTP: addresses, TCP, the tunnel of a proxy, TLS',
  'session/webhooks/sink/(certificate|server)[.]ts': 'the server of the webhook sink, and its certificate',
  'cli/person/listener[.]ts': 'the local server to which the browser of a person is redirected',
  'cli/doctor/webhook[.]ts':
    'calls the sink of the suite at its public address: that is no request to the target, whose origins createTargetHttp would require',
  'bank/server[.]ts': 'the server of the reference bank',
}

module.exports = {
  forbidden: [
    forbid('no-cycle', 'Files have an order, types included.', {}, { circular: true }),
    ...Object.entries(MAY_IMPORT).map(([name, others]) =>
      forbid(
        `${name}-imports`,
        `harness/${name} imports ${others.join(', ') || 'no other folder'}.`,
        { path: folder(name), ...PRODUCT },
        { path: `^harness/(?!${[name, ...others].map((one) => `${one}/`).join('|')})` },
      ),
    ),
    ...['rules', 'payments', 'authorization', 'accounts', 'loans'].map((name, at, order) =>
      forbid(
        `bank-${name}-imports`,
        'The folders of the reference bank have an order: what it decides, what it keeps, who may, and what it shows.',
        { path: `^harness/bank/${name}/`, pathNot: [TEST] },
        { path: `^harness/bank/(${order.slice(at + 1).join('|') || '-'})/` },
      ),
    ),
    forbid(
      'only-the-plan-reads-the-catalogue',
      'What a run knows of the specs comes from the plan.',
      { path: folder('bank|evidence|profile|check|session|connection|engine|report'), ...PRODUCT },
      { path: '^specs/' },
    ),
    forbid(
      'one-http-client',
      'Requests to a target go through createTargetHttp, which checks the effect and the origin of each.',
      { path: '^(harness|specs)/', pathNot: [TEST, folder('testing|bench'), '^harness/session/http/'] },
      { path: '^harness/session/http/http[.]ts$', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'network',
      `What reaches the network is in few files: ${Object.entries(NETWORK)
        .map(([file, reason]) => `${file.replaceAll('[.]', '.')} (${reason})`)
        .join('; ')}.`,
      {
        path: '^(harness|specs)/',
        pathNot: [TEST, folder('testing|bench'), `^harness/(${Object.keys(NETWORK).join('|')})$`],
      },
      {
        path: ['node_modules/(undici|@hono/node-server)/', '^(node:)?(http|https|http2|net|tls|dgram)$'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'tests-support-tests',
      'What supports our own tests is no part of the product.',
      { path: '^(harness|specs)/', pathNot: [TEST, folder('testing|bench')] },
      { path: folder('testing|bench') },
    ),
    forbid(
      'specs-have-no-reports',
      'The specs state what is judged and what acts; plans and reports read them.',
      { path: '^specs/', pathNot: [TEST] },
      { path: '^harness/', pathNot: ['^harness/(evidence|check|session|bank)/'] },
    ),
    forbid(
      'spec-imports',
      'A spec file imports its own requirements, what acts (session), what judges (check), and the arbitraries of fast-check.',
      { path: '^specs/([^/]+)/.+[.]spec[.]ts$', pathNot: [LIFE] },
      {
        pathNot: ['^specs/($1|shared)/', '^harness/(check|session)/index[.]ts$', 'node_modules/fast-check/'],
      },
    ),
    forbid(
      'chapters-stand-apart',
      'A chapter imports itself and what chapters share, and what they share imports no chapter. A life goes through several.',
      { path: '^specs/([^/]+)/', pathNot: [TEST, LIFE] },
      { path: '^specs/', pathNot: ['^specs/($1|shared)/'] },
    ),
    forbid(
      'row-imports',
      'Rows are data: they import the builders of rows only.',
      { path: '^specs/[^/]+/requirements[.]ts$' },
      { pathNot: ['^harness/check/requirement[.]ts$'] },
    ),
    forbid(
      'defect-imports',
      'A defect knows its own requirements, what defects share, and how to hash.',
      { path: '^specs/([^/]+)/defects/', pathNot: [LIFE] },
      { pathNot: ['^specs/$1/(requirements|defects)', '^specs/shared/', '^harness/bank/', '^crypto$'] },
    ),
    forbid(
      'defect-imports-types-only',
      'Of the bank a defect imports types and the words for changes, and nothing else that runs.',
      { path: '^specs/([^/]+/defects|shared)/', pathNot: [TEST] },
      { path: '^harness/bank/(?!changes/)', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'product-needs-no-tools',
      'What a user runs needs no development dependency.',
      { path: '^(harness|specs)/', ...PRODUCT },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '^(dist|reports)/' },
  },
}
