import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

const LONG = 'é"\\\u2028'.repeat(5000)

test('JSON keeps its members, and of long texts the beginning and the digest', () => {
  const json = JSON.stringify({ logo: LONG, accounts: [{ accountId: 'a', logo: LONG, other: `x${LONG}` }] })
  const { logo, accounts } = JSON.parse(shortened(json) ?? '') as {
    logo: string
    accounts: [Record<string, string>]
  }
  expect(logo).toMatch(/^é"\\.*\.\.\. \(\d+ characters, SHA-256 [\da-f]{64}\)$/su)
  expect(accounts[0]).toMatchObject({ accountId: 'a', logo })
  expect(accounts[0].other).not.toBe(logo)
})

test('an escape at the end of the beginning is not cut', () => {
  for (let at = 0; at < 8; at += 1) {
    const json = `["${'a'.repeat(at)}${String.raw`\u00e9\\\"`.repeat(1000)}"]`
    expect(() => JSON.parse(shortened(json) ?? '') as unknown).not.toThrow()
  }
})

test('a page keeps its forms, and of scripts, styles and pictures the beginning', () => {
  const page = `<html><script>${LONG}</script><style>${LONG}</style><img src="data:${'A'.repeat(5000)}"><form id=a></form></html>`
  const short = shortened(page) ?? ''
  expect(short.length).toBeLessThan(2000)
  expect(short).toMatch(/<form id=a><\/form><\/html>$/)
})

test('what is neither JSON nor a page is not shortened', () => {
  expect(shortened(LONG)).toBeUndefined()
})
