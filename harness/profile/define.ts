import type { ProfileInput } from './schema.ts'

/**
 * A profile in TypeScript, checked by the editor while it is written:
 *
 * ```ts
 * export default defineProfile({
 *   name: 'Example Bank, sandbox',
 *   baseUrl: 'https://api.bank.example',
 *   applications: [{ name: 'shop', kind: 'TPP', clientId: 'env:BANK_CLIENT_ID', … }],
 * })
 * ```
 *
 * It gives back what it is given. Values are checked, and `env:NAME` read from the environment, when a run loads the
 * file.
 */
export const defineProfile = (profile: ProfileInput): ProfileInput => profile
