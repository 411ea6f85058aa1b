import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { PROOFS } from '../../report/compliance/proof.ts'
import { proofFileFor } from '../../proof/selection.ts'
import { reportSchema } from '../../report/schema.ts'
import { RUN_DEADLINE_MS } from '../certify.ts'
import { scratch } from '../samples/reports.ts'

/** docs/own-checks.md: its commands, and the files of the example as the page shows them. Takes about 60 s. */

const PAGE = readFileSync(join(ROOT, 'docs/own-checks.md'), 'utf8')
const EXAMPLE = 'docs/examples/own-checks'

const COMMANDS = PAGE.split('\n').filter((line) => /^npm (test|run) /.test(line))

const run = (command: string) => {
  const [program = '', ...args] = command.split(' ')
  return execa(program, args, {
    cwd: ROOT,
    reject: false,
    all: true,
    stdin: 'ignore',
    timeout: RUN_DEADLINE_MS,
  })
}

test.each(['requirements.ts', 'account-data.spec.ts', 'defects/index.ts'])('the page shows %s', (file) => {
  expect(PAGE).toContain(`\`\`\`ts\n${readFileSync(join(ROOT, EXAMPLE, file), 'utf8')}\`\`\``)
})

test('every command of the page ends with success', { timeout: RUN_DEADLINE_MS }, async () => {
  expect(COMMANDS).toHaveLength(5)
  for (const command of COMMANDS) {
    const writes = /^npm (test|run catalogue)\b/.test(command)
    const { exitCode, all } = await run(writes ? `${command} --out ${scratch()}` : command)
    expect(exitCode, `${command}\n${all}`).toBe(0)
  }
  const file = proofFileFor({ only: ['own'], id: [], seed: 42, runs: 25, catalogue: EXAMPLE })
  const proof = JSON.parse(readFileSync(join(ROOT, PROOFS, file), 'utf8')) as {
    readonly defects: readonly { readonly id: string }[]
  }
  expect(proof.defects.map(({ id }) => id)).toEqual([
    'acme-the-list-of-accounts-has-no-cache-control-header',
    'acme-the-list-of-accounts-is-sent-as-text',
  ])
})

test(
  'a run reports its own checks, and rejudge comes to the same verdicts',
  { timeout: RUN_DEADLINE_MS },
  async () => {
    const out = scratch()
    await run(`npm test -- --catalogue ${EXAMPLE} --only own --out ${out}`)
    const report = reportSchema.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')))
    expect(report.suite.ownChecks).toMatchObject({ folder: 'own-checks', title: 'ACME scheme' })
    expect(report.scope.chapters).toContain('own')
    const own = report.requirements.filter(({ chapter }) => chapter === 'own')
    expect(own.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['ACME-01', 'pass'],
      ['ACME-02', 'pass'],
    ])
    for (const file of ['compliance.html', 'junit.xml', 'summary.md'])
      expect(readFileSync(join(out, file), 'utf8')).toContain('ACME scheme')
    expect(await run(`npm run rejudge -- ${out}`)).toMatchObject({
      exitCode: 3,
      all: expect.stringContaining('give yours with --catalogue DIR') as string,
    })
    expect(await run(`npm run rejudge -- ${out} --catalogue ${EXAMPLE}`)).toMatchObject({ exitCode: 0 })
    const { digest = '' } = report.suite.ownChecks ?? {}
    const file = join(out, 'report.json')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(digest, 'f'.repeat(64)))
    expect(await run(`npm run rejudge -- ${out} --catalogue ${EXAMPLE}`)).toMatchObject({
      exitCode: 1,
      all: expect.stringContaining('the own checks are other ones: ffffffffffff in the report') as string,
    })
  },
)

test('a folder that is missing is a configuration error', { timeout: RUN_DEADLINE_MS }, async () => {
  const { exitCode, all } = await run('npm test -- --catalogue no-such-folder')
  expect({ exitCode, all }).toMatchObject({
    exitCode: 3,
    all: expect.stringContaining('no-such-folder') as string,
  })
})
