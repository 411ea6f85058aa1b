import { check } from 'bank-interface-conformance/check'
import { scenario } from 'bank-interface-conformance/session'
import { ACME } from './requirements.ts'

const accounts = scenario(
  'the list of accounts of a customer',
  { effect: 'read', as: 'each', needs: ['access'] },
  async ({ app, access }) => ({
    list: await app.accounts('first').list((await access()).accessToken),
  }),
)

check(ACME.accountListIsNotStored, accounts, ({ list }) => {
  list.header('cache-control').matches(/\bno-store\b/i, 'no-store')
})

check(ACME.accountListIsJson, accounts, ({ list }) => {
  list.header('content-type').matches(/^application\/json\b/i, 'application/json')
})
