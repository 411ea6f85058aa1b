import { expect, test } from 'vitest'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { describeSinkAddress, sinkAddressOf } from './sink-address.ts'
import type { ProfileInput } from '../profile/schema.ts'

const told = (
  given: { readonly baseUrl?: string; readonly webhookUrl?: string },
  webhooks: ProfileInput['webhooks'] = {},
): string =>
  describeSinkAddress(
    sinkAddressOf({ profile: profileSchema.parse({ ...sampleProfile(), webhooks }), ...given }),
  )

const BANK = { baseUrl: 'https://bank.example' }

test('beside the embedded bank the sink needs no address of its own', () => {
  expect(told({ webhookUrl: 'https://me.example/hook' }, { listen: { port: 8443 } })).toBe(
    'a sink listens on a free port of 127.0.0.1 (HTTP)',
  )
})

test('the profile says where the sink listens, and how', () => {
  const tls = { certificate: 'sink.pem', key: 'key.pem' }
  expect(told(BANK, { listen: { host: '0.0.0.0', port: 8443 }, tls })).toBe(
    'a sink listens on 0.0.0.0:8443 (HTTPS)',
  )
})

test('the target is told the public address, behind which the sink listens', () => {
  expect(told({ ...BANK, webhookUrl: 'https://me.example/hook' }, { listen: { port: 9000 } })).toBe(
    'a sink listens on 127.0.0.1:9000 (HTTP); the target is given https://me.example/hook',
  )
})

test('the port of a public address is listened on where no other is named', () => {
  expect(told({ ...BANK, webhookUrl: 'http://me.example:8443/hook' })).toContain('127.0.0.1:8443')
})

test('a sink without a certificate makes its own where it is told to, and a given one goes before it', () => {
  const own = { listen: { port: 8443 }, selfSigned: true }
  expect(told(BANK, own)).toBe('a sink listens on 127.0.0.1:8443 (HTTPS)')
  const tls = { certificate: 'sink.pem', key: 'key.pem' }
  const profile = profileSchema.parse({ ...sampleProfile(), webhooks: { ...own, tls } })
  expect(sinkAddressOf({ profile, ...BANK }).tls).toEqual(tls)
})
