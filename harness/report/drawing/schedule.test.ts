import { load } from 'cheerio/slim'
import { expect, test } from 'vitest'
import { renderSchedule } from './schedule.ts'
import type { ScenarioSpan } from '../../check/result.ts'

const BEGIN = Date.UTC(2026, 0, 5, 9)

const span = (scenario: string, from: number, to: number, ...waits: [number, number][]): ScenarioSpan => ({
  scenario,
  from: BEGIN + from * 1_000,
  to: BEGIN + to * 1_000,
  waits: waits.map(([begin, end]) => ({ from: BEGIN + begin * 1_000, to: BEGIN + end * 1_000 })),
})

const drawn = (spans: readonly ScenarioSpan[]) => {
  const svg = renderSchedule(spans)
  const $ = load(svg, { xml: true })
  const of = (selector: string) =>
    $(selector)
      .toArray()
      .map((element) => $(element).text())
  return { svg, $, titles: of('g > title'), words: of('text') }
}

const PATHS = [
  span('loans/later', 700, 720),
  span('loans/a & <b>', 0, 600, [10, 300], [310, 590]),
  span('loans/c', 5, 500, [20, 480]),
  span('loans/values', 1, 2),
  span('loans/values', 3, 4),
]

test('each scenario is a bar, dark while it acts and light while it waits, in the order of their begin', () => {
  const { $, titles } = drawn(PATHS)
  expect(titles).toEqual([
    'loans/a & <b>: 0:00–10:00, of which it waited 9:30',
    'loans/values: 0:01–0:04',
    'loans/c: 0:05–8:20, of which it waited 7:40',
    'loans/later: 11:40–12:00',
  ])
  expect($('g rect[fill="var(--act)"]')).toHaveLength(PATHS.length)
  expect($('g rect[fill="var(--wait)"]')).toHaveLength(3)
  const [acting, waiting] = $('g').first().find('rect').toArray()
  expect(Number($(waiting).attr('x'))).toBeGreaterThan(Number($(acting).attr('x')))
})

test.each([1, 5, 500])('%i scenarios can be read, on a light and on a dark surface', (count) => {
  const many = Array.from({ length: count }, (_, at) => span(`loans/${at}`, at, at + 60 + (at % 7) * 100))
  const { svg, $, titles, words } = drawn(many)
  const names = words.filter((word) => word.startsWith('loans/'))
  expect(titles).toHaveLength(count)
  expect(names.length).toBeGreaterThanOrEqual(Math.min(count, 50))
  const places = $('text.end')
    .toArray()
    .map((element) => Number($(element).attr('y')))
    .sort((one, other) => one - other)
  for (const [at, place] of places.entries()) expect(place - (places[at - 1] ?? 0)).toBeGreaterThan(12)
  expect(words.filter((word) => /^[\d:]+$/.test(word)).length).toBeLessThanOrEqual(13)
  expect(svg).toContain('prefers-color-scheme:dark')
  expect(svg.replace(/<style>.*<\/style>/, '')).not.toMatch(/(fill|stroke)="#/)
})
