import tseslint from 'typescript-eslint'

/** A comment with an empty line or an import after it heads the file. */
const oneSubject = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode
      const heads = context.sourceCode
        .getAllComments()
        .filter(
          ({ value, loc: { start, end } }) =>
            value.startsWith('*') && start.column === 0 && /^($|import )/.test(lines[end.line] ?? ''),
        )
      for (const { loc } of heads.slice(1))
        context.report({
          loc,
          message: 'One comment heads a file: split the file where the subject changes.',
        })
    },
  }),
}

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'dist/',
      'reports/',
      'harness/build.mjs',
      'eslint.config.js',
      '.dependency-cruiser.cjs',
    ],
  },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers in messages and URLs read better unwrapped.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // An async function that happens not to wait keeps the type of its siblings.
      '@typescript-eslint/require-await': 'off',
      // A judge that returns nothing may be one expression.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression[properties.length>0]',
          message: 'List the members themselves.',
        },
      ],
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['harness/**/*.ts', 'specs/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { local: { rules: { 'one-subject': oneSubject } } },
    rules: { 'local/one-subject': 'error' },
  },
  {
    files: ['harness/**/*.ts', 'specs/**/*.ts'],
    ignores: ['**/*.test.ts', 'harness/testing/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60 }] },
  },
  {
    // The requirements of a chapter are one table.
    files: ['specs/*/requirements.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // What a scenario does must come out the same when it is done again from the log of its run.
    files: ['specs/*/*.ts'],
    ignores: ['specs/*/defects/**', 'specs/shared/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Draw from `random` of the session.' },
        { object: 'crypto', property: 'randomUUID', message: 'Draw from `random` of the session.' },
        { object: 'Date', property: 'now', message: 'Ask the `clock` of the session.' },
      ],
    },
  },
)
