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

test('a redirect is passed on unchanged, and the browser gets a page without other resources', async () => {
  const landed = listener.next(at('/callback'), never)
  const page = await browse('/callback?code=a%2Bb&state=x%20y')
  expect(await landed).toEqual({
    by: 'listener',
    code: 'a+b',
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

test('a redirect to another path with a code is accepted', async () => {
  const landed = listener.next(at('/callback'), never)
  await browse('/callback/next?code=abc')
  expect(await landed).toMatchObject({ address: at('/callback/next?code=abc') })
})

test('the page sends the fragment, which browsers do not send', async () => {
  const landed = listener.next(at('/callback'), never)
  const page = await browse('/callback?own=1')
  expect(page.text).toContain('<script>')
  await browse(`/callback?own=1&${FRAGMENT}=${encodeURIComponent('#access_token=t&state=s')}`)
  expect(await landed).toEqual({ by: 'listener', address: at('/callback?own=1#access_token=t&state=s') })
})

test('an unexpected request and a reloaded page are not redirects', async () => {
  expect((await browse('/callback?code=early')).statusCode).toBe(404)
  const first = listener.next(at('/callback'), never)
  await browse('/callback?code=one')
  await first
  const second = listener.next(at('/callback'), never)
  expect((await browse('/callback?code=one')).text).toContain('already received')
  expect((await browse('/favicon.ico')).statusCode).toBe(404)
  await browse('/callback?code=two')
  expect(await second).toMatchObject({ code: 'two' })
})

test('two equal refusals are both accepted', async () => {
  for (let count = 1; count <= 2; count += 1) {
    const landed = listener.next(at('/callback'), never)
    await browse('/callback?error=access_denied&state=s')
    expect(await landed).toMatchObject({ by: 'listener' })
  }
})

test('requests of scripts and requests to another host name are ignored', async () => {
  const landed = listener.next(at('/callback'), never)
  expect((await browse('/callback?code=evil', { 'sec-fetch-mode': 'no-cors' })).statusCode).toBe(404)
  expect((await browse('/callback?code=evil', { host: `evil.example:${port}` })).statusCode).toBe(404)
  await browse('/callback?code=good', { 'sec-fetch-mode': 'navigate' })
  expect(await landed).toMatchObject({ code: 'good' })
})

test('an aborted call no longer receives the redirect', async () => {
  const gone = new AbortController()
  const landed = listener.next(at('/callback'), gone.signal)
  gone.abort(new Error('too late'))
  await expect(landed).rejects.toThrow('too late')
  expect((await browse('/callback?code=late')).statusCode).toBe(404)
})

test('it receives only redirect URIs of this machine and its port', () => {
  expect(listener.receives(at('/callback'))).toBe(true)
  expect(listener.receives(`http://localhost:${port}/other`)).toBe(true)
  expect(listener.receives('http://127.0.0.1:1/callback')).toBe(false)
  expect(listener.receives(`https://127.0.0.1:${port}/callback`)).toBe(false)
  expect(listener.receives(`http://client.example:${port}/callback`)).toBe(false)
})

test('a port in use is a configuration error', async () => {
  const opening = openListener({ host: '127.0.0.1', port })
  await expect(opening).rejects.toThrow(ConfigurationError)
  await expect(openListener({ host: '127.0.0.1', port })).rejects.toThrow(
    `authorization.listen: nothing can listen on 127.0.0.1:${port} (`,
  )
})
