import { check, isRefusedBetween, NotReached, scenario } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const nothingTyped = scenario(
  'a grant by nobody',
  { effect: 'consent', as: 'each', authorizations: 3, needs: ['customer', 'login'] },
  async (session) => {
    const { app } = session
    const nobody = { ...session.customer, username: '', password: '' }
    return session.between(
      () => app.authorize(),
      () => app.authorize({ customer: nobody }),
    )
  },
)

check(AUT.userIsAuthenticated, nothingTyped, (attempts) => {
  isRefusedBetween(attempts, 'nobody has logged in')
})

/** The password in letters of the other case; longer where it has no letters. */
const recased = (password: string): string => {
  const other = password === password.toUpperCase() ? password.toLowerCase() : password.toUpperCase()
  return other === password ? `${password}A` : other
}

const wrongPasswords = scenario(
  'logins with a wrong password',
  { effect: 'consent', as: 'any', authorizations: 6, needs: ['customer', 'login'] },
  async ({ app, customer }) => {
    const typed = `${customer.password}-${crypto.randomUUID()}`
    const withPassword = (password: string) => app.authorize({ customer: { ...customer, password } })
    // A right password in between: many banks close an account after three wrong ones.
    return {
      typed,
      before: await app.authorize(),
      longer: await withPassword(typed),
      ofAnotherCase: await withPassword(recased(customer.password)),
      between: await app.authorize(),
      cutShort: await withPassword(customer.password.slice(0, -1)),
      after: await app.authorize(),
    }
  },
)

check(AUT.wrongPasswordGivesNoCode, wrongPasswords, ({ before, between, after, ...wrong }) => {
  isRefusedBetween(
    { before, changed: wrong.longer, after: between },
    'the password is longer than the right one',
  )
  isRefusedBetween(
    { before, changed: wrong.ofAnotherCase, after: between },
    'the password is of another case',
  )
  isRefusedBetween(
    { before: between, changed: wrong.cutShort, after },
    'the password lacks its last character',
  )
})

check(AUT.failedLoginRepeatsNoPassword, wrongPasswords, ({ typed, longer }) => {
  if (longer.accepted) throw new NotReached('the login with a wrong password has succeeded')
  longer.isRefused('the password is wrong')
  longer.exchange.hides(typed, 'the password that was typed')
})
