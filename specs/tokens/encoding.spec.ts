import { constantFrom, nat, record, uniqueArray } from 'fast-check'
import { change, check, isAcceptedToo, property } from '../../harness/check/index.ts'
import { TOK } from './requirements.ts'

/** Characters of a fresh code_verifier; of a longer value those at its beginning. */
const places = uniqueArray(nat(42), { maxLength: 43 })

const escapes = property(
  'a code exchange with percent escapes in its form',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer'] },
  record({
    parameter: constantFrom('code_verifier', 'redirect_uri'),
    places,
    digits: constantFrom('lower' as const, 'upper' as const),
  }),
  (session, { parameter, places, digits }) =>
    session.alike(
      () => session.app.exchangeFreshCode(),
      () => session.app.exchangeFreshCode(change.formEscaped(parameter, places, digits)),
    ),
)

check(TOK.percentEscapesAreDecoded, escapes, (attempts) =>
  isAcceptedToo(attempts, 'a percent escape stands for its character, whatever the case of its digits'),
)
