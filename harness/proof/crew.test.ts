import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../testing/samples/scratch.ts'
import { carryOut, TrialFault } from './crew.ts'
import type { Order } from './worker.ts'

const ORDERED = { only: [], seed: 42, runs: 1 }

const ordersOf = (...ids: readonly string[]): readonly Order[] =>
  ids.map((variation) => ({ variation, ...ORDERED }))

/** A worker that finds the id of its order, once it is through with what is asked of it then. */
const workerThat = (does: string): string => {
  const file = join(scratch(), 'worker.mjs')
  writeFileSync(
    file,
    `const carryOut = async (id) => { ${does} }
    process.on('message', async ({ variation, defect }) => {
      await carryOut(variation ?? defect)
      process.send({ variation: { id: variation ?? defect, alarms: [], reasons: [String(process.pid)] } })
    })
    process.send('ready')`,
  )
  return file
}

const tried = async (orders: readonly Order[], does: string, deadlineMs = 60_000) => {
  const done: number[] = []
  const crew = { size: 2, onFinding: (count: number) => done.push(count), deadlineMs }
  const findings = await carryOut(orders, { ...crew, program: workerThat(does) })
  const trials = findings.flatMap((finding) => ('variation' in finding ? [finding.variation] : []))
  return { done, ids: trials.map(({ id }) => id), workers: trials.map(({ reasons }) => reasons[0]) }
}

/** Has some trials wait for the end of others. */
const waiting = (first: string, others: string): string => {
  const file = JSON.stringify(join(scratch(), `${first}-is-through`))
  return `
    const { existsSync, writeFileSync } = await import('node:fs')
    if (id === '${first}') writeFileSync(${file}, '')
    while (${others} && !existsSync(${file})) await new Promise(setImmediate)`
}

test('each bank is tried once, and found in the order of the orders, whichever was first', async () => {
  const { done, ids } = await tried(ordersOf('b', 'c', 'd', 'e'), waiting('d', "id === 'b'"))
  expect(done).toEqual([1, 2, 3, 4])
  expect(ids).toEqual(['b', 'c', 'd', 'e'])
})

test('one of the crew tries all banks that are wrong in production, and begins with them', async () => {
  const wrong = (defect: string, environment: 'sandbox' | 'production'): Order => ({
    ...{ defect, environment, breaks: [] },
    ...ORDERED,
  })
  const orders = [
    ...ordersOf('a'),
    ...[wrong('p1', 'production'), wrong('s1', 'sandbox'), wrong('p2', 'production')],
    wrong('s2', 'sandbox'),
  ]
  // Whoever begins with the first one holds it until both that are wrong in production have been tried.
  const held = [waiting('a', "id.startsWith('p')"), waiting('p1', "!id.startsWith('p')")]
  const { ids, workers } = await tried(orders, held.map((does) => `{${does}}`).join('\n'))
  expect(ids).toEqual(['a', 'p1', 's1', 'p2', 's2'])
  expect(workers[1]).toBe(workers[3])
  expect(workers[0]).not.toBe(workers[1])
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
