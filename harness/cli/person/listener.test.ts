import getPort from 'get-port'
import { request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { FRAGMENT, openListener, type Listener } from './listener.ts'

/** The redirect of a person's browser, on this machine. */

let listener: Listener
let port: number
const never = new AbortController().signal
const at = (path: string): string => `http://127.0.0.1:${port}${path}`
const browse = async (path: string, headers: Record<string, string> = {}) => {
  const { statusCode, body, headers: got } = await request(at(path), { headers })
  return { statusCode, text: await body.text(), headers: got }
}

beforeEach(async () => {
  port = await getPort()
  listener = await openListener({ host: '127.0.0.1', port })
})
afterEach(() => listener.close())

test('a redirect is handed over as it came, and the browser gets a page that asks for nothing', async () => {
  const landed = listener.next(at('/callback'), never)
  const page = await browse('/callback?code=a%2Bb&state=x%20y')
  expect(await landed).toEqual({
    ...{ by: 'listener', code: 'a+b' },
    address: at('/callback?code=a%2Bb&state=x%20y'),
  })
  expect(page.statusCode).toBe(200)
  expect(page.text).toContain('You can close this window')
  expect(page.text).not.toContain('a%2Bb')
  expect(page.text).not.toMatch(/https?:\/\/|src=|href=/)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
})

test('a redirect with an error has no code', async () => {
  const landed = listener.next(at('/callback'), never)
  expect((await browse('/callback?error=access_denied')).text).toContain('without a code')
  expect(await landed).toEqual({ by: 'listener', address: at('/callback?error=access_denied') })
})

test('a redirect to another path of the application is one, too', async () => {
  const landed = listener.next(at('/callback'), never)
  await browse('/callback/next?code=abc')
  expect(await landed).toMatchObject({ address: at('/callback/next?code=abc') })
})

test('the page tells a fragment, which no browser sends', async () => {
  const landed = listener.next(at('/callback'), never)
  const page = await browse('/callback?own=1')
  expect(page.text).toContain('<script>')
  await browse(`/callback?own=1&${FRAGMENT}=${encodeURIComponent('#access_token=t&state=s')}`)
  expect(await landed).toEqual({ by: 'listener', address: at('/callback?own=1#access_token=t&state=s') })
})

test('what nobody waits for, and what is loaded again, is no redirect', async () => {
  expect((await browse('/callback?code=early')).statusCode).toBe(404)
  const first = listener.next(at('/callback'), never)
  await browse('/callback?code=one')
  await first
  const second = listener.next(at('/callback'), never)
  expect((await browse('/callback?code=one')).text).toContain('used already')
  expect((await browse('/favicon.ico')).statusCode).toBe(404)
  await browse('/callback?code=two')
  expect(await second).toMatchObject({ code: 'two' })
})

test('two refusals may look alike', async () => {
  for (let count = 1; count <= 2; count += 1) {
    const landed = listener.next(at('/callback'), never)
    await browse('/callback?error=access_denied&state=s')
    expect(await landed).toMatchObject({ by: 'listener' })
  }
})

test("another site's script, and another name for this machine, are not listened to", async () => {
  const landed = listener.next(at('/callback'), never)
  expect((await browse('/callback?code=evil', { 'sec-fetch-mode': 'no-cors' })).statusCode).toBe(404)
  expect((await browse('/callback?code=evil', { host: `evil.example:${port}` })).statusCode).toBe(404)
  await browse('/callback?code=good', { 'sec-fetch-mode': 'navigate' })
  expect(await landed).toMatchObject({ code: 'good' })
})

test('whoever gives up is waited for no longer', async () => {
  const gone = new AbortController()
  const landed = listener.next(at('/callback'), gone.signal)
  gone.abort(new Error('too late'))
  await expect(landed).rejects.toThrow('too late')
  expect((await browse('/callback?code=late')).statusCode).toBe(404)
})

test('it stands behind redirect URIs of this machine and its port alone', () => {
  expect(listener.hears(at('/callback'))).toBe(true)
  expect(listener.hears(`http://localhost:${port}/other`)).toBe(true)
  expect(listener.hears('http://127.0.0.1:1/callback')).toBe(false)
  expect(listener.hears(`https://127.0.0.1:${port}/callback`)).toBe(false)
  expect(listener.hears(`http://client.example:${port}/callback`)).toBe(false)
})

test('a port that is taken is a matter of the profile', async () => {
  const opening = openListener({ host: '127.0.0.1', port })
  await expect(opening).rejects.toThrow(ConfigurationError)
  await expect(openListener({ host: '127.0.0.1', port })).rejects.toThrow(
    `authorization.listen: nothing can listen on 127.0.0.1:${port} (`,
  )
})
