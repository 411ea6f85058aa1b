import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../evidence/output.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import { exchangesOf } from '../report/evidence-file.ts'
import { colorsFor } from '../report/terminal/text.ts'
import { LATEST } from '../report/run-folder.ts'
import { findReport } from '../report/read-report.ts'
import { commandOf, endWithReader, EXIT } from './exit.ts'
import { renderRequirement, renderShort, renderWhole } from './show/render.ts'
import { attemptOf, scenarioOf, type Exchange } from '../evidence/exchange.ts'

/** `npm run show -- ID`: prints an exchange, a scenario, or the failures of a requirement. */

const AROUND = 3

const showExchange = (all: readonly Exchange[], at: number): string => {
  const colors = colorsFor(process.stdout)
  const exchange = all[at]
  if (exchange === undefined) return ''
  const own = all.filter((one) => attemptOf(one) === attemptOf(exchange))
  const place = own.indexOf(exchange)
  const [before, after] = [
    own.slice(Math.max(0, place - AROUND), place),
    own.slice(place + 1, place + 1 + AROUND),
  ]
  return [
    ...before.map((one) => colors.dim(renderShort(one))),
    renderWhole(exchange, colors),
    ...after.map((one) => colors.dim(renderShort(one))),
  ].join('\n')
}

const find = (id: string, out: string): string => {
  const file = join(out, OUTPUT.evidence)
  if (!existsSync(file))
    throw new ConfigurationError(
      `there is no ${OUTPUT.evidence} in ${out}; name the folder of a run with --out`,
    )
  const all = [...exchangesOf(file)]
  const at = all.findIndex((exchange) => exchange.id === id)
  if (at >= 0) return showExchange(all, at)
  const colors = colorsFor(process.stdout)
  // A property runs its scenario once for each value: `a-scenario.3`.
  const own = all.filter((exchange) => scenarioOf(exchange) === id || attemptOf(exchange) === id)
  if (own.length > 0) return own.map((exchange) => renderWhole(exchange, colors)).join('\n\n')
  const requirements = findReport(out)?.requirements ?? []
  const requirement = requirements.find((row) => row.id === id.toUpperCase())
  if (requirement !== undefined)
    return renderRequirement(requirement, (one) => all.find((exchange) => exchange.id === one), out, colors)
  const names = [
    ...new Set(all.flatMap((exchange) => [exchange.id, attemptOf(exchange)])),
    ...requirements.map((row) => row.id),
  ]
  const near = nearest(id, names)
  throw new ConfigurationError(
    `${id}: no exchange, scenario or requirement of the run in ${out}${near === undefined ? '' : `; did you mean ${near}?`}`,
  )
}

const command = commandOf(
  'show',
  'Prints an exchange with those around it, all exchanges of a scenario, or the failures of a requirement.',
)
  .argument(
    '<id>',
    'the id of an exchange (payments/a-rejection/4), a scenario (payments/a-rejection) or a requirement (PAY-09)',
  )
  .option('--out <dir>', 'the folder of the run', LATEST)

export const main = (argv: readonly string[]): Promise<number> => {
  endWithReader()
  const [id = ''] = command.parse([...argv], { from: 'user' }).args
  console.log(find(id, command.opts<{ readonly out: string }>().out))
  return Promise.resolve(EXIT.ok)
}
