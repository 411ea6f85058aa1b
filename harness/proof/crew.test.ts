import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../report/scratch.ts'
import { carryOut, TrialFault } from './crew.ts'
import type { Order } from './worker.ts'

const ordersOf = (...ids: readonly string[]): readonly Order[] =>
  ids.map((variation) => ({ variation, only: [], seed: 42, runs: 1 }))

/** A worker that finds the id of its order, once it is through with what is asked of it then. */
const workerThat = (does: string): string => {
  const file = join(scratch(), 'worker.mjs')
  writeFileSync(
    file,
    `const carryOut = async ({ variation: id }) => { ${does} }
    process.on('message', async (order) => {
      await carryOut(order)
      process.send({ variation: { id: order.variation, alarms: [], reasons: [] } })
    })
    process.send('ready')`,
  )
  return file
}

const tried = async (orders: readonly Order[], does: string, deadlineMs = 60_000) => {
  const done: number[] = []
  const crew = { size: 2, onFinding: (count: number) => done.push(count), deadlineMs }
  const findings = await carryOut(orders, { ...crew, program: workerThat(does) })
  return { done, ids: findings.map((finding) => ('variation' in finding ? finding.variation.id : '')) }
}

test('each bank is tried once, and found in the order of the orders, whichever was first', async () => {
  const file = JSON.stringify(join(scratch(), 'd-is-through'))
  const lateB = `
    const { existsSync, writeFileSync } = await import('node:fs')
    if (id === 'd') writeFileSync(${file}, '')
    while (id === 'b' && !existsSync(${file})) await new Promise(setImmediate)`
  expect(await tried(ordersOf('b', 'c', 'd', 'e'), lateB)).toEqual({
    done: [1, 2, 3, 4],
    ids: ['b', 'c', 'd', 'e'],
  })
})

test('a trial that crashed is told of with its bank', async () => {
  const ended = tried(ordersOf('b', 'c', 'd'), "if (id === 'c') process.exit(7)")
  await expect(ended).rejects.toThrow(TrialFault)
  await expect(ended).rejects.toThrow('the trial of c crashed (exit 7)')
})

test('a trial that came to no end is told of with its bank', async () => {
  const ended = tried(ordersOf('c'), 'await new Promise(() => undefined)', 50)
  await expect(ended).rejects.toThrow(TrialFault)
  await expect(ended).rejects.toThrow('the trial of c came to no end within 0.05 s')
})
