import { CommanderError } from 'commander'
import { expect, test, vi } from 'vitest'
import { parseBenchOptions } from './options.ts'

test('left alone, it is five rounds without the proof', () => {
  expect(parseBenchOptions([])).toEqual({ rounds: 5, proof: false, json: 'reports/bench/bench.json' })
})

test('each option is taken', () => {
  expect(parseBenchOptions(['--rounds', '2', '--proof', '--json', 'b.json'])).toEqual({
    rounds: 2,
    proof: true,
    json: 'b.json',
  })
})

test.each([[['--round', '2']], [['--rounds', '0']], [['--rounds', '1.5']], [['--rounds']], [['fast']]])(
  '%j is refused',
  (argv) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(() => parseBenchOptions(argv)).toThrow(CommanderError)
    vi.restoreAllMocks()
  },
)
