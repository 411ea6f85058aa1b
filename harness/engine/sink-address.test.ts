import { expect, test } from 'vitest'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { describeSinkAddress, sinkAddressOf } from './sink-address.ts'
import type { ProfileInput } from '../profile/schema.ts'

const reported = (
  given: { readonly baseUrl?: string; readonly webhookUrl?: string },
  webhooks: ProfileInput['webhooks'] = {},
): string =>
  describeSinkAddress(
    sinkAddressOf({ profile: profileSchema.parse({ ...sampleProfile(), webhooks }), ...given }),
  )

const BANK = { baseUrl: 'https://bank.example' }

test('for the embedded bank the sink needs no public address', () => {
  expect(reported({ webhookUrl: 'https://me.example/hook' }, { listen: { port: 8443 } })).toBe(
    'a sink listens on a free port of 127.0.0.1 (HTTP)',
  )
})

test('the profile configures the address and the protocol of the sink', () => {
  const tls = { certificate: 'sink.pem', key: 'key.pem' }
  expect(reported(BANK, { listen: { host: '0.0.0.0', port: 8443 }, tls })).toBe(
    'a sink listens on 0.0.0.0:8443 (HTTPS)',
  )
})

test('the target is given the public address, which leads to the sink', () => {
  expect(reported({ ...BANK, webhookUrl: 'https://me.example/hook' }, { listen: { port: 9000 } })).toBe(
    'a sink listens on 127.0.0.1:9000 (HTTP); the target is given https://me.example/hook',
  )
})

test('the sink listens on the port of the public address by default', () => {
  expect(reported({ ...BANK, webhookUrl: 'http://me.example:8443/hook' })).toContain('127.0.0.1:8443')
})

test('with `selfSigned` the sink creates a certificate, unless one is configured', () => {
  const own = { listen: { port: 8443 }, selfSigned: true }
  expect(reported(BANK, own)).toBe('a sink listens on 127.0.0.1:8443 (HTTPS)')
  const tls = { certificate: 'sink.pem', key: 'key.pem' }
  const profile = profileSchema.parse({ ...sampleProfile(), webhooks: { ...own, tls } })
  expect(sinkAddressOf({ profile, ...BANK }).tls).toEqual(tls)
})
