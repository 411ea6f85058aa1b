/** Rules of this project, for oxlint. */

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

/** Visits few files: a visitor of nodes costs most of the time of these rules. */
const noSpreadMembers = {
  create: (context) =>
    context.sourceCode.text.includes('...{')
      ? {
          'ObjectExpression > SpreadElement > ObjectExpression[properties.length>0]'(node) {
            context.report({ node, message: 'List the members themselves.' })
          },
        }
      : {},
}

export default {
  meta: { name: 'local' },
  rules: { 'one-subject': oneSubject, 'no-spread-members': noSpreadMembers },
}
