import type { ProfileInput } from './schema.ts'

/** Made up for tests: none of these opens anything. */
export const SAMPLE_ENV = {
  SAMPLE_SECRET: 'q7-Zx92-secret',
  SAMPLE_PASSWORD: 'w4-Kd81-password',
}

/** A small profile without a fault, for tests to change one thing in. */
export const sampleProfile = (): ProfileInput => ({
  name: 'Sample bank',
  baseUrl: 'https://api.bank.example',
  applications: [
    {
      name: 'shop',
      kind: 'TPP',
      clientId: 'shop-id',
      clientSecret: 'env:SAMPLE_SECRET',
      redirectUris: [{ uri: 'https://client.example/callback' }],
    },
  ],
  customers: [{ name: 'first customer', username: 'anna', password: 'env:SAMPLE_PASSWORD' }],
})
