/** Who may import whom: the folders of harness/ in the order in which data flows, and nothing around them. */

const folder = (name) => `^harness/${name}/`
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** A test may look at anything: it is no part of the product. */
const PRODUCT = { pathNot: ['[.]test[.]ts$', '^harness/(rehearsal|misfortune|bench|verify)/'] }

module.exports = {
  forbidden: [
    forbid(
      'no-cycle',
      'Folders and files have an order.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'spec-imports',
      'A spec file imports its own requirements, harness/check and the arbitraries of fast-check.',
      { path: '^specs/([^/]+)/.+[.]spec[.]ts$' },
      { pathNot: ['^specs/$1/', '^harness/check/index[.]ts$', 'node_modules/fast-check/'] },
    ),
    forbid(
      'row-imports',
      'Rows are data: they import the builders of rows alone.',
      { path: '^specs/([^/]+)/requirements[^/]*[.]ts$' },
      { pathNot: ['^specs/$1/requirements', '^harness/check/requirement[.]ts$'] },
    ),
    forbid(
      'defect-imports',
      'A defect knows its own requirements, the types of the bank, how two requests meet, and which tokens are renewed.',
      { path: '^specs/([^/]+)/defect[^/]*[.]ts$' },
      { pathNot: ['^specs/$1/(requirements|defect)', '^specs/(overlap|renewed)[.]ts$', '^harness/bank/'] },
    ),
    forbid(
      'defect-imports-types-alone',
      'Of the bank a defect imports types, and nothing that runs.',
      { path: '^specs/([^/]+/defect[^/]*|renewed)[.]ts$' },
      { path: '^harness/bank/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'bank-stands-alone',
      'The bank imports nothing of the other folders: it must be able to be wrong on its own.',
      { path: folder('bank') },
      { path: '^(harness/(?!bank/)|specs/)' },
    ),
    forbid(
      'target-starts-the-bank',
      'Nobody but target/ and the proof, which picks what is wrong with it, knows the bank.',
      {
        path: '^(harness|specs)/',
        pathNot: [
          ...PRODUCT.pathNot,
          folder('bank'),
          folder('target'),
          folder('proof'),
          '^specs/([^/]+/defect|renewed[.]ts$)',
        ],
      },
      { path: folder('bank') },
    ),
    forbid(
      'flow',
      'Evidence knows nobody; a session knows evidence and profile; a check knows what it judges.',
      { path: folder('evidence'), ...PRODUCT },
      { path: '^harness/(?!evidence/)' },
    ),
    forbid(
      'sink-receives',
      'Where the target calls, calls are recorded and nothing else.',
      { path: folder('sink'), ...PRODUCT },
      { path: '^harness/(?!sink/|evidence/)' },
    ),
    forbid(
      'session-knows-no-judge',
      'What acts does not judge.',
      { path: folder('session'), ...PRODUCT },
      { path: '^harness/(?!session/|evidence/|profile/)' },
    ),
    forbid(
      'check-is-pure',
      'What judges sees the record alone.',
      { path: folder('check'), ...PRODUCT },
      { path: '^harness/(?!check/|evidence/|session/|sources[.]mjs)' },
    ),
    forbid(
      'profile-reads-no-target',
      'A profile is read before anything is sent.',
      { path: folder('profile'), ...PRODUCT },
      { path: '^harness/(?!profile/|evidence/|check/requirement[.]ts)' },
    ),
    forbid(
      'report-renders',
      'Reports are made of what a run found: they start nothing and send nothing.',
      { path: folder('report'), ...PRODUCT },
      { path: '^harness/(session|target|bank|proof|cli)' },
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
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '^reports/' },
  },
}
