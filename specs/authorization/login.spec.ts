import { check, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
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

/** As long as the right one, and different in every character, whatever its case. */
const unlike = (password: string): string =>
  password.replaceAll(/./gsu, (character) => (character.toLowerCase() === 'x' ? 'y' : 'x'))

const wrongPasswords = scenario(
  'logins with a wrong password',
  { effect: 'consent', as: 'any', authorizations: 6, needs: ['customer', 'login'] },
  async ({ app, customer, profile, random }) => {
    const another = `not-the-password-${random.uuid()}`
    const others = profile.customers.map(({ password }) => password)
    const ofAnotherCustomer = others.find((password) => password !== customer.password) ?? `${another}-`
    const withPassword = (password: string) => app.authorize({ customer: { ...customer, password } })
    // A right password in between: many banks close an account after three wrong ones.
    return {
      typed: another,
      before: await app.authorize(),
      another: await withPassword(another),
      ofAnotherCustomer: await withPassword(ofAnotherCustomer),
      between: await app.authorize(),
      ofTheSameLength: await withPassword(unlike(customer.password)),
      after: await app.authorize(),
    }
  },
)

check(AUT.wrongPasswordGivesNoCode, wrongPasswords, ({ before, between, after, ...wrong }) => {
  const { another, ofAnotherCustomer, ofTheSameLength } = wrong
  isRefusedBetween({ before, changed: another, after: between }, 'the password is another one')
  isRefusedBetween(
    { before, changed: ofAnotherCustomer, after: between },
    'the password is that of another customer',
  )
  isRefusedBetween(
    { before: between, changed: ofTheSameLength, after },
    'no character of the password is right',
  )
})

check(AUT.failedLoginRepeatsNoPassword, wrongPasswords, ({ typed, another }) => {
  if (another.accepted) throw new NotReached('the login with a wrong password has succeeded')
  another.isRefused('the password is wrong')
  another.exchange.hides(typed, 'the password that was typed')
})
