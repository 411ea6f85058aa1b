import { load } from 'cheerio/slim'
import { describe, expect, test } from 'vitest'
import { renderModel, tallyVisits } from './model.ts'
import type { Model } from '../../check/model.ts'

const MODEL: Model = {
  name: 'door',
  states: [
    { id: 'none', column: 0, row: 0 },
    { id: 'open', label: 'Ajar & <wide>', column: 1, row: 0 },
    { id: 'shut', column: 1, row: 1 },
  ],
  moves: [
    { id: 'built', from: 'none', to: 'open', by: 'carpenter', ground: 'stated' },
    { id: 'pushed', from: 'open', to: 'shut', by: 'hand', ground: 'not-shown' },
    { id: 'blown', from: 'open', to: 'shut', by: 'wind', ground: 'unnamed' },
    { id: 'pulled', from: 'shut', to: 'open', by: 'hand', ground: 'stated' },
  ],
}

const [tally] = tallyVisits([
  { model: MODEL, counts: { built: 3, pushed: 1 } },
  { model: MODEL, counts: { built: 2 } },
])
if (tally === undefined) throw new Error('a model that was visited is counted')

describe('a tally', () => {
  test('adds up what belongs to one model', () => {
    expect(tally.moves.map(({ id, visits }) => [id, visits])).toEqual([
      ['built', 5],
      ['pushed', 1],
      ['blown', 0],
      ['pulled', 0],
    ])
  })

  test('counts what came into a state, and of the first one what left it', () => {
    expect(tally.states.map(({ id, visits }) => [id, visits])).toEqual([
      ['none', 5],
      ['open', 5],
      ['shut', 1],
    ])
  })
})

describe('a drawing', () => {
  const $ = load(renderModel(tally), { xml: true })
  const words = $('text')
    .toArray()
    .map((element) => $(element).text())

  test('shows every state and move, with how often it was visited', () => {
    expect(words).toEqual(
      expect.arrayContaining([
        'none',
        'open',
        'shut',
        'Ajar & <wide>',
        'carpenter: 5 ×',
        'hand: 1 ×',
        'wind: never',
        'hand: never',
      ]),
    )
  })

  test('says which requirements are broken, since it has permitted moves only', () => {
    expect(words.join(' ')).not.toContain('Broken')
    const ids = Array.from({ length: 10 }, (_, at) => `DOR-${at}`)
    const drawn = load(renderModel(tally, ids), { xml: true })
    expect(drawn('.right').text()).toBe(
      'Permitted moves only. Broken in this chapter: DOR-0, DOR-1, DOR-2, DOR-3, DOR-4, DOR-5, DOR-6, DOR-7 and 2 more',
    )
  })
})
