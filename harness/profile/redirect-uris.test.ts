import { describe, expect, test } from 'vitest'
import { withRedirectUris } from './redirect-uris.ts'
import { resolveProfile } from './load.ts'
import { SAMPLE_ENV, sampleApplication, sampleProfile } from '../testing/samples/profile.ts'
import type { Profile } from './schema.ts'

const profileWith = (uri: string, own?: string): Profile =>
  resolveProfile(
    {
      ...sampleProfile(),
      applications: [
        {
          ...sampleApplication(),
          redirectUris: [{ uri, delivery: 'result-screen' }],
          ...(own !== undefined && {
            environments: { sandbox: {}, production: { redirectUris: [{ uri: own }] } },
          }),
        },
      ],
    },
    SAMPLE_ENV,
    'the test',
  ).profile

describe('a redirect URI at the bank', () => {
  test.each([
    ['{baseUrl}/shown', 'https://bank.example/api/shown'],
    ['{origin}/shown?of={origin}', 'https://bank.example/shown?of=https://bank.example'],
    ['https://client.example/callback', 'https://client.example/callback'],
  ])('%s has the address of the run', (uri, registered) => {
    const [application] = withRedirectUris(profileWith(uri), 'https://bank.example/api').applications
    expect(application?.redirectUris).toEqual([{ uri: registered, delivery: 'result-screen' }])
  })

  test('can be that of one environment', () => {
    const [application] = withRedirectUris(
      profileWith('{origin}/a', '{origin}/b'),
      'https://bank.example',
    ).applications
    expect(application?.environments).toEqual({
      sandbox: {},
      production: { redirectUris: [{ uri: 'https://bank.example/b', delivery: 'redirect' }] },
    })
  })

  test.each([
    [
      '{baseURL}/shown',
      undefined,
      '`applications.0.redirectUris.0.uri` has the unknown placeholder {baseURL}; did you mean {baseUrl}?',
    ],
    [
      'https://client.example/{environment}',
      undefined,
      '`applications.0.redirectUris.0.uri` has the unknown placeholder {environment}; known here: {baseUrl}, {origin}',
    ],
    [
      'https://client.example/callback',
      '{origin}/{baseurl}',
      '`applications.0.environments.production.redirectUris.0.uri` has the unknown placeholder {baseurl}; did you mean {baseUrl}?',
    ],
    [
      '{origin}/shown#x',
      undefined,
      '`applications.0.redirectUris.0.uri`: a redirect URI has no fragment (RFC 6749 §3.1.2); received "{origin}/shown#x"',
    ],
  ])('%s with %s is refused', (uri, own, problem) => {
    expect(() => profileWith(uri, own)).toThrow(problem)
  })
})
