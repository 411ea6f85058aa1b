import type { Consequence } from '../../harness/check/consequence.ts'

/**
 * What a violation means for customers, for readers of the compliance report who do not know the interface: only of requirements
 * of which it is always true.
 */

const CRITICAL: Readonly<Record<string, string>> = {
  'An application may gain access that the customer has not consented to.':
    'CON-11 CON-12 CON-13 AUT-15 AUT-17 AUT-18 AUT-41 TOK-47 TOK-78',
  'Somebody who is not the application may ask customers for access in its name.':
    'CON-15 CON-16 CON-17 CON-18 CON-19',
  'Somebody who gets hold of an authorization code may use it to read the customer’s accounts.':
    'AUT-21 AUT-22 AUT-23 AUT-24 AUT-44 TOK-30 TOK-31 TOK-32 TOK-33 TOK-34 TOK-35 TOK-36 TOK-41',
  'A prepared link may send the customer, or the access that the customer grants, to somebody else.':
    'AUT-32 AUT-34 AUT-35 AUT-36 AUT-37 AUT-43 TOK-43 TOK-44',
  'Somebody who does not know the secret of an application may use the access that its customers have granted.':
    'TOK-27 TOK-28 TOK-29 TOK-72 TOK-73',
  'An application may use the access that a customer has granted to another one.': 'TOK-40 TOK-74',
  'Account data may be read by somebody without valid access.':
    'TOK-38 TOK-60 TOK-61 TOK-62 TOK-63 TOK-75 TOK-77 ACC-11 ACC-21 TRX-12 TRX-25',
  'Access may continue after the 90 days, when the customer has to be asked again.':
    'AUT-45 TOK-81 TOK-87 TOK-92',
  'Access may continue after the customer has withdrawn it.': 'TOK-88 TOK-90 WEB-41',
  'Data of an account may be shown to somebody who has no consent for it.':
    'ACC-02 ACC-10 ACC-15 ACC-20 ACC-25 ACC-26 ACC-32 ACC-33 TRX-02 TRX-11 TRX-15 TRX-24',
  'An application may be informed of changes on accounts that it has no consent for.': 'WEB-16 WEB-17 WEB-43',
  'Access to tests may open real accounts, or access to real accounts those of tests.':
    'ACC-27 ACC-34 ENV-06 ENV-07 ENV-08 ENV-09 ENV-14 ENV-15 ENV-16 ENV-17 ENV-18 ENV-19',
  'A test payment may appear in production, or a real one in the sandbox.': 'ENV-20 ENV-21',
  'Access to payments or loans may open the customer’s accounts.': 'ENV-11 ENV-24',
  'Passwords and access may be read by others on the network.': 'ENV-12 ENV-13',
  'Somebody without valid access may start updates of the customer’s accounts at other banks.': 'REF-10',
  'Accounts may be updated for an application that the customer has not authorized for them.': 'REF-12',
  'A payment may be executed that the customer has not authorized.': 'PAY-29 PAY-30',
  'Applications for loans may be open to somebody without valid access.': 'LOA-07 LOA-46',
  'The application for a loan of one customer may be visible or open to others.': 'LOA-58 LOA-59',
}

const MAJOR: Readonly<Record<string, string>> = {
  'The customer may see an outdated balance, and decide on the basis of it.': 'ACC-13',
  'A new transaction may be missing from the customer’s history.': 'TRX-09 TRX-35',
  'Transactions may be missing from the customer’s history.': 'TRX-05 TRX-22',
  'At worst, the customer of a rejected payment does not learn why it was rejected.': 'PAY-12 PAY-26',
  'A loan that the customer has canceled may be paid out.': 'LOA-34',
  'Another site may show the login of the bank inside its own page, and lead a customer to agree without noticing.':
    'AUT-46',
}

const consequencesOf = (
  severity: Consequence['severity'],
  sentences: typeof CRITICAL,
): readonly (readonly [id: string, Consequence])[] =>
  Object.entries(sentences).flatMap(([customers, ids]) =>
    ids.split(' ').map((id) => [id, { severity, customers }] as const),
  )

export const consequences: ReadonlyMap<string, Consequence> = new Map([
  ...consequencesOf('critical', CRITICAL),
  ...consequencesOf('major', MAJOR),
])

/** Undefined if nothing can be said that is always true. */
export const consequenceOf = (requirement: string): Consequence | undefined => consequences.get(requirement)
