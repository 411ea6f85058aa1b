import { neededVariables } from './answers.ts'
import type { Answers } from './answers.ts'

/** What the owner of a profile does next, in lines that can be copied. */
export const nextSteps = (answers: Answers, file: string, env: NodeJS.ProcessEnv): string => {
  const unset = unsetVariables(answers, env)
  const profile = `--profile ${quoted(file)}`
  const webhook = answers.webhook === undefined ? '' : ` --webhook-url ${quoted(answers.webhook.url)}`
  return [
    ...(unset.length === 0
      ? []
      : [
          'First give these variables their values; they are read when a command starts:',
          ...unset.map((name) => `  export ${name}='…'`),
          'Kept in a file that is never committed, they are set by: set -a; . ./bank.env; set +a',
          '',
        ]),
    'Next:',
    `  npm run doctor -- ${profile}${webhook}`,
    '      what would go wrong, and why',
    `  npm test -- ${profile}${webhook} --dry-run`,
    '      the plan: what would be done to the bank; nothing is sent',
    `  npm test -- ${profile}${webhook}`,
    '      the run',
  ].join('\n')
}

/** The variables of the answers that have no value here. */
export const unsetVariables = (answers: Answers, env: NodeJS.ProcessEnv): readonly string[] =>
  neededVariables(answers).filter((name) => (env[name] ?? '').trim() === '')

/** As a shell takes it for one word. */
export const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
