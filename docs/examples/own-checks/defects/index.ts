import { breaking, on, rewordingAnswers } from 'bank-interface-conformance/defects'
import { ACME } from '../requirements.ts'

const accountList = on('GET', /\/accounts$/)

export const defects = [
  ...breaking(ACME.accountListIsNotStored, {
    'acme-account-list-may-be-stored': {
      story: 'The list of accounts says nothing about caches.',
      wire: rewordingAnswers(accountList, () => ({ headers: { 'cache-control': undefined } })),
    },
  }),
  ...breaking(ACME.accountListIsJson, {
    'acme-account-list-is-text': {
      story: 'The list of accounts is sent as text.',
      wire: rewordingAnswers(accountList, () => ({ headers: { 'content-type': 'text/plain' } })),
    },
  }),
]
