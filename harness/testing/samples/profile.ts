import { profileSchema, type Profile, type ProfileInput } from '../../profile/schema.ts'

/** Invented for tests: these are not valid anywhere. */
export const SAMPLE_ENV = {
  SAMPLE_SECRET: 'q7-Zx92-secret',
  SAMPLE_PASSWORD: 'w4-Kd81-password',
}

export const sampleApplication = (): ProfileInput['applications'][number] => ({
  name: 'shop',
  kind: 'TPP',
  clientId: 'shop-id',
  clientSecret: 'env:SAMPLE_SECRET',
  redirectUris: [{ uri: 'https://client.example/callback' }],
})

/** A small valid profile; tests change one key of it. */
export const sampleProfile = (): ProfileInput => ({
  name: 'Sample bank',
  baseUrl: 'https://api.bank.example',
  applications: [sampleApplication()],
  customers: [{ name: 'first customer', username: 'anna', password: 'env:SAMPLE_PASSWORD' }],
})

/** The sample with changes, as a run uses it. */
export const parsedProfile = (changes: object = {}): Profile =>
  profileSchema.parse({ ...sampleProfile(), ...changes })
