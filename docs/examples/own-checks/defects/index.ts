import { defectsOf, header, on } from 'bank-interface-conformance/defects'
import { ACME } from '../requirements.ts'

const accountList = on('GET', /\/accounts$/)

export const defects = [
  ...defectsOf([ACME.accountListIsNotStored], {
    'ACME: the list of accounts has no Cache-Control header': header(accountList, 'cache-control', undefined),
  }),
  ...defectsOf([ACME.accountListIsJson], {
    'ACME: the list of accounts is sent as text': header(accountList, 'content-type', 'text/plain'),
  }),
]
